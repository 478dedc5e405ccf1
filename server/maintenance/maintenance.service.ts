import type { Maintenance, maintenanceApi } from '../../contract/maintenance.ts'
import type { Handlers } from '../core/ctx.ts'
import { maintenanceKey, noMaintenance, readMaintenance } from '../core/maintenance.ts'

type Api = Handlers<typeof maintenanceApi>
/** The audit log names records by guid; the installation has one of its own. */
const installation = '00000000-0000-4000-8000-000000000000'

const set: Api['set'] = async (ctx, { isOn, message, until }) => {
  const before = await readMaintenance(ctx.db)
  const after: Maintenance = isOn ? { isOn, message: message ?? before.message, since: before.isOn ? before.since : ctx.now.toISOString(), until: until === undefined ? (before.isOn ? before.until : null) : until && new Date(until).toISOString() } : { ...noMaintenance, message: message ?? before.message }
  const value = JSON.stringify(after)
  await ctx.db.insertInto('appState').values({ key: maintenanceKey, value, updatedAt: ctx.now }).onConflict((c) => c.column('key').doUpdateSet({ value, updatedAt: ctx.now })).execute()
  ctx.audit({ action: isOn ? 'maintenance.on' : 'maintenance.off', entity: 'Maintenance', guid: installation, before, after })
  ctx.deps.maintenance.forget()
  return { maintenance: after }
}

export const maintenance: Api = { get: async (ctx) => ({ maintenance: await ctx.deps.maintenance.current(ctx.db) }), set }
