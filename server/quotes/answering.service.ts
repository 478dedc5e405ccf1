import {
  AppError,
  type FieldError,
  forbidden,
  invalid,
  invalidTransition,
  refuseFields,
} from '../../contract/core/errors.ts'
import { centsToDecimal, isText } from '../../contract/core/money.ts'
import type { Input } from '../../contract/core/op.ts'
import { type AnswerInput, type Ask, isCounterOffer } from '../../contract/negotiation.ts'
import { type Quote, quotesApi } from '../../contract/quotes.ts'
import type { Ctx } from '../core/ctx.ts'
import { may } from '../core/http/permission.ts'
import { stamp, userOf } from '../core/records.ts'
import { priced422, repriceLines, wholeLine } from '../documents/lines.service.ts'
import { queueDocumentMessage } from '../messages/messages.service.ts'
import { binding, changedLines, type LineChanges, move, pricedOr, settledStatus } from './asks.service.ts'
import { makeRevision } from './drafts.ts'
import { mustSee } from './evidence.service.ts'
import { keepFrame } from './frames.service.ts'
import { guestQuoteOf, type GuestQuoteRow } from './guest-page.service.ts'
import { askedLines } from './questions.service.ts'
import { allow, facts, lockVisibleQuote, one, type QuoteRow, sameVersion } from './quote.service.ts'
import { findLines } from './quotes.queries.ts'
import { sendQuote } from './quotes.transitions.ts'

type Api = typeof quotesApi

const nameOf = (ctx: Ctx) => (ctx.actor.kind === 'user' ? ctx.actor.name : '')

/** What is wrong with answers, each by where it was sent. */
function problemsOf(answers: readonly AnswerInput[], asks: readonly Ask[]): FieldError[] {
  return answers.flatMap((answer, i): FieldError[] => {
    const at = (field: string, message: string) => [{ path: `answers.${i}.${field}`, message }]
    const ask = asks.find(({ guid }) => guid === answer.askGuid)
    if (!ask || ask.answer) return at('askGuid', 'This request has been answered or withdrawn.')
    if (answers.findIndex(({ askGuid }) => askGuid === answer.askGuid) < i)
      return at('askGuid', 'This is listed twice.')
    const offers = Boolean(answer.quantity) || typeof answer.unitPriceCents === 'number'
    if (answer.outcome === 'countered' && !isCounterOffer(ask)) return at('outcome', 'Answer a comment with a text.')
    if (answer.outcome === 'countered' && !offers) return at('quantity', 'Enter another quantity or price.')
    if (answer.outcome !== 'countered' && offers) return at('outcome', 'Choose “Counter” to offer something else.')
    return isCounterOffer(ask) || answer.text ? [] : at('text', 'This field is required.')
  })
}

const keep = (ctx: Ctx, answers: readonly AnswerInput[]) =>
  ctx.db
    .insertInto('quoteAnswers')
    .values(
      answers.map((answer) => ({
        askGuid: answer.askGuid,
        outcome: answer.outcome,
        body: answer.text || null,
        quantity: answer.quantity || null,
        unitPriceCents: answer.unitPriceCents ?? null,
        answeredAt: ctx.now,
        answeredBy: userOf(ctx),
      })),
    )
    .execute()

/** Answers some of the asks of a locked quote; it stands as it was sent once nothing waits and nothing was agreed. */
async function keepAnswers(ctx: Ctx, quote: QuoteRow, before: readonly Ask[], answers: readonly AnswerInput[]) {
  await keep(ctx, answers)
  const asks = before.map((ask) => {
    const answer = answers.find(({ askGuid }) => askGuid === ask.guid)
    return answer ? answeredAs(ctx, ask, answer) : ask
  })
  const status = settledStatus(quote, asks)
  await move(ctx, quote, status)
  const said = answers.map(({ askGuid, outcome, text, quantity, unitPriceCents }) => ({
    askGuid,
    outcome,
    text: text || null,
    quantity: quantity || null,
    unitPriceCents: unitPriceCents ?? null,
  }))
  ctx.audit({
    action: 'quote.answered',
    entity: 'Quotes',
    guid: quote.guid,
    before: { status: quote.status },
    after: { ...facts(quote), status, answers: said },
  })
  await keepFrame(ctx, quote.guid, { reason: 'answered', by: nameOf(ctx), facts: { answers: said } })
  return { quote: { ...quote, status, version: quote.version + 1 }, asks }
}

