import { addDays } from '../../contract/core/dates.ts'
import { invalid } from '../../contract/core/errors.ts'
import { isText } from '../../contract/core/money.ts'
import type { Input } from '../../contract/core/op.ts'
import type { quotesApi } from '../../contract/quotes.ts'
import { nextNumber, today } from '../businesses/businesses.service.ts'
import type { BusinessRow } from '../core/business.ts'
import type { Ctx } from '../core/ctx.ts'
import { notify } from '../core/notices.ts'
import { stamp } from '../core/records.ts'
import { needActiveCustomer } from '../customers/customers.service.ts'
import { documentData, snapshotOf } from '../documents/documents.service.ts'
import { needAnswers } from '../documents/line-options.service.ts'
import { asRow, wholeLine, priced422, repriceLines } from '../documents/lines.service.ts'
import { prepareDocumentMessage } from '../messages/messages.service.ts'
import { moveLink, openLink, reissueLink } from '../service-links/service-links.service.ts'
import { keepFrame } from './frames.service.ts'
import { guestQuoteOf } from './guest-page.service.ts'
import { allow, facts, lockVisibleQuote, lockQuote, one, sameVersion, type QuoteRow } from './quote.service.ts'
import { findLines, replaceLines } from './quotes.queries.ts'

type Api = typeof quotesApi

/** The last day of a quote: its own, or as many days from today as the business says. */
function lastDay(quote: QuoteRow, business: BusinessRow, now: Date): string {
  const day = today(business, now)
  const validUntil = quote.validUntil ?? addDays(day, business.defaultValidityDays)
  if (validUntil < day)
    throw invalid('validUntil', 'The last day of this quote has passed. Edit the quote and choose a later one.')
  return validUntil
}

/** Lines as they are sent. A business that gave up its GST registration since the draft was made charges none. */
async function settleLines(ctx: Ctx, business: BusinessRow, quote: QuoteRow) {
  const lines = (await findLines(ctx.db, quote.guid)).map(wholeLine)
  needAnswers(lines)
  const priced = lines.filter((l) => !isText(l))
  if (priced.length === 0) throw invalid('lines', 'Add at least one line with a price.')
  if (business.gstRegistered || priced.every((l) => l.gstCode === 'NOT_REGISTERED')) return null
  const settled = priced422(() =>
    repriceLines(
      lines.map((l) => ({ ...l, gstCode: 'NOT_REGISTERED' as const })),
      quote,
    ),
  )
  await replaceLines(ctx.db, quote.guid, settled.lines.map(asRow))
  return settled.totals
}

/** The revised quote gives way: it is superseded, and the address the customer knows leads to the revision. */
async function takePlaceOf(ctx: Ctx, previousGuid: string, quote: QuoteRow) {
  const previous = await lockQuote(ctx, previousGuid)
  // An archived quote is out of the way already; its revision may still go out.
  if (previous.status !== 'cancelled' && previous.status !== 'superseded') {
    const { to: status } = allow('revise', { ...previous, archivedAt: null })
    await ctx.db
      .updateTable('quotes')
      .set({ status, ...stamp(ctx, previous.version) })
      .where('guid', '=', previousGuid)
      .execute()
    ctx.audit({
      action: 'quote.revised',
      entity: 'Quotes',
      guid: previousGuid,
      before: { status: previous.status },
      after: { ...facts(previous), status, revisedBy: quote.guid },
    })
  }
  await moveLink(ctx, 'quote', previousGuid, quote.guid)
}

export async function sendQuote(ctx: Ctx, input: Input<Api['send']>) {
  const quote = await lockVisibleQuote(ctx, input.guid)
  const { to: status } = allow('send', quote)
  await sameVersion(ctx, quote, input.version)
  const { business } = ctx
  await needActiveCustomer(ctx.db, business.guid, quote.customerGuid)
  const validUntil = lastDay(quote, business, ctx.now)
  const totals = await settleLines(ctx, business, quote)
  if ((totals ?? quote).totalCents < 0) throw invalid('lines', 'The total can’t be below zero.')
  if (quote.previousRevisionGuid) await takePlaceOf(ctx, quote.previousRevisionGuid, quote)
  await openLink(ctx.db, 'quote', quote.guid)
  const settled = { validUntil, ...totals }
  await ctx.db.updateTable('quotes').set(settled).where('guid', '=', quote.guid).execute()
  const { content } = await documentData(ctx.db, 'quote', quote.guid)
  const message = await prepareDocumentMessage(ctx, {
    template: 'quote',
    ownerType: 'quote',
    ownerGuid: quote.guid,
    to: input.to,
    subject: input.subject,
    note: input.note,
  })
  // From here on other quotes wait for their number: nothing slow may follow.
  const number = quote.number ?? (await nextNumber(ctx.db, business.guid, 'quote'))
  const frozen = snapshotOf({ ...content, number, issueOn: today(business, ctx.now) })
  const sent = { status, number, sentAt: ctx.now, ...frozen, ...stamp(ctx, quote.version) } as const
  await ctx.db.updateTable('quotes').set(sent).where('guid', '=', quote.guid).execute()
  await keepFrame(ctx, quote.guid, {
    reason: 'sent',
    by: ctx.actor.kind === 'user' ? ctx.actor.name : business.legalName,
  })
  await message?.(number)
  ctx.audit({
    action: 'quote.sent',
    entity: 'Quotes',
    guid: quote.guid,
    before: { status: quote.status },
    after: {
      ...facts({ ...quote, number, ...totals }),
      status,
      validUntil,
      sha256: frozen.snapshotSha256,
      ...(input.to ? { to: input.to.join(', ') } : {}),
    },
  })
  return one(ctx, quote.guid)
}

