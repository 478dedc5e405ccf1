import type { SharedFile } from '../../contract/files.ts'
import { z } from 'zod'
import type { PublicBusiness } from '../../contract/businesses.ts'
import { inLanguage } from '../../contract/booking-options.ts'
import { displayStatus } from '../../contract/display-status.ts'
import { notFound, stale } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { quoteTotals, type QuoteTotals } from '../../contract/lines.ts'
import { serviceQuote, type serviceApi, type ServiceQuote } from '../../contract/service.ts'
import { acceptAndConvert } from '../acceptance/acceptance.service.ts'
import { publicBusiness, today } from '../businesses/businesses.service.ts'
import type { Ctx, Handlers, OpenCtx } from '../core/ctx.ts'
import { receivePhoto, sharedFiles } from '../files/files.service.ts'
import { renderPdf } from '../documents/documents.service.ts'
import { depositOf, repriceLines } from '../documents/lines.service.ts'
import { publicLines } from '../documents/public-lines.service.ts'
import { jobTypeOfPage } from '../job-types/job-strings.service.ts'
import { checkSignature, choose } from '../quotes/accept.service.ts'
import {
  answerLines,
  type LineAnswers,
  nameGuestFiles,
  photoQuestion,
  problemsOf,
  withAnswers,
} from '../quotes/guest-answers.service.ts'
import { declineQuote, requestChanges } from '../quotes/quotes.service.ts'
import { allow, lockQuote, type QuoteRow } from '../quotes/quote.service.ts'
import { findByLink, lookUpLink } from '../service-links/service-links.service.ts'
import { asLine, askedLines, lineQuestions, shownLines } from './questions.ts'
import { findServiceQuote, noteView, type ServiceQuoteRow } from './portal.queries.ts'

type Api = typeof serviceApi

/** As staff sees it, but that looking at it is no news to whoever did. */
function statusOf(row: ServiceQuoteRow, day: string): ServiceQuote['status'] {
  const status = displayStatus('Quotes', row, day)
  if (status === 'draft' || status === 'superseded') throw notFound()
  return status === 'viewed' ? 'sent' : status
}

/** A quote as its customer sees it: nothing internal, nobody else's. */
function projected(row: ServiceQuoteRow, day: string): ServiceQuote {
  const {
    subtotalCents,
    discountCents,
    gstCents,
    totalCents,
    optionalTotalCents,
    depositRule,
    acceptance,
    displayName,
    language,
    ...rest
  } = row
  return {
    ...rest,
    lines: shownLines(publicLines(row.lines, row.roundingRule), language),
    questions: ['sent', 'viewed'].includes(row.baseStatus) ? lineQuestions(askedLines(row), row.priceMode) : [],
    number: row.number ?? '',
    status: statusOf(row, day),
    customer: { name: displayName, language },
    depositCents: depositOf(depositRule, totalCents),
    depositRule: depositRule === null || depositRule.type === 'none' ? null : depositRule,
    totals: { subtotalCents, discountCents, gstCents, totalCents, optionalTotalCents },
    acceptedBy: acceptance ? { name: acceptance.name, at: acceptance.at, signature: acceptance.signature } : null,
  }
}

interface Answer {
  quote: ServiceQuote
  business: PublicBusiness
  jobType: { heading: string; text: string } | null
  files: SharedFile[]
}

async function quotePage(ctx: Ctx, linkGuid: string): Promise<Answer> {
  const row = await findServiceQuote(ctx.db, linkGuid)
  if (!row) throw notFound()
  const business = await ctx.workFor(row.businessGuid)
  return {
    quote: projected(row, today(business, ctx.now)),
    business: await publicBusiness(ctx.deps.files, business),
    jobType: await jobTypeOfPage(ctx.db, 'quote', row.guid, row.language),
    files: await sharedFiles(ctx.db, 'Quotes', row.guid),
  }
}

