import type { SharedFile } from '../../contract/files.ts'
import { z } from 'zod'
import type { PublicBusiness } from '../../contract/businesses.ts'
import { inLanguage } from '../../contract/booking-options.ts'
import { conflict, notFound, stale } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { quoteTotals, type QuoteTotals } from '../../contract/lines.ts'
import { type serviceApi } from '../../contract/service.ts'
import { serviceQuote, type ServiceQuote } from '../../contract/service-quotes.ts'
import { acceptAndConvert } from '../acceptance/acceptance.service.ts'
import { publicBusiness, today } from '../businesses/businesses.service.ts'
import type { Ctx, Handlers, OpenCtx } from '../core/ctx.ts'
import { receivePhoto, sharedFiles } from '../files/files.service.ts'
import { renderPdf } from '../documents/documents.service.ts'
import { publicLines } from '../documents/public-lines.service.ts'
import { jobTypeOfPage } from '../job-types/job-strings.service.ts'
import { checkSignature } from '../quotes/accept.service.ts'
import { binding, putAsks, withdrawAsks } from '../quotes/asks.service.ts'
import { pricedChoice, withChoice } from '../quotes/choice.service.ts'
import { comparisonOf } from '../quotes/evidence.service.ts'
import { keepFrame } from '../quotes/frames.service.ts'
import { photoQuestion } from '../quotes/guest-answers.service.ts'
import { noteOpened } from '../messages/messages.service.ts'
import { findGuestQuote, guestQuoteOf, type GuestQuoteRow, projected } from '../quotes/guest-page.service.ts'
import { asLine, askedLines, lineQuestions, shownLines } from '../quotes/questions.service.ts'
import { declineQuote } from '../quotes/quotes.service.ts'
import { allow, lockQuote, type QuoteRow } from '../quotes/quote.service.ts'
import { findByLink, lookUpLink } from '../service-links/service-links.service.ts'
import { notePageView, noteView } from './portal.queries.ts'

type Api = typeof serviceApi

interface Answer {
  quote: ServiceQuote
  business: PublicBusiness
  jobType: { heading: string; text: string } | null
  files: SharedFile[]
}

async function quotePage(ctx: Ctx, linkGuid: string): Promise<Answer> {
  const row = await findGuestQuote(ctx.db, linkGuid)
  if (!row) throw notFound()
  const business = await ctx.workFor(row.businessGuid)
  return {
    quote: projected(row, today(business, ctx.now)),
    business: await publicBusiness(ctx, business, { table: 'quotes', guid: row.guid }),
    jobType: await jobTypeOfPage(ctx.db, 'quote', row.guid, row.language),
    files: await sharedFiles(ctx.db, 'Quotes', row.guid),
  }
}

/** The quote behind a link, locked; as little there as on its page. */
async function lockedByLink(ctx: Ctx, linkGuid: string): Promise<QuoteRow> {
  const behind = await findByLink(ctx.db, 'quote', linkGuid)
  const quote = await lockQuote(ctx, behind)
  // While this waited for the lock a revision may have taken its place, which whoever comes too late is shown, or the
  // link may have been replaced: whoever has the old one comes too late as well.
  if ((await findByLink(ctx.db, 'quote', linkGuid)) !== behind) return lockedByLink(ctx, linkGuid)
  if (quote.archivedAt !== null || quote.status === 'draft' || quote.status === 'superseded') throw notFound()
  return quote
}

type Seen = Pick<Input<Api['question']>, 'guid' | 'documentSha256' | 'version'>

const sameAsSeen =
  (ctx: Ctx, { guid: linkGuid, documentSha256 = null, version }: Seen) =>
  async (row: QuoteRow) => {
    if (row.snapshotSha256 !== documentSha256 || row.version !== (version ?? row.version))
      throw stale(z.object({ quote: serviceQuote }), await quotePage(ctx, linkGuid))
  }

/** As staff's own acceptance is refused, by how the quote stands; a look at it is no state of its own. */
const mustBeOpen = ({ baseStatus }: Pick<GuestQuoteRow, 'baseStatus'>) =>
  allow('accept', { status: baseStatus === 'viewed' ? 'sent' : baseStatus, archivedAt: null })

