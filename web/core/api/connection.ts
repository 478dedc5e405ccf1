import { createStore } from '../store.ts'

/** `offline`: no answer on the last try. `busy`: the last answer was 503. */
export const connection = createStore<'online' | 'offline' | 'busy'>('online')
