import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenCtx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { readHold, writeHold } from '../core/hold.ts'
import { findDrift } from './payments.drift.ts'
import { handleWebhook } from './webhooks.ts'
import { insertEvent } from './webhooks.queries.ts'

const dayMs = 86_400_000

/**
 * After a backup was restored: asks the provider what it took or gave back since, and treats each difference as a
 * notice that comes in now. What belongs to an attempt of ours is booked; the rest is put aside for a person.
 * Returns how much was unknown.
 */
export async function askAfterRestore(ctx: OpenCtx): Promise<number> {
  const hold = await readHold(ctx.db)
  if (!hold || hold.providerAskedAt) return 0
  const { payments, now } = ctx.deps
  // Older payments may have been given back since.
  const drifts =
    payments.name === 'none' ? [] : await findDrift(ctx, new Date(new Date(hold.madeAt).getTime() - 31 * dayMs), 0)
  for (const { providerPaymentId, kind } of drifts) {
    if (kind === 'not_at_provider') continue
    const row = {
      guid: newGuid(),
      provider: payments.name,
      eventId: `restored ${hold.since} ${providerPaymentId}`,
      type: 'charge.succeeded',
      payload: {
        providerPaymentId,
        providerRefundId: null,
        occurredAt: now().toISOString(),
        raw: { restored: hold.since },
      },
      receivedAt: now(),
    }
    const isNew = await ctx.tx((tx) => insertEvent(tx.db, row))
    if (isNew) await handleWebhook(ctx, row.guid)
  }
  await ctx.tx((tx) =>
    writeHold(tx.db, { ...hold, providerAskedAt: now().toISOString(), unknownCharges: drifts.length }, now()),
  )
  ctx.deps.maintenance.forget()
  const told = [
    `Asked ${payments.name === 'none' ? 'no payment provider: none is set up' : payments.name} ` +
      `at ${now().toISOString()}: ${drifts.length} payments or refunds differ from this backup.`,
  ]
  for (const { kind, providerPaymentId, theirsCents, oursCents } of drifts)
    told.push(`${kind} ${providerPaymentId}: ${theirsCents} cents there, ${oursCents} here`)
  try {
    appendFileSync(join(ctx.deps.settings.dataDir, hold.report), `\n${told.join('\n')}\n`, { mode: 0o600 })
  } catch (error) {
    ctx.log.error({ err: error, told }, 'the report of the restore could not be written')
  }
  return drifts.length
}