/** The quote behind a link while its customer may answer it, and the document he has before the eyes. */
async function openQuote(ctx: Ctx, { guid, documentSha256 = null }: Seen): Promise<GuestQuoteRow> {
  const row = await findGuestQuote(ctx.db, guid)
  if (!row) throw notFound()
  if (row.documentSha256 !== documentSha256) throw stale(z.object({ quote: serviceQuote }), await quotePage(ctx, guid))
  mustBeOpen(row)
  return row
}

/** What the quote comes to with a choice, by what was offered: two statements at most, and nothing is kept. */
async function price(ctx: Ctx, input: Input<Api['price']>) {
  const row = await openQuote(ctx, input)
  const { lines, answered, problems } = await withChoice(ctx, row, askedLines(row), input)
  const priced = pricedChoice(lines, row)
  return {
    lines: shownLines(publicLines(priced.lines.map(asLine), row.roundingRule), row.language),
    questions: lineQuestions(lines, row.priceMode, answered),
    totals: priced.totals,
    depositCents: priced.depositCents,
    stages: priced.stages,
    choiceSha256: priced.choiceSha256,
    problems,
  }
}

/** A photo that answers a question of the quote. */
async function photo(ctx: OpenCtx, { guid, lineGuid, option, ...given }: Input<Api['photo']>) {
  const row = await findGuestQuote(ctx.db, guid)
  if (!row) throw notFound()
  mustBeOpen(row)
  const { label } = photoQuestion(askedLines(row), lineGuid, option)
  await ctx.workFor(row.businessGuid)
  const file = await receivePhoto(ctx, { noun: 'Quotes', guid: row.guid }, given, inLanguage(label, 'en'))
  return { file }
}

async function accept(ctx: Ctx, input: Input<Api['accept']>) {
  const { name, signature, selectedLineGuids, answers, quantities } = input
  await checkSignature(signature)
  const locked = await lockedByLink(ctx, input.guid)
  await mustHaveNoRequests(ctx, locked)
  const method = ctx.actor.kind === 'user' ? 'in_person' : 'guest'
  const { quote, order, invoice } = await acceptAndConvert(ctx, locked.guid, {
    name,
    signature,
    method,
    choice: { selectedLineGuids, answers, quantities },
    isAsked: true,
    sameChoice: async (choiceSha256: string, totals: QuoteTotals) => {
      if (input.choiceSha256 === undefined || input.choiceSha256 === choiceSha256) return
      throw stale(z.object({ quote: serviceQuote, totals: quoteTotals }), {
        ...(await quotePage(ctx, input.guid)),
        totals,
      })
    },
    sameAs: sameAsSeen(ctx, input),
  })
  const { subtotalCents, discountCents, gstCents, totalCents, optionalTotalCents } = quote
  return {
    quote: {
      status: quote.status,
      number: quote.number ?? '',
      totals: { subtotalCents, discountCents, gstCents, totalCents, optionalTotalCents },
    },
    order,
    invoice,
  }
}

/** Whoever asked for something else accepts what was offered once he has taken it back. */
async function mustHaveNoRequests(ctx: Ctx, { guid, status }: QuoteRow) {
  if (status !== 'changes_requested') return
  const waiting = binding(await guestQuoteOf(ctx.db, guid))
  if (waiting.some(({ answer }) => answer === null)) throw conflict('Withdraw your request to accept this quote.')
  if (waiting.length > 0) throw conflict('We’re preparing a revision with what we agreed. You can accept that one.')
}

/** Who answers on the page, in words. */
async function nameOf(ctx: Ctx, { customerGuid }: Pick<QuoteRow, 'customerGuid'>): Promise<string> {
  if (ctx.actor.kind === 'user') return ctx.actor.name
  const customer = await ctx.db
    .selectFrom('parties')
    .select('displayName')
    .where('memberGuid', '=', customerGuid)
    .executeTakeFirstOrThrow()
  return customer.displayName
}