/** Prices are the catalogue's to whoever may not set others. */
async function mustSetPrices(ctx: Ctx, quote: QuoteRow, answers: readonly AnswerInput[], asks: readonly Ask[]) {
  const index = answers.findIndex(({ unitPriceCents }) => typeof unitPriceCents === 'number')
  if (index < 0 || may(ctx.actor, 'update', 'Quotes:Price')) return
  const lineGuid = asks.find(({ guid }) => guid === answers[index]?.askGuid)?.lineGuid
  const line = (await findLines(ctx.db, quote.guid)).find(({ guid }) => guid === lineGuid)
  const message = `Your role uses catalogue prices. This line is $${centsToDecimal(line?.unitPriceCents ?? 0)}.`
  throw new AppError('FORBIDDEN', message, { fields: [{ path: `answers.${index}.unitPriceCents`, message }] })
}

/** What is offered instead has to have room in a document. */
function mustHaveRoom(ctx: Ctx, page: GuestQuoteRow, answers: readonly AnswerInput[]) {
  const offered = askedLines(page)
  answers.forEach((answer, i) => {
    const ask = page.asks.find(({ guid }) => guid === answer.askGuid)
    if (!ask || answer.outcome !== 'countered') return
    const field = answer.quantity ? 'quantity' : 'unitPriceCents'
    const lines = changedLines(ctx, page, offered, agreedOf([answeredAs(ctx, ask, answer)]))
    pricedOr(
      () => invalid(`answers.${i}.${field}`, 'Enter a smaller quantity or price.'),
      () => repriceLines(lines, page),
    )
  })
}

/** An ask as it will be with an answer. */
const answeredAs = (
  { now }: Pick<Ctx, 'now'>,
  ask: Ask,
  { outcome, quantity = null, unitPriceCents = null }: AnswerInput,
): Ask => ({ ...ask, answer: { outcome, quantity, unitPriceCents, text: null, by: null, at: now.toISOString() } })

/** What was agreed on lines of a revision, as the next one has it: the last word on a line counts. */
function agreedOf(asks: readonly Ask[]): LineChanges {
  const quantities = new Map<string, string>()
  const unitPrices = new Map<string, number>()
  const dropped = new Set<string>()
  for (const { kind, lineGuid, quantity, answer } of asks) {
    if (!lineGuid || !answer) continue
    const isAgreed = answer.outcome === 'agreed'
    if (isAgreed && kind === 'drop') dropped.add(lineGuid)
    else dropped.delete(lineGuid)
    const now = isAgreed ? quantity : answer.quantity
    if (now) quantities.set(lineGuid, now)
    if (answer.unitPriceCents !== null) unitPrices.set(lineGuid, answer.unitPriceCents)
  }
  return { quantities, unitPrices, dropped }
}

/** The lines with what was agreed, where something was. */
async function agreedLines(ctx: Ctx, quote: QuoteRow, asks: readonly Ask[]) {
  if (asks.length === 0) return undefined
  return changedLines(ctx, quote, (await findLines(ctx.db, quote.guid)).map(wholeLine), agreedOf(asks))
}

/** The next revision, with what was agreed on this one. Throws INVALID_TRANSITION while something waits. */
async function reviseAsAgreed(ctx: Ctx, quote: QuoteRow, all: Ask[]): Promise<string> {
  const asks = binding({ asks: all, revision: quote.revision })
  if (asks.some(({ answer }) => answer === null)) throw invalidTransition('Answer the other requests first.')
  const lines = await agreedLines(ctx, quote, asks)
  if (!lines) throw invalidTransition('Nothing was agreed that a revision could hold.')
  if (!lines.some((line) => !isText(line))) throw invalid('answers', 'At least one line with a price has to stay.')
  return makeRevision(ctx, quote, lines)
}

/** The next revision as a draft, with what was agreed on this one; what still waits is decided by sending it. */
export async function reviseQuote(ctx: Ctx, input: Input<Api['revise']>) {
  const from = await lockVisibleQuote(ctx, input.guid)
  allow('revise', from)
  await sameVersion(ctx, from, input.version)
  const agreed = binding(await guestQuoteOf(ctx.db, from.guid)).filter(({ answer }) => answer !== null)
  const revision = await makeRevision(ctx, from, await agreedLines(ctx, from, agreed))
  // Whoever answers at the same moment would answer what the revision no longer holds.
  await ctx.db.updateTable('quotes').set(stamp(ctx, from.version)).where('guid', '=', from.guid).execute()
  return one(ctx, revision)
}

