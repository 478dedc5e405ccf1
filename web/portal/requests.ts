import { type AskInput, isCounterOffer, type LineQuantity, maxAsks } from '../../contract/negotiation.ts'
import { trimQuantity } from '../../contract/lines.ts'
import { isWithin, rangeOfLine } from '../../contract/quantity-range.ts'
import type { ServiceQuote } from '../../contract/service-quotes.ts'
import { originOf } from './kept-choice.ts'
import type { ServiceLine } from './shown-lines.ts'

export type ServiceAsk = ServiceQuote['asks'][number]

/** What is asked of a line, as it was typed; its line is the one it began as. */
interface RequestFacts {
  origin: string
  text: string
}
export type Request = RequestFacts & ({ kind: 'comment' } | { kind: 'drop' } | { kind: 'quantity'; quantity: string })

/** Requests with one more: of a line one other quantity or its end is asked for, the last of them. */
export function withRequest(requests: readonly Request[], request: Request): Request[] {
  const left = isCounterOffer(request)
    ? requests.filter((one) => one.origin !== request.origin || !isCounterOffer(one))
    : requests
  return [...left, request].slice(-maxAsks)
}

/** What a customer chose otherwise than it was offered: quantities that he moved, and the rest in words. */
export interface Choice {
  moved: readonly LineQuantity[]
  words: string
}
export const noChoice: Choice = { moved: [], words: '' }

/**
 * Requests as they are sent, of lines that are still there. While counter-offers wait nobody can sign what he chose, so
 * what was chosen goes along with them.
 */
export function asksOf(
  requests: readonly Request[],
  lines: readonly ServiceLine[],
  { moved, words }: Choice,
): AskInput[] {
  const asked = askedOf(requests, lines)
  if (!asked.some(isCounterOffer)) return asked
  const named = new Set(asked.flatMap((ask) => (isCounterOffer(ask) ? [ask.lineGuid] : [])))
  const along = moved
    .filter(({ lineGuid }) => !named.has(lineGuid))
    .map((one) => ({ kind: 'quantity' as const, ...one }))
  const said = words === '' ? [] : [{ kind: 'comment' as const, text: words }]
  return [...asked, ...along, ...said].slice(0, maxAsks)
}

const askedOf = (requests: readonly Request[], lines: readonly ServiceLine[]): AskInput[] =>
  requests.flatMap((request): AskInput[] => {
    const line = lines.find((one) => one.parentLineGuid === null && originOf(one) === request.origin)
    if (!line) return []
    const { kind, text } = request
    if (kind === 'comment') return [{ kind, lineGuid: line.guid, text }]
    const asked = kind === 'quantity' ? { kind, quantity: request.quantity } : { kind }
    return [{ ...asked, lineGuid: line.guid, ...(text ? { text } : {}) }]
  })

/** Why another quantity makes no sense on a line; null where it does. While nobody can sign, all are asked for. */
export function quantityProblem(
  line: ServiceLine,
  quantity: string,
  isWaiting: boolean,
): 'missing' | 'same' | 'yours' | null {
  if (!/[1-9]/.test(quantity)) return 'missing'
  const range = rangeOfLine(line)
  if (!isWaiting && range && isWithin(quantity, range)) return 'yours'
  return trimQuantity(quantity) === trimQuantity(line.quantity) ? 'same' : null
}

/** Those that are waited for, of the revision that is shown. */
export const openOffers = ({ asks, revision }: Pick<ServiceQuote, 'asks' | 'revision'>): ServiceAsk[] =>
  asks.filter((ask) => isCounterOffer(ask) && ask.answer === null && ask.revision === revision)

/** What was taken back is over. */
export const isTold = ({ answer }: ServiceAsk): boolean => answer?.outcome !== 'withdrawn'

export interface Update {
  /** The revision that came, if one did. */
  revision: number | null
  /** How many requests were answered. */
  answered: number
}

/**
 * What happened to an open quote since somebody began to read it, but for what he did himself; null for nothing, and
 * where it is decided.
 */
export function updateSince(before: ServiceQuote, now: ServiceQuote): Update | null {
  if (now.status !== 'sent' && now.status !== 'changes_requested') return null
  const open = new Set(before.asks.filter(({ answer }) => answer === null).map(({ guid }) => guid))
  const known = new Set(before.asks.map(({ guid }) => guid))
  const answered = now.asks.filter(
    (ask) => ask.answer !== null && isTold(ask) && (open.has(ask.guid) || !known.has(ask.guid)),
  )
  const revision = now.documentSha256 === before.documentSha256 ? null : now.revision
  return revision === null && answered.length === 0 ? null : { revision, answered: answered.length }
}
