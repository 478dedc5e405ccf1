import { AppError, conflict, type FieldError, invalid, refuseFields } from '../../contract/core/errors.ts'
import { isText } from '../../contract/core/money.ts'
import { trimQuantity } from '../../contract/lines.ts'
import type { Ask, AskInput } from '../../contract/negotiation.ts'
import { isCounterOffer } from '../../contract/negotiation.ts'
import { isWithin, rangeOfLine } from '../../contract/quantity-range.ts'
import type { Ctx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { notify } from '../core/notices.ts'
import { stamp } from '../core/records.ts'
import { priced422, repriceLines } from '../documents/lines.service.ts'
import { noRange } from '../documents/quantity-range.service.ts'
import { withOneOfEach } from './choosing.ts'
import { keepFrame } from './frames.service.ts'
import { answerLines, type AskedLine, withAnswers } from './guest-answers.service.ts'
import { guestQuoteOf, type GuestQuoteRow } from './guest-page.service.ts'
import { askedLines } from './questions.service.ts'
import { allow, facts, type QuoteRow } from './quote.service.ts'

type Pricing = Pick<QuoteRow, 'priceMode' | 'roundingRule' | 'discount'>
const isOpen = (ask: Ask) => ask.answer === null

/** Other quantities and prices of lines, and lines that are left out. */
export interface LineChanges {
  quantities: ReadonlyMap<string, string>
  /** In the document's price mode. */
  unitPrices?: ReadonlyMap<string, number>
  dropped?: ReadonlySet<string>
}

/** Lines with some of them changed, by what was offered alone; those below a line go with it. */
export function changedLines(
  ctx: Pick<Ctx, 'actor' | 'now'>,
  quote: Pick<QuoteRow, 'priceMode'>,
  lines: readonly AskedLine[],
  { quantities, unitPrices = new Map(), dropped = new Set() }: LineChanges,
): AskedLine[] {
  const left = withOneOfEach(lines.filter(({ guid, parentLineGuid }) => !dropped.has(parentLineGuid ?? guid)))
  const answered = answerLines(ctx, quote, left, [], quantities)
  return withAnswers(left, answered, quantities).map((line) => {
    const unitPriceCents = unitPrices.get(line.guid)
    const priced = unitPriceCents === undefined ? line : { ...line, unitPriceCents, isPriceManual: true }
    // A quantity beyond what was offered is agreed: it is no longer the customer's to choose.
    const range = rangeOfLine(line)
    return range && !isWithin(line.quantity, range) ? { ...priced, ...noRange } : priced
  })
}

/** Prices what is asked or offered; more than a document may hold is refused at its field. */
export function pricedOr<T>(refusal: () => AppError, price: () => T): T {
  try {
    return priced422(price)
  } catch (error) {
    throw error instanceof AppError && error.cause instanceof RangeError ? refusal() : error
  }
}

/** What an ask alone would change of the total, GST included; null of a comment. */
function effectOf(ctx: Ctx, quote: QuoteRow, lines: readonly AskedLine[], ask: AskInput): number | null {
  if (ask.kind === 'comment') return null
  const totalOf = (all: readonly AskedLine[]) => repriceLines(all, quote as Pricing).totals.totalCents
  const quantities = new Map(ask.kind === 'quantity' ? [[ask.lineGuid, ask.quantity]] : [])
  const dropped = new Set(ask.kind === 'drop' ? [ask.lineGuid] : [])
  return totalOf(changedLines(ctx, quote, lines, { quantities, dropped })) - totalOf(lines)
}

/**
 * What is wrong with asks, each by where it was sent. A quantity that the customer may choose is asked for only
 * together with something else that waits: alone it is signed as it was chosen.
 */
function problemsOf(lines: readonly AskedLine[], asks: readonly AskInput[], isWaiting: boolean): FieldError[] {
  const isOwn = (ask: AskInput) => {
    const range = rangeOfLine(lines.find(({ guid }) => guid === ask.lineGuid) ?? noRange)
    return ask.kind === 'quantity' && range !== null && isWithin(ask.quantity, range)
  }
  const isAccompanied = isWaiting || asks.some((ask) => isCounterOffer(ask) && !isOwn(ask))
  return asks.flatMap((ask, i): FieldError[] => {
    if (!ask.lineGuid) return []
    const line = lines.find(({ guid, parentLineGuid }) => guid === ask.lineGuid && parentLineGuid === null)
    if (!line || (isCounterOffer(ask) && isText(line)))
      return [{ path: `asks.${i}.lineGuid`, message: 'We can’t find that line.' }]
    const isTwice = asks.findIndex((one) => isCounterOffer(one) && one.lineGuid === ask.lineGuid) < i
    if (isCounterOffer(ask) && isTwice) return [{ path: `asks.${i}.lineGuid`, message: 'This is listed twice.' }]
    if (ask.kind !== 'quantity') return []
    if (isOwn(ask) && !isAccompanied)
      return [{ path: `asks.${i}.quantity`, message: 'You can choose this quantity on the quote yourself.' }]
    return trimQuantity(ask.quantity) === trimQuantity(line.quantity)
      ? [{ path: `asks.${i}.quantity`, message: 'Enter another quantity than the one on the quote.' }]
      : []
  })
}

/** What staff read of asks in a notice and on the timeline. */
function noteOf(lines: readonly AskedLine[], asks: readonly AskInput[]): string {
  const said = asks.map((ask) => {
    const line = lines.find(({ guid }) => guid === ask.lineGuid)
    const wanted = ask.kind === 'quantity' ? trimQuantity(ask.quantity) : ask.kind === 'drop' ? '0' : null
    const about = line && wanted !== null ? `${line.name} ${trimQuantity(line.quantity)} → ${wanted}` : line?.name
    return [about, ask.text].filter(Boolean).join(': ')
  })
  return said.join('; ').slice(0, 400)
}

/** Answers of the customer's own: he takes back what nobody has answered. */
const withdrawn = (ctx: Ctx, askGuids: readonly string[]) =>
  ctx.db
    .insertInto('quoteAnswers')
    .values(askGuids.map((askGuid) => ({ askGuid, outcome: 'withdrawn' as const, answeredAt: ctx.now })))
    .execute()

/** Keeps what a customer asks of a locked quote. Throws VALIDATION_FAILED by `asks.<i>.<field>`. */
export async function putAsks(ctx: Ctx, quote: QuoteRow, asks: readonly AskInput[], by: string): Promise<void> {
  allow('requestChanges', quote)
  const page = await guestQuoteOf(ctx.db, quote.guid)
  const lines = askedLines(page)
  const fields = problemsOf(lines, asks, quote.status === 'changes_requested')
  refuseFields(fields)
  const counterOffers = asks.filter(isCounterOffer)
  const replaced = page.asks.filter(
    (before) =>
      isOpen(before) && isCounterOffer(before) && counterOffers.some((one) => one.lineGuid === before.lineGuid),
  )
  if (replaced.length > 0)
    await withdrawn(
      ctx,
      replaced.map(({ guid }) => guid),
    )
  const rows = asks.map((ask, i) => ({
    guid: newGuid(),
    quoteGuid: quote.guid,
    lineGuid: ask.lineGuid ?? null,
    kind: ask.kind,
    body: ask.text || null,
    quantity: ask.kind === 'quantity' ? ask.quantity : null,
    effectCents: pricedOr(
      () => invalid(`asks.${i}.quantity`, 'Enter a smaller quantity.'),
      () => effectOf(ctx, quote, lines, ask),
    ),
    askedAt: ctx.now,
  }))
  await ctx.db.insertInto('quoteAsks').values(rows).execute()
  const status = counterOffers.length > 0 ? 'changes_requested' : quote.status
  await move(ctx, quote, status)
  const event = counterOffers.length > 0 ? 'quote.changes_requested' : 'quote.commented'
  const note = noteOf(lines, asks)
  ctx.audit({
    action: event,
    entity: 'Quotes',
    guid: quote.guid,
    before: { status: quote.status },
    after: { ...facts(quote), status, note, asks: rows.map(({ guid }) => guid) },
  })
  await keepFrame(ctx, quote.guid, {
    reason: 'asked',
    by,
    facts: { asks: rows.map(({ kind, lineGuid, body, quantity }) => ({ kind, lineGuid, text: body, quantity })) },
  })
  if (ctx.actor.kind !== 'user')
    await notify(ctx, {
      kind: event,
      noun: 'Quotes',
      recordGuid: quote.guid,
      event: `${event}:${quote.guid}:${quote.version}`,
      values: { ...facts(quote), note },
    })
}

/** Takes asks of a locked quote back. Throws CONFLICT where one was answered meanwhile. */
export async function withdrawAsks(ctx: Ctx, quote: QuoteRow, askGuids: readonly string[], by: string): Promise<void> {
  allow('requestChanges', quote)
  const page = await guestQuoteOf(ctx.db, quote.guid)
  const own = page.asks.filter(({ guid }) => askGuids.includes(guid))
  if (own.length < new Set(askGuids).size || !own.every(isOpen))
    throw conflict('A request has been answered or withdrawn already. Reload the page.')
  await withdrawn(
    ctx,
    own.map(({ guid }) => guid),
  )
  const left = page.asks.filter(({ guid }) => !askGuids.includes(guid))
  const status = settledStatus(quote, left)
  await move(ctx, quote, status)
  ctx.audit({
    action: 'quote.asks_withdrawn',
    entity: 'Quotes',
    guid: quote.guid,
    before: { status: quote.status },
    after: { ...facts(quote), status, asks: [...askGuids] },
  })
  await keepFrame(ctx, quote.guid, { reason: 'withdrawn', by, facts: { asks: [...askGuids] } })
}

/** Counter-offers that keep a revision from being accepted: open ones, and what was agreed but not sent yet. */
export const binding = ({ asks, revision }: Pick<GuestQuoteRow, 'asks' | 'revision'>): Ask[] =>
  asks.filter(
    (ask) =>
      isCounterOffer(ask) &&
      ask.revision === revision &&
      (isOpen(ask) || ask.answer?.outcome === 'agreed' || ask.answer?.outcome === 'countered'),
  )

/** How a quote stands once some of its asks were answered: as sent when nothing is left that waits or was agreed. */
export const settledStatus = (quote: QuoteRow, asks: Ask[]): QuoteRow['status'] =>
  quote.status === 'changes_requested' && binding({ asks, revision: quote.revision }).length === 0
    ? 'sent'
    : quote.status

export const move = (ctx: Ctx, quote: QuoteRow, status: QuoteRow['status']) =>
  ctx.db
    .updateTable('quotes')
    .set({ status, ...stamp(ctx, quote.version) })
    .where('guid', '=', quote.guid)
    .execute()