export async function answerAsks(ctx: Ctx, { guid, version, answers, then }: Input<Api['answer']>) {
  const quote = await lockVisibleQuote(ctx, guid)
  allow('answer', quote)
  await sameVersion(ctx, quote, version)
  if (then === 'send' && !may(ctx.actor, ...quotesApi.send.can)) throw forbidden()
  const page = await guestQuoteOf(ctx.db, guid)
  const { asks } = page
  const fields = problemsOf(
    answers,
    asks.filter((ask) => ask.revision === quote.revision),
  )
  refuseFields(fields)
  if (answers.length === 0 && then === 'nothing') throw invalid('answers', 'Answer at least one request.')
  await mustSetPrices(ctx, quote, answers, asks)
  mustHaveRoom(ctx, page, answers)
  const answered = answers.length > 0 ? await keepAnswers(ctx, quote, asks, answers) : { quote, asks }
  if (then === 'nothing') {
    await tellCustomer(ctx, quote)
    return { ...(await one(ctx, guid)), revision: null }
  }
  const revision = await reviseAsAgreed(ctx, answered.quote, answered.asks)
  if (then === 'send') await sendQuote(ctx, { guid: revision, version: 1 })
  return { ...(await one(ctx, guid)), revision: (await one(ctx, revision)).quote }
}

/** One word by email that there are answers on the page; none where nobody has an address. */
const tellCustomer = (ctx: Ctx, { guid }: QuoteRow) =>
  queueDocumentMessage(ctx, { template: 'quote_answered', ownerType: 'quote', ownerGuid: guid, quietly: true })

/** What answers would come to, each alone and all together with what was agreed before. */
export async function previewAnswers(ctx: Ctx, { guid, answers }: Input<Api['answerPreview']>) {
  await mustSee(ctx, guid)
  const page = await guestQuoteOf(ctx.db, guid)
  const lines = askedLines(page)
  const totalOf = (asks: readonly Ask[]) =>
    priced422(() => repriceLines(changedLines(ctx, page, lines, agreedOf(asks)), page)).totals.totalCents
  const given = answers.flatMap((answer): Ask[] => {
    const ask = page.asks.find(({ guid: known }) => known === answer.askGuid)
    if (!ask || ask.answer || ask.revision !== page.revision) return []
    return [answeredAs(ctx, ask, answer)]
  })
  const offered = totalOf([])
  return {
    totalCents: totalOf([...binding(page).filter(({ answer }) => answer !== null), ...given]),
    effects: given.map((ask) => ({ askGuid: ask.guid, effectCents: totalOf([ask]) - offered })),
  }
}

/** Declines whatever waits with one text: the quote stands as it was sent. */
export async function replyToAsks(ctx: Ctx, { guid, version, text }: Input<Api['reply']>): Promise<{ quote: Quote }> {
  const quote = await lockVisibleQuote(ctx, guid)
  const { to: status } = allow('reply', quote)
  await sameVersion(ctx, quote, version)
  const page = await guestQuoteOf(ctx.db, guid)
  const agreed = binding(page).some(({ answer }) => answer !== null)
  if (agreed) throw invalidTransition('Some requests were agreed. Send a revision.')
  const open = page.asks.filter((ask) => ask.answer === null && ask.revision === quote.revision)
  if (open.length > 0) {
    const outcomeOf = (ask: Ask) => (isCounterOffer(ask) ? ('declined' as const) : ('agreed' as const))
    await keepAnswers(
      ctx,
      quote,
      page.asks,
      open.map((ask) => ({ askGuid: ask.guid, outcome: outcomeOf(ask), text })),
    )
    await tellCustomer(ctx, quote)
    return one(ctx, guid)
  }
  // Changes that were asked for before there were single requests.
  await move(ctx, quote, status)
  ctx.audit({
    action: 'quote.answered',
    entity: 'Quotes',
    guid,
    before: { status: quote.status },
    after: { ...facts(quote), status, note: text },
  })
  await keepFrame(ctx, guid, { reason: 'answered', by: nameOf(ctx), facts: { text } })
  await tellCustomer(ctx, quote)
  return one(ctx, guid)
}
