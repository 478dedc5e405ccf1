import { dropStored, readStored, writeStored } from '../storage.ts'
import { createStore } from '../store.ts'

/** `offline`: no answer on the last try. `busy`: the last answer was 503. */
export const connection = createStore<'online' | 'offline' | 'busy'>('online')

/** Takes note of an answer; maintenance (503) is remembered until something else is answered. */
export function noteAnswer(status: number) {
  if (status === 503) writeStored('maintenance', { status })
  else if (connection.get() === 'busy' || readStored('maintenance')) dropStored('maintenance')
  connection.set(status === 503 ? 'busy' : 'online')
}
