import type { SharedFile } from '../../contract/files.ts'
import { z } from 'zod'
import type { PublicBusiness } from '../../contract/businesses.ts'
import { displayStatus } from '../../contract/display-status.ts'
import { notFound, stale } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { serviceQuote, type serviceApi, type ServiceQuote } from '../../contract/service.ts'
import { acceptAndConvert } from '../acceptance/acceptance.service.ts'
import { publicBusiness, today } from '../businesses/businesses.service.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { sharedFiles } from '../files/files.service.ts'
import { renderPdf } from '../documents/documents.service.ts'
import { depositOf } from '../documents/lines.service.ts'
import { jobTypeOfPage } from '../job-types/job-strings.service.ts'
import { checkSignature } from '../quotes/accept.service.ts'
import { declineQuote, requestChanges } from '../quotes/quotes.service.ts'
import { allow, lockQuote, type QuoteRow } from '../quotes/quote.service.ts'
import { findByLink, lookUpLink } from '../service-links/service-links.service.ts'
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

async function accept(ctx: Ctx, input: Input<Api['accept']>) {
  const { name, signature, selectedLineGuids } = input
  await checkSignature(signature)
  const { guid: quoteGuid } = await lockedByLink(ctx, input.guid)
  const method = ctx.actor.kind === 'user' ? 'in_person' : 'guest'
  const { quote, order, invoice } = await acceptAndConvert(ctx, quoteGuid, {
    name,
    signature,
    selectedLineGuids,
    method,
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

export const serviceQuotes: Pick<Handlers<Api>, 'quote' | 'accept' | 'decline' | 'question' | 'viewed' | 'quotePdf'> = {
  quote: (ctx, input) => quotePage(ctx, input.guid),
  accept,
  decline,
  question,
  viewed,
  quotePdf,
}
