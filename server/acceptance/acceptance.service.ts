import type { Input } from '../../contract/core/op.ts'
import type { quotesApi } from '../../contract/quotes.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { createDeposit } from '../invoices/invoices.service.ts'
import { prepareAcceptance } from '../messages/messages.service.ts'
import { createFromQuote } from '../orders/new-orders.service.ts'
import { acceptQuote, markConverted, type Acceptance } from '../quotes/accept.service.ts'
import { allow, lockVisibleQuote, one, sameVersion, type QuoteRow } from '../quotes/quote.service.ts'

type Api = typeof quotesApi

export interface Converted {
  quote: QuoteRow
  order: Awaited<ReturnType<typeof createFromQuote>>
  invoice: Awaited<ReturnType<typeof createDeposit>>
}

/** The order and the deposit invoice of an accepted quote, and the word to the customer: all of it or nothing. */
async function convert(ctx: Ctx, quoteGuid: string): Promise<Converted> {
  const order = await createFromQuote(ctx, quoteGuid)
  const word: { keep: Awaited<ReturnType<typeof prepareAcceptance>> } = { keep: null }
  const compose = async (deposit?: Parameters<typeof prepareAcceptance>[2]) => {
    word.keep = await prepareAcceptance(ctx, quoteGuid, deposit)
  }
  const invoice = await createDeposit(ctx, { quoteGuid, orderGuid: order.guid }, compose)
  if (!invoice) await compose()
  const quote = await markConverted(ctx, quoteGuid)
  await word.keep?.(invoice?.number ?? '')
  return { quote, order, invoice }
}

/** Accepts a quote and makes what follows from it, in the caller's transaction. Whoever comes second is refused. */
export async function acceptAndConvert(ctx: Ctx, quoteGuid: string, input: Acceptance): Promise<Converted> {
  await acceptQuote(ctx, quoteGuid, input)
  return convert(ctx, quoteGuid)
}

const referenceTo = ({ guid, number }: { guid: string; number: string }) => ({ guid, label: number })

async function answer(ctx: Ctx, { quote, order, invoice }: Converted) {
  return { ...(await one(ctx, quote.guid)), order: referenceTo(order), invoice: invoice && referenceTo(invoice) }
}

async function acceptForCustomer(ctx: Ctx, input: Input<Api['accept']>) {
  const { guid, selectedLineGuids, version, ...given } = input
  await lockVisibleQuote(ctx, guid)
  const sameAs = (row: QuoteRow) => sameVersion(ctx, row, version)
  const how = { ...given, choice: { selectedLineGuids }, isAsked: false, sameAs }
  return answer(ctx, await acceptAndConvert(ctx, guid, how))
}

async function convertAccepted(ctx: Ctx, input: Input<Api['convert']>) {
  const quote = await lockVisibleQuote(ctx, input.guid)
  allow('convert', quote)
  await sameVersion(ctx, quote, input.version)
  return answer(ctx, await convert(ctx, quote.guid))
}

export const acceptance: Pick<Handlers<Api>, 'accept' | 'convert'> = {
  accept: acceptForCustomer,
  convert: convertAccepted,
}