async function decline(ctx: Ctx, input: Input<Api['decline']>) {
  const quote = await lockedByLink(ctx, input.guid)
  const { reasonCode, note } = input
  await ctx.workFor(quote.businessGuid)
  await declineQuote(ctx, quote, { reasonCode, note, by: await nameOf(ctx, quote) }, sameAsSeen(ctx, input))
  return quotePage(ctx, input.guid)
}

async function asks(ctx: Ctx, input: Pick<Input<Api['asks']>, 'asks'> & Seen) {
  const quote = await lockedByLink(ctx, input.guid)
  allow('requestChanges', quote)
  await sameAsSeen(ctx, input)(quote)
  await ctx.workFor(quote.businessGuid)
  await putAsks(ctx, quote, input.asks, await nameOf(ctx, quote))
  return quotePage(ctx, input.guid)
}

const question = (ctx: Ctx, { note, ...seen }: Input<Api['question']>) =>
  asks(ctx, { ...seen, asks: [{ kind: 'comment', text: note }] })

async function withdraw(ctx: Ctx, input: Input<Api['withdraw']>) {
  const quote = await lockedByLink(ctx, input.guid)
  await sameAsSeen(ctx, input)(quote)
  await ctx.workFor(quote.businessGuid)
  await withdrawAsks(ctx, quote, input.askGuids, await nameOf(ctx, quote))
  return quotePage(ctx, input.guid)
}

/** Only revisions that were sent are there for their customer. */
async function compare(ctx: Ctx, { guid, from }: Input<Api['compare']>) {
  const row = await findGuestQuote(ctx.db, guid)
  if (!row) throw notFound()
  const earlier = await ctx.db
    .selectFrom('quotes')
    .select('guid')
    .where('rootGuid', '=', row.rootGuid)
    .where('revision', '=', from)
    .where('revision', '<', row.revision)
    .where('sentAt', 'is not', null)
    .executeTakeFirst()
  if (!earlier) throw notFound()
  return { comparison: await comparisonOf(ctx, earlier.guid, row.guid) }
}

/** Staff who open the customer's page are no customers: only guests count. */
async function viewed(ctx: Ctx, input: Input<Api['viewed']>) {
  const { kind, recordGuid } = await lookUpLink(ctx.db, input.guid)
  if (ctx.actor.kind !== 'guest') return { seen: kind === 'order' }
  if (input.messageGuid) await noteOpened(ctx, input.messageGuid, input.guid)
  if (kind === 'order') return { seen: true }
  if (kind === 'statement') {
    await notePageView(ctx.db, recordGuid, ctx.now)
    return { seen: true }
  }
  const { numUpdatedRows } = await noteView(ctx.db, kind === 'quote' ? 'quotes' : 'invoices', recordGuid, ctx.now)
  if (numUpdatedRows === 0n) throw notFound()
  if (kind === 'quote') await keepView(ctx, recordGuid)
  return { seen: true }
}

/** What was looked at while it could be answered. */
async function keepView(ctx: Ctx, quoteGuid: string) {
  const quote = await lockQuote(ctx, quoteGuid)
  if (quote.status !== 'sent' && quote.status !== 'changes_requested') return
  await ctx.workFor(quote.businessGuid)
  await keepFrame(ctx, quoteGuid, { reason: 'viewed', by: await nameOf(ctx, quote) })
}

async function quotePdf(ctx: Ctx, input: Input<Api['quotePdf']>) {
  const row = await findGuestQuote(ctx.db, input.guid)
  if (!row) throw notFound()
  return renderPdf(ctx, 'quote', row.guid)
}

export const serviceQuotes: Pick<
  Handlers<Api>,
  | 'quote'
  | 'price'
  | 'photo'
  | 'accept'
  | 'decline'
  | 'question'
  | 'asks'
  | 'withdraw'
  | 'compare'
  | 'viewed'
  | 'quotePdf'
> = {
  quote: (ctx, input) => quotePage(ctx, input.guid),
  price,
  photo,
  accept,
  decline,
  question,
  asks,
  withdraw,
  compare,
  viewed,
  quotePdf,
}
