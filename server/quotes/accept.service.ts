import { invalid, invalidTransition, refuseFields } from '../../contract/core/errors.ts'
import type { QuoteTotals } from '../../contract/lines.ts'
import type { acceptMethods, Signature } from '../../contract/quotes.ts'
import { mustDecode, pngSize } from '../core/images.ts'
import { today } from '../businesses/businesses.service.ts'
import type { Ctx } from '../core/ctx.ts'
import { mustNotBeBlocked } from '../customers/credit.service.ts'
import { notify } from '../core/notices.ts'
import { stamp } from '../core/records.ts'
import { acceptedDocument, snapshotOf } from '../documents/documents.service.ts'
import { asRow, isChoice, wholeLine } from '../documents/lines.service.ts'
import { type Choice, pricedChoice, withChoice } from './choice.service.ts'
import { keepFrame } from './frames.service.ts'
import { type GuestQuoteRow, guestQuoteOf } from './guest-page.service.ts'
import { allow, facts, lockQuote, type QuoteRow } from './quote.service.ts'
import { marginColumns } from './margin.ts'
import { findLines, replaceLines, saveChoices } from './quotes.queries.ts'

export interface Acceptance {
  name: string
  method: (typeof acceptMethods)[number]
  note?: string | null | undefined
  signature?: Signature | null | undefined
  /** What was chosen; what the quote proposes when not given. */
  choice: Choice
  /** Whether the questions of lines were put to whoever accepts: he leaves none open that needs an answer. */
  isAsked: boolean
  /** Refuses another choice or other amounts than the customer was shown. */
  sameChoice?: (choiceSha256: string, totals: QuoteTotals) => Promise<void>
  /** Refuses another state than the caller saw with the record as this caller may see it. */
  sameAs: (row: QuoteRow) => Promise<void>
}

const maxSignatureBytes = 200 * 1024
const maxSignaturePixels = 4000

/** Before the quote is locked: drawing it takes a moment, and others wait for the quote. */
export async function checkSignature(signature: Signature | null | undefined): Promise<void> {
  if (signature?.method !== 'drawn') return
  const bytes = Buffer.from(signature.png, 'base64')
  const size = pngSize(bytes)
  if (!size || size.width > maxSignaturePixels || size.height > maxSignaturePixels)
    throw invalid('signature.png', 'Use a PNG image.')
  if (bytes.length > maxSignatureBytes) throw invalid('signature.png', 'Use an image of 200 KB or less.')
  await mustDecode(bytes, invalid('signature.png', 'Use a PNG image.'))
}

/**
 * Accepts a quote with the choice made, under the lock that lets exactly one caller do it. The totals of the quote
 * become those of the choice; the acceptance is bound to the hash of what was sent.
 */
export async function acceptQuote(ctx: Ctx, quoteGuid: string, input: Acceptance): Promise<QuoteRow> {
  const quote = await lockQuote(ctx, quoteGuid)
  const { to: status } = allow('accept', quote)
  await mustNotBeBlocked(ctx, quote.customerGuid)
  const business = await ctx.workFor(quote.businessGuid)
  if (quote.validUntil !== null && quote.validUntil < today(business, ctx.now))
    throw invalidTransition('This quote has expired. Please ask for a new one.')
  await input.sameAs(quote)
  const page = await guestQuoteOf(ctx.db, quoteGuid)
  const offered = (await findLines(ctx.db, quoteGuid)).map(wholeLine)
  const chosen = await withChoice(ctx, quote, offered, input.choice)
  if (input.isAsked) refuseFields(chosen.problems)
  const priced = pricedChoice(chosen.lines, quote)
  if (priced.totals.totalCents < 0) throw invalid('selectedLineGuids', 'The total can’t be below zero.')
  await input.sameChoice?.(priced.choiceSha256, priced.totals)
  if (chosen.isChanged) await replaceLines(ctx.db, quoteGuid, priced.lines.map(asRow))
  else if (input.choice.selectedLineGuids) await saveChoices(ctx.db, quoteGuid, priced.lines)
  const evidenceSha256 = await keepAccepted(ctx, quote, input, { page, priced })
  const accepted = {
    ...priced.totals,
    ...marginColumns({ rows: priced.lines, amounts: priced.amounts }),
    status,
    acceptance: JSON.stringify({ ...acceptanceOf(ctx, quote, input), evidenceSha256 }),
    ...stamp(ctx, quote.version),
  }
  await ctx.db.updateTable('quotes').set(accepted).where('guid', '=', quoteGuid).execute()
  if (chosen.isChanged) await freezeAgain(ctx, quoteGuid, { ...acceptanceOf(ctx, quote, input), evidenceSha256 })
  const after = { ...quote, ...priced.totals, status, version: quote.version + 1 }
  ctx.audit({
    action: 'quote.accepted',
    entity: 'Quotes',
    guid: quoteGuid,
    before: { status: quote.status, totalCents: quote.totalCents },
    after: {
      ...facts(after),
      status,
      name: input.name,
      method: input.method,
      note: input.note || null,
      selectedLineGuids: priced.lines
        .filter((l) => isChoice(l) && l.isSelected && l.parentLineGuid === null)
        .map((l) => l.guid),
    },
  })
  if (ctx.actor.kind !== 'user')
    await notify(ctx, {
      kind: 'quote.accepted',
      noun: 'Quotes',
      recordGuid: quoteGuid,
      event: `quote.accepted:${quoteGuid}`,
      values: { ...facts(after), name: input.name },
    })
  return after
}

