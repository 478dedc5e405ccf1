import type { Maintenance } from '../../contract/maintenance.ts'
import { AppError } from '../../contract/core/errors.ts'
import type { Db } from './ctx.ts'
import { type Hold, holdKey } from './hold.ts'

/** How long a process may not have heard of a change that another one made. */
const keptMs = 2000
export const maintenanceKey = 'maintenance'
/** Of each stored file that was found damaged a row tells, by its hash. */
export const damagedKey = 'damaged:'
export const noMaintenance: Maintenance = { isOn: false, message: '', since: null, until: null }
const defaultWaitSeconds = 120
const longestWaitSeconds = 3600

export interface MaintenanceState {
  /** As it was a moment ago. */
  current(db: Db): Promise<Maintenance>
  /** Whether nothing may be sent or charged since a backup was restored, as it was a moment ago. */
  hold(db: Db): Promise<Hold | null>
  /** Whether a stored file was found gone or damaged. */
  isDamaged(db: Db): Promise<boolean>
  forget(): void
}

interface State {
  maintenance: Maintenance
  hold: Hold | null
  isDamaged: boolean
}

export function makeMaintenance(): MaintenanceState {
  let known: { until: number; value: Promise<State> } | null = null
  const state = (db: Db): Promise<State> => {
    if (known && known.until > performance.now()) return known.value
    const value = readState(db)
    known = { until: performance.now() + keptMs, value }
    value.catch(() => {
      known = null
    })
    return value
  }
  return {
    current: async (db) => (await state(db)).maintenance,
    hold: async (db) => (await state(db)).hold,
    isDamaged: async (db) => (await state(db)).isDamaged,
    forget: () => {
      known = null
    },
  }
}

async function readState(db: Db): Promise<State> {
  const rows = await db
    .selectFrom('appState')
    .select(['key', 'value'])
    .where((e) =>
      e.or([
        e('key', 'in', [maintenanceKey, holdKey]),
        e('key', '=', e.selectFrom('appState as d').select('d.key').where('d.key', 'like', `${damagedKey}%`).limit(1)),
      ]),
    )
    .execute()
  const of = (key: string) => rows.find((row) => row.key === key)?.value
  return {
    maintenance: { ...noMaintenance, ...(of(maintenanceKey) as Partial<Maintenance> | undefined) },
    hold: (of(holdKey) as Hold | undefined) ?? null,
    isDamaged: rows.some(({ key }) => key.startsWith(damagedKey)),
  }
}

export const readMaintenance = async (db: Db): Promise<Maintenance> => (await readState(db)).maintenance

/** What everybody but super users hears while it lasts. */
export function underMaintenance(state: Maintenance, now: Date): AppError {
  const seconds = state.until ? Math.ceil((new Date(state.until).getTime() - now.getTime()) / 1000) : defaultWaitSeconds
  const retryAfterSeconds = Math.min(Math.max(seconds, 5), longestWaitSeconds)
  return new AppError('MAINTENANCE', state.message || undefined, { data: { maintenance: state, retryAfterSeconds } })
}
