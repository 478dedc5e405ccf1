import { AppError, invalid, invalidTransition, type FieldError } from '../../contract/core/errors.ts'
import type { Line } from '../../contract/lines.ts'
import type { acceptMethods, Signature } from '../../contract/quotes.ts'
import { mustDecode, pngSize } from '../core/images.ts'
import { today } from '../businesses/businesses.service.ts'
import type { Ctx } from '../core/ctx.ts'
import { mustNotBeBlocked } from '../customers/credit.service.ts'
import { notify } from '../core/notices.ts'
import { stamp } from '../core/records.ts'
import { isChoice, lineOf, repriceLines } from '../documents/lines.service.ts'
import { allow, facts, lockQuote, type QuoteRow } from './quote.service.ts'
import { findLines, saveChoices } from './quotes.queries.ts'

export interface Acceptance {
  name: string
  method: (typeof acceptMethods)[number]
  note?: string | null | undefined
  signature?: Signature | null | undefined
  /** The options and alternatives that were chosen; what the quote proposes when not given. */
  selectedLineGuids?: readonly string[] | undefined
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

/** The lines with the choice made: options as one likes, of alternatives exactly one each. */
function choose(lines: readonly Line[], selected: readonly string[] | undefined): Line[] {
  if (selected === undefined) return [...lines]
  const choices = new Set(lines.filter(isChoice).map((l) => l.guid))
  const fields = selected.flatMap((guid, i): FieldError[] =>
    choices.has(guid) ? [] : [{ path: `selectedLineGuids.${i}`, message: 'Choose an optional or alternative line.' }],
  )
  if (fields.length > 0) throw new AppError('VALIDATION_FAILED', undefined, { fields })
  const chosen = lines.map((l) => (isChoice(l) ? { ...l, isSelected: selected.includes(l.guid) } : l))
  const groups = Map.groupBy(
    chosen.filter((l) => l.alternativeGroup !== null),
    (l) => l.alternativeGroup,
  )
  for (const [group, members] of groups)
    if (members.filter((l) => l.isSelected).length !== 1)
      throw invalid('selectedLineGuids', `Choose one option in “${group}”.`)
  return chosen
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
  const lines = choose((await findLines(ctx.db, quoteGuid)).map(lineOf), input.selectedLineGuids)
  const priced = repriceLines(lines, quote)
  if (priced.totals.totalCents < 0) throw invalid('selectedLineGuids', 'The total can’t be below zero.')
  if (input.selectedLineGuids) await saveChoices(ctx.db, quoteGuid, priced.lines)
  const accepted = {
    ...priced.totals,
    status,
    acceptance: JSON.stringify(acceptanceOf(ctx, quote, input)),
    ...stamp(ctx, quote.version),
  }
  await ctx.db.updateTable('quotes').set(accepted).where('guid', '=', quoteGuid).execute()
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
      selectedLineGuids: priced.lines.filter((l) => isChoice(l) && l.isSelected).map((l) => l.guid),
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
