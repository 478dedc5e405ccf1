import { dropStored, readFresh, readStored, writeStored } from '../storage.ts'
import { createStore } from '../store.ts'

/** What the server says while it is under maintenance. */
export interface MaintenanceState {
  message: string
  /** When it is expected to be over. */
  until: string | null
}

/** `offline`: no answer on the last try. `busy`: the last answer was 503. `maintenance`: and it said why. */
export const connection = createStore<'online' | 'offline' | 'busy' | 'maintenance'>('online')
export const maintenance = createStore<MaintenanceState | null>(readFresh<MaintenanceState>('maintenance'))

/** Takes note that something was answered; the body of a 503 says more (`noteMaintenance`). */
export function noteAnswer(status: number) {
  if (status === 503) {
    if (connection.get() !== 'maintenance') connection.set('busy')
    return
  }
  connection.set('online')
}

/** Maintenance status and message are kept in the browser, so that the next page knows them before it asks. */
export function noteMaintenance(state: MaintenanceState | null) {
  if (state) {
    writeStored('maintenance', state)
    connection.set('maintenance')
  } else if (readStored('maintenance')) dropStored('maintenance')
  maintenance.set(state)
}
