import { notFound } from '../../contract/core/errors.ts'
import type { Input, Output } from '../../contract/core/op.ts'
import type { paymentsApi } from '../../contract/payments.ts'
import { masked, type Payee, payee } from '../../contract/refunds.ts'
import type { Ctx } from '../core/ctx.ts'
import { seal, unseal } from '../core/secrets.ts'
import { refundWithPayee } from './refunds.queries.ts'

type Api = typeof paymentsApi

/** The bank account of a refund, sealed to the request or attempt it belongs to. */
export const sealPayee = (ctx: Ctx, to: Payee | undefined, guid: string): string | null =>
  to ? seal(ctx.deps.keys, JSON.stringify(to), `payee:${guid}`) : null

/** The same again; null where there is none, or where it was sealed with keys that are gone. */
export function openPayee(ctx: Ctx, sealed: string | null, guid: string): Payee | null {
  if (sealed === null) return null
  try {
    return payee.parse(JSON.parse(unseal(ctx.deps.keys, sealed, `payee:${guid}`)))
  } catch (error) {
    ctx.log.warn({ err: error, refund: guid }, 'the bank account of a refund could not be opened')
    return null
  }
}

export function showPayee(ctx: Ctx, sealed: string | null, guid: string): Payee | null {
  const opened = openPayee(ctx, sealed, guid)
  return opened && masked(opened)
}

/** The whole account, for whoever pays it. `mustSee` refuses payments that the caller may not see. */
export async function revealPayee(
  ctx: Ctx,
  { guid }: Input<Api['showPayee']>,
  mustSee: (ctx: Ctx, paymentGuid: string) => Promise<void>,
): Promise<Output<Api['showPayee']>> {
  const refund = await refundWithPayee(ctx.db, guid)
  if (!refund) throw notFound()
  await mustSee(ctx, refund.paymentGuid)
  const opened = openPayee(ctx, refund.payee, refund.attemptGuid)
  if (!opened) throw notFound()
  const after = { number: refund.number }
  ctx.audit({ action: 'refund.payee_shown', entity: 'Payments', guid: refund.paymentGuid, after })
  return { payee: opened }
}
