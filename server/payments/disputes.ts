import type { Ctx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { notify } from '../core/notices.ts'
import { allocationsOf } from './refunds.queries.ts'

/**
 * Marks a payment as disputed, which those who see payments are told of, or the dispute as won. Repeats and
 * late notices change nothing.
 */
export async function noteDispute(
  ctx: Ctx,
  payment: { guid: string; number: string; amountCents: number },
  isOver: boolean,
  reason: string | null,
) {
  const changed = isOver
    ? await ctx.db
        .updateTable('paymentDisputes')
        .set({ closedAt: ctx.now })
        .where('paymentGuid', '=', payment.guid)
        .where('closedAt', 'is', null)
        .executeTakeFirst()
    : await ctx.db
        .insertInto('paymentDisputes')
        .values({ guid: newGuid(), paymentGuid: payment.guid, openedAt: ctx.now })
        .onConflict((c) => c.column('paymentGuid').where('closedAt', 'is', null).doNothing())
        .executeTakeFirst()
  const isNew = 'numUpdatedRows' in changed ? changed.numUpdatedRows > 0n : changed.numInsertedOrUpdatedRows === 1n
  if (!isNew) return
  const action = isOver ? 'payment.dispute_won' : 'payment.disputed'
  const after = { number: payment.number, amountCents: payment.amountCents }
  ctx.audit({ action, entity: 'Payments', guid: payment.guid, after })
  for (const { invoiceGuid } of await allocationsOf(ctx.db, payment.guid))
    ctx.audit({ action, entity: 'Invoices', guid: invoiceGuid, after })
  // A deadline of the provider runs from now on.
  if (!isOver)
    await notify(ctx, {
      kind: 'payment.disputed',
      noun: 'Payments',
      recordGuid: payment.guid,
      event: `payment.disputed:${payment.guid}:${ctx.now.toISOString()}`,
      values: { amountCents: payment.amountCents, reason: reason ?? 'general' },
    })
}
