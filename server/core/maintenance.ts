import type { Maintenance } from '../../contract/maintenance.ts'
import { AppError } from '../../contract/core/errors.ts'
import type { Db } from './ctx.ts'

/** How long a process may not have heard of a change that another one made. */
const keptMs = 2000
export const maintenanceKey = 'maintenance'
export const noMaintenance: Maintenance = { isOn: false, message: '', since: null, until: null }
const defaultWaitSeconds = 120
const longestWaitSeconds = 3600

export interface MaintenanceState {
  /** As it was a moment ago. */
  current(db: Db): Promise<Maintenance>
  forget(): void
}

export function makeMaintenance(): MaintenanceState {
  let known: { until: number; value: Promise<Maintenance> } | null = null
  return {
    current: (db) => {
      if (known && known.until > performance.now()) return known.value
      const value = readMaintenance(db)
      known = { until: performance.now() + keptMs, value }
      value.catch(() => {
        known = null
      })
      return value
    },
    forget: () => {
      known = null
    },
  }
}

export async function readMaintenance(db: Db): Promise<Maintenance> {
  const row = await db.selectFrom('appState').select('value').where('key', '=', maintenanceKey).executeTakeFirst()
  return row ? { ...noMaintenance, ...(row.value as Partial<Maintenance>) } : noMaintenance
}

/** What everybody but super users hears while it lasts. */
export function underMaintenance(state: Maintenance, now: Date): AppError {
  const seconds = state.until ? Math.ceil((new Date(state.until).getTime() - now.getTime()) / 1000) : defaultWaitSeconds
  const retryAfterSeconds = Math.min(Math.max(seconds, 5), longestWaitSeconds)
  return new AppError('MAINTENANCE', state.message || undefined, { data: { maintenance: state, retryAfterSeconds } })
}
