import { invalidTransition, notFound } from '../../contract/core/errors.ts'
import { leadsFrom } from '../../contract/core/transitions.ts'
import { quotesApi, quoteTransitions, type Quote, type QuoteStatus } from '../../contract/quotes.ts'
import { dueOnAcceptance, shownStages } from '../../contract/stages.ts'
import type { Ctx } from '../core/ctx.ts'
import { checkVersion } from '../core/db/rows.ts'
import { filterReadableReferences, readableReference } from '../row-scope/row-scope.service.ts'
import { shownLink } from '../service-links/service-links.service.ts'
import { findQuote, type FoundQuote, type QuoteRow, rowForUpdate, visibleRowForUpdate } from './quotes.queries.ts'
import { maySeeMargins } from './margin.ts'

/** How a quote stands, as the sentence that refuses what it does not allow. */
const refusalFor: Record<QuoteStatus, string> = {
  draft: 'This quote hasn’t been sent yet.',
  sent: 'This quote has already been sent.',
  changes_requested: 'Changes to this quote were requested. Send a revision.',
  accepted: 'This quote has already been accepted.',
  declined: 'This quote was declined.',
  converted: 'This quote has already been accepted.',
  cancelled: 'This quote was cancelled.',
  superseded: 'This quote has a newer revision.',
}

type Deed = keyof typeof quoteTransitions

function refusalOf(deed: Deed, status: QuoteStatus): string {
  if (deed === 'reissueLink') return 'This quote has no customer link.'
  if (deed === 'update' && status === 'sent') return 'This quote has already been sent. Revise it to make changes.'
  return refusalFor[status]
}

/** Refuses a deed that the quote's state does not allow; what the contract's table says of it. */
export function allow<D extends Deed>(
  deed: D,
  quote: Pick<QuoteRow, 'status' | 'archivedAt'>,
): (typeof quoteTransitions)[D] {
  if (quote.archivedAt !== null) throw invalidTransition('This quote is archived. Restore it first.')
  if (!leadsFrom(quoteTransitions, deed, quote.status)) throw invalidTransition(refusalOf(deed, quote.status))
  return quoteTransitions[deed]
}

/** A quote in the contract's shape. */
async function shown(ctx: Ctx, row: FoundQuote): Promise<Quote> {
  const {
    order,
    request,
    series,
    invoices,
    messages,
    revisions,
    subtotalCents,
    discountCents,
    gstCents,
    totalCents,
    optionalTotalCents,
    marginCents,
    marginBp,
    ...rest
  } = row
  return {
    ...rest,
    totals: { subtotalCents, discountCents, gstCents, totalCents, optionalTotalCents },
    margin: marginCents !== null && maySeeMargins(ctx) ? { cents: marginCents, bp: marginBp } : null,
    depositCents: dueOnAcceptance(row, totalCents),
    stages: shownStages(row.schedule, totalCents),
    ...shownLink(ctx, 'quote', row.serviceGuid),
    orderGuid: order?.guid ?? null,
    related: {
      order: await readableReference(ctx, 'Orders', order),
      request: await readableReference(ctx, 'Requests', request),
      series: await readableReference(ctx, 'Series', series),
      invoices: await filterReadableReferences(ctx, 'Invoices', invoices),
      messages: await filterReadableReferences(ctx, 'Messages', messages),
      revisions: await filterReadableReferences(ctx, 'Quotes', revisions),
    },
  }
}

export async function one(ctx: Ctx, guid: string): Promise<{ quote: Quote }> {
  const row = await findQuote(ctx, guid)
  if (!row) throw notFound()
  return { quote: await shown(ctx, row) }
}

export type { QuoteRow }

/** Locks a quote. It comes before its order and its invoices wherever more than one is locked. */
export async function lockQuote(ctx: Ctx, guid: string): Promise<QuoteRow> {
  const row = await rowForUpdate(ctx.db, guid)
  if (!row) throw notFound()
  return row
}

/** The same, if the caller may know of the quote; what is done to it is done for its business. */
export async function lockVisibleQuote(ctx: Ctx, guid: string): Promise<QuoteRow> {
  const row = await visibleRowForUpdate(ctx, guid)
  if (!row) throw notFound()
  await ctx.workFor(row.businessGuid)
  return row
}

export const sameVersion = (ctx: Ctx, row: QuoteRow, version: number) =>
  checkVersion(row, version, quotesApi.get, () => one(ctx, row.guid))

/** What the timeline says of a quote. */
export const facts = (quote: Pick<QuoteRow, 'number' | 'revision' | 'title' | 'totalCents'>) => ({
  number: quote.number && quote.revision ? `${quote.number} R${quote.revision}` : quote.number,
  title: quote.title,
  totalCents: quote.totalCents,
})