/** What was before the eyes of whoever accepts, with his choice and what it comes to. */
function keepAccepted(
  ctx: Ctx,
  quote: QuoteRow,
  { name, method, choice }: Acceptance,
  { page, priced }: { page: GuestQuoteRow; priced: ReturnType<typeof pricedChoice> },
): Promise<string> {
  const { totals, depositCents, choiceSha256 } = priced
  const selectedLineGuids = priced.lines
    .filter((line) => isChoice(line) && line.isSelected && line.parentLineGuid === null)
    .map((line) => line.guid)
  const { answers = [], quantities = [] } = choice
  return keepFrame(ctx, quote.guid, {
    reason: 'accepted',
    by: name,
    page,
    beside: { choice: { selectedLineGuids, answers, quantities }, totals, depositCents, choiceSha256 },
    facts: { method, totalCents: totals.totalCents },
  })
}

/** What was agreed to, frozen beside what was sent: with the answers the customer gave, and the amounts they make. */
async function freezeAgain(ctx: Ctx, quoteGuid: string, accepted: ReturnType<typeof acceptanceOf>) {
  const { snapshot, snapshotSha256 } = snapshotOf(await acceptedDocument(ctx.db, quoteGuid))
  const document = JSON.parse(snapshot) as unknown
  const acceptance = JSON.stringify({ ...accepted, document, acceptedSha256: snapshotSha256 })
  await ctx.db.updateTable('quotes').set({ acceptance }).where('guid', '=', quoteGuid).execute()
}

function acceptanceOf(ctx: Ctx, quote: QuoteRow, input: Acceptance): NonNullable<QuoteRow['acceptance']> {
  if (!quote.snapshotSha256) throw new Error('a sent quote has no snapshot')
  return {
    method: input.method,
    name: input.name,
    at: ctx.now.toISOString(),
    recordedBy: ctx.actor.kind === 'user' ? ctx.actor.name : null,
    note: input.note || null,
    ip: ctx.request.ip,
    userAgent: ctx.request.userAgent,
    documentSha256: quote.snapshotSha256,
    signature: input.signature ?? null,
  }
}

/** The order is made: an accepted quote has done its work. */
export async function markConverted(ctx: Ctx, quoteGuid: string): Promise<QuoteRow> {
  const quote = await lockQuote(ctx, quoteGuid)
  const { to: status } = allow('convert', quote)
  await ctx.db
    .updateTable('quotes')
    .set({ status, ...stamp(ctx, quote.version) })
    .where('guid', '=', quoteGuid)
    .execute()
  ctx.audit({
    action: 'quote.converted',
    entity: 'Quotes',
    guid: quoteGuid,
    before: { status: quote.status },
    after: { ...facts(quote), status },
  })
  return { ...quote, status, version: quote.version + 1 }
}
