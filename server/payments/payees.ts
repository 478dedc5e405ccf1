import { masked, type Payee, payee } from '../../contract/refunds.ts'
import type { Ctx } from '../core/ctx.ts'
import { seal, unseal } from '../core/secrets.ts'

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
