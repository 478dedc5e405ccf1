import { sql } from 'kysely'
import { conflict, invalidTransition } from '../../contract/core/errors.ts'
import type { Maintenance, maintenanceApi } from '../../contract/maintenance.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { holdKey, readHold } from '../core/hold.ts'
import { maintenanceKey, noMaintenance, readMaintenance } from '../core/maintenance.ts'
import { installation } from '../core/records.ts'
import { checkDamaged, storedFiles } from '../files/files.service.ts'
import { workOffQueue } from '../messages/messages.service.ts'

type Api = Handlers<typeof maintenanceApi>

const set: Api['set'] = async (ctx, { isOn, message, until }) => {
  const before = await readMaintenance(ctx.db)
  const after: Maintenance = isOn
    ? {
        isOn,
        message: message ?? before.message,
        since: before.isOn ? before.since : ctx.now.toISOString(),
        until: until === undefined ? (before.isOn ? before.until : null) : until && new Date(until).toISOString(),
      }
    : { ...noMaintenance, message: message ?? before.message }
  const value = JSON.stringify(after)
  await ctx.db
    .insertInto('appState')
    .values({ key: maintenanceKey, value, updatedAt: ctx.now })
    .onConflict((c) => c.column('key').doUpdateSet({ value, updatedAt: ctx.now }))
    .execute()
  ctx.audit({
    action: isOn ? 'maintenance.on' : 'maintenance.off',
    entity: 'Maintenance',
    guid: installation,
    before,
    after,
  })
  ctx.deps.maintenance.forget()
  return { maintenance: after }
}

const waiting = ['queued', 'deferred', 'sending'] as const

const hold: Api['hold'] = async (ctx) => {
  const held = await readHold(ctx.db)
  if (!held) return { hold: null }
  const { since, madeAt, report, providerAskedAt, unknownCharges } = held
  return {
    hold: {
      since,
      madeAt,
      report,
      isProviderAsked: providerAskedAt !== null,
      unknownCharges,
      waitingMails: await waitingMails(ctx, madeAt),
    },
  }
}

async function waitingMails(ctx: Pick<Ctx, 'db'>, madeAt: string): Promise<number> {
  const { n } = await ctx.db
    .selectFrom('messages')
    .select(sql<number>`count(*)::int`.as('n'))
    .where('status', 'in', waiting)
    .where('createdAt', '<=', madeAt)
    .executeTakeFirstOrThrow()
  return n
}

const release: Api['release'] = async (ctx, { mails, withoutProvider }) => {
  const held = await readHold(ctx.db)
  if (!held) throw invalidTransition('Sending is not on hold.')
  if (!held.providerAskedAt && !withoutProvider)
    throw conflict('The payment provider has not been asked yet what it took since the backup. Try again in a minute.')
  if (mails === 'cancel') {
    const failureReason = 'Cancelled after a backup was restored: it may have been sent before.'
    await ctx.db
      .updateTable('messages')
      .set({ status: 'cancelled', failureReason, nextAttemptAt: null, leaseUntil: null })
      .where('status', 'in', waiting)
      .where('createdAt', '<=', held.madeAt)
      .execute()
  }
  await ctx.db.deleteFrom('appState').where('key', '=', holdKey).execute()
  // What waits goes out now, and not when the queue is looked at next.
  await workOffQueue(ctx)
  ctx.deps.maintenance.forget()
  ctx.audit({ action: 'hold.released', entity: 'Maintenance', guid: installation, before: held, after: { mails } })
  return { hold: null }
}

export const maintenance: Api = {
  hold,
  release,
  files: async (ctx) => ({ files: await storedFiles(ctx) }),
  checkFiles: async (ctx) => {
    await checkDamaged(ctx)
    ctx.deps.maintenance.forget()
    return { files: await storedFiles(ctx) }
  },
  get: async (ctx) => ({ maintenance: await ctx.deps.maintenance.current(ctx.db) }),
  set,
}