export interface Decline {
  reasonCode: NonNullable<QuoteRow['decline']>['reasonCode']
  note?: string | null | undefined
  competitor?: string | null | undefined
  /** Who said no, in words. */
  by: string
}

/** Declines a locked quote. */
export async function declineQuote(
  ctx: Ctx,
  quote: QuoteRow,
  input: Decline,
  sameAs: (row: QuoteRow) => Promise<void>,
) {
  const { to: status } = allow('decline', quote)
  await sameAs(quote)
  const competitor = input.competitor ?? null
  if (competitor !== null && input.reasonCode !== 'competitor')
    throw invalid('competitor', 'Choose “Chose someone else” as the reason to name who it was.')
  const page =
    quote.status === 'sent' || quote.status === 'changes_requested' ? await guestQuoteOf(ctx.db, quote.guid) : null
  const decline = { reasonCode: input.reasonCode, note: input.note || null, at: ctx.now.toISOString(), by: input.by }
  await ctx.db
    .updateTable('quotes')
    .set({ status, competitor, decline: JSON.stringify(decline), ...stamp(ctx, quote.version) })
    .where('guid', '=', quote.guid)
    .execute()
  if (page) await keepFrame(ctx, quote.guid, { reason: 'declined', by: input.by, page, facts: { decline } })
  ctx.audit({
    action: 'quote.declined',
    entity: 'Quotes',
    guid: quote.guid,
    before: { status: quote.status },
    after: {
      ...facts(quote),
      status,
      reason: input.reasonCode,
      ...(competitor === null ? {} : { competitor }),
      note: decline.note,
    },
  })
  if (ctx.actor.kind !== 'user')
    await notify(ctx, {
      kind: 'quote.declined',
      noun: 'Quotes',
      recordGuid: quote.guid,
      event: `quote.declined:${quote.guid}`,
      values: { ...facts(quote), reason: input.reasonCode, note: decline.note },
    })
}

export async function declineForCustomer(ctx: Ctx, input: Input<Api['decline']>) {
  const quote = await lockVisibleQuote(ctx, input.guid)
  const by = ctx.actor.kind === 'user' ? ctx.actor.name : ''
  const { reasonCode, competitor, note } = input
  await declineQuote(ctx, quote, { reasonCode, competitor, note, by }, (row) => sameVersion(ctx, row, input.version))
  return one(ctx, quote.guid)
}

export async function cancelQuote(ctx: Ctx, input: Input<Api['cancel']>) {
  const quote = await lockVisibleQuote(ctx, input.guid)
  const { to: status } = allow('cancel', quote)
  await sameVersion(ctx, quote, input.version)
  await ctx.db
    .updateTable('quotes')
    .set({ status, cancelReason: input.reason, ...stamp(ctx, quote.version) })
    .where('guid', '=', quote.guid)
    .execute()
  ctx.audit({
    action: 'quote.cancelled',
    entity: 'Quotes',
    guid: quote.guid,
    before: { status: quote.status },
    after: { ...facts(quote), status, reason: input.reason },
  })
  return one(ctx, quote.guid)
}

export async function reissueQuoteLink(ctx: Ctx, input: Input<Api['reissueLink']>) {
  const quote = await lockVisibleQuote(ctx, input.guid)
  allow('reissueLink', quote)
  await sameVersion(ctx, quote, input.version)
  await reissueLink(ctx, 'quote', quote.guid)
  await ctx.db.updateTable('quotes').set(stamp(ctx, quote.version)).where('guid', '=', quote.guid).execute()
  ctx.audit({ action: 'quote.link_reissued', entity: 'Quotes', guid: quote.guid, after: facts(quote) })
  return one(ctx, quote.guid)
}