/** The quote behind a link, locked; as little there as on its page. */
async function lockedByLink(ctx: Ctx, linkGuid: string): Promise<QuoteRow> {
  const quote = await lockQuote(ctx, await findByLink(ctx.db, 'quote', linkGuid))
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
const mustBeOpen = ({ baseStatus }: Pick<ServiceQuoteRow, 'baseStatus'>) =>
  allow('accept', { status: baseStatus === 'viewed' ? 'sent' : baseStatus, archivedAt: null })

/** The quote behind a link while its customer may answer it, and the document he has before the eyes. */
async function openQuote(ctx: Ctx, { guid, documentSha256 = null }: Seen): Promise<ServiceQuoteRow> {
  const row = await findServiceQuote(ctx.db, guid)
  if (!row) throw notFound()
  if (row.documentSha256 !== documentSha256) throw stale(z.object({ quote: serviceQuote }), await quotePage(ctx, guid))
  mustBeOpen(row)
  return row
}

/** What the quote comes to with some answers, by what was offered: two statements at most, and nothing is kept. */
async function price(ctx: Ctx, input: Input<Api['price']>) {
  const row = await openQuote(ctx, input)
  const { answered, lines, chosen } = await tried(ctx, row, input)
  const priced = repriceLines(lines, row)
  return {
    lines: shownLines(publicLines(priced.lines.map(asLine), row.roundingRule), row.language),
    questions: lineQuestions(lines, row.priceMode, answered),
    totals: priced.totals,
    depositCents: depositOf(row.depositRule, priced.totals.totalCents),
    problems: problemsOf(answered, chosen),
  }
}

async function tried(
  ctx: Ctx,
  row: ServiceQuoteRow,
  { answers, selectedLineGuids }: { answers: readonly LineAnswers[]; selectedLineGuids?: string[] | undefined },
) {
  const chosen = choose(askedLines(row), selectedLineGuids)
  const answered = answerLines(ctx, row, chosen, answers)
  await nameGuestFiles(ctx.db, row.guid, answered)
  return { answered, chosen, lines: withAnswers(chosen, answered) }
}

/** A photo that answers a question of the quote. */
async function photo(ctx: OpenCtx, { guid, lineGuid, option, ...given }: Input<Api['photo']>) {
  const row = await findServiceQuote(ctx.db, guid)
  if (!row) throw notFound()
  mustBeOpen(row)
  const { label } = photoQuestion(askedLines(row), lineGuid, option)
  await ctx.workFor(row.businessGuid)
  const file = await receivePhoto(ctx, { noun: 'Quotes', guid: row.guid }, given, inLanguage(label, 'en'))
  return { file }
}

async function accept(ctx: Ctx, input: Input<Api['accept']>) {
  const { name, signature, selectedLineGuids, answers = [] } = input
  await checkSignature(signature)
  const { guid: quoteGuid } = await lockedByLink(ctx, input.guid)
  const method = ctx.actor.kind === 'user' ? 'in_person' : 'guest'
  const { quote, order, invoice } = await acceptAndConvert(ctx, quoteGuid, {
    name,
    signature,
    selectedLineGuids,
    method,
    answers,
    sameTotal: async (totals: QuoteTotals) => {
      if (input.totalCents === undefined || input.totalCents === totals.totalCents) return
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

async function decline(ctx: Ctx, input: Input<Api['decline']>) {
  const quote = await lockedByLink(ctx, input.guid)
  const customer = await ctx.db
    .selectFrom('parties')
    .select('displayName')
    .where('memberGuid', '=', quote.customerGuid)
    .executeTakeFirstOrThrow()
  const by = ctx.actor.kind === 'user' ? ctx.actor.name : customer.displayName
  await declineQuote(ctx, quote, { reasonCode: input.reasonCode, note: input.note, by }, sameAsSeen(ctx, input))
  return quotePage(ctx, input.guid)
}

async function question(ctx: Ctx, input: Input<Api['question']>) {
  const quote = await lockedByLink(ctx, input.guid)
  allow('requestChanges', quote)
  await sameAsSeen(ctx, input)(quote)
  await requestChanges(ctx, quote, input.note)
  return quotePage(ctx, input.guid)
}

/** Staff who open the customer's page are no customers: only guests count. */
async function viewed(ctx: Ctx, input: Input<Api['viewed']>) {
  const { kind, recordGuid } = await lookUpLink(ctx.db, input.guid)
  if (ctx.actor.kind !== 'guest' || kind === 'order') return { seen: kind === 'order' }
  const { numUpdatedRows } = await noteView(ctx.db, kind === 'quote' ? 'quotes' : 'invoices', recordGuid, ctx.now)
  if (numUpdatedRows === 0n) throw notFound()
  return { seen: true }
}

async function quotePdf(ctx: Ctx, input: Input<Api['quotePdf']>) {
  const row = await findServiceQuote(ctx.db, input.guid)
  if (!row) throw notFound()
  return renderPdf(ctx, 'quote', row.guid)
}

export const serviceQuotes: Pick<
  Handlers<Api>,
  'quote' | 'price' | 'photo' | 'accept' | 'decline' | 'question' | 'viewed' | 'quotePdf'
> = {
  quote: (ctx, input) => quotePage(ctx, input.guid),
  price,
  photo,
  accept,
  decline,
  question,
  viewed,
  quotePdf,
}
