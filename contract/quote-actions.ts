import { leadsFrom } from './core/transitions.ts'
import { isCounterOffer, type Ask } from './negotiation.ts'
import { quoteTransitions, type Quote } from './quotes.ts'

export type QuoteDeed = Exclude<keyof typeof quoteTransitions, 'requestChanges' | 'withdraw' | 'update' | 'reissueLink'>
/** Why not, as a word that the screens have a phrase for. */
export type QuoteRefusal =
  | 'archived'
  | 'notDraft'
  | 'noLines'
  | 'notSent'
  | 'expired'
  | 'notAcceptable'
  | 'notDeclinable'
  | 'superseded'
  | 'notAccepted'
  | 'isDraft'
  | 'isCancelled'
  | 'notRevisable'
  | 'revisedAlready'
  | 'cancelledAlready'
  | 'notCancellable'
  | 'hasRequests'
  | 'noRequests'
  | 'nothingAgreed'
  | 'wasAgreed'

type Facts = Pick<Quote, 'status' | 'displayStatus' | 'revision' | 'nextRevisionGuid' | 'archivedAt'> & {
  lines: readonly { kind: string }[]
  asks: readonly Pick<Ask, 'kind' | 'revision' | 'answer'>[]
}

/** What its customer asked of this revision and nobody has answered, the oldest first; none once it is decided. */
export const openAsks = <A extends Pick<Ask, 'revision' | 'answer'>>(
  quote: Pick<Quote, 'status' | 'revision'> & { asks: readonly A[] },
): A[] =>
  leadsFrom(quoteTransitions, 'answer', quote.status)
    ? quote.asks.filter(({ answer, revision }) => answer === null && revision === quote.revision)
    : []

/** What was agreed on this revision: it waits for the next one to be sent. */
export const isAgreed = ({ asks, revision }: Pick<Facts, 'asks' | 'revision'>): boolean =>
  asks.some(
    (ask) =>
      isCounterOffer(ask) &&
      ask.revision === revision &&
      (ask.answer?.outcome === 'agreed' || ask.answer?.outcome === 'countered'),
  )

/** What is said where the table of statuses does not lead on: of some statuses, and of all others. */
const byStatus: Record<QuoteDeed, Partial<Record<Quote['status'], QuoteRefusal>> & { others: QuoteRefusal }> = {
  send: { others: 'notDraft' },
  accept: { superseded: 'superseded', draft: 'notSent', others: 'notAcceptable' },
  decline: { superseded: 'superseded', others: 'notDeclinable' },
  convert: { others: 'notAccepted' },
  revise: { superseded: 'superseded', draft: 'isDraft', cancelled: 'isCancelled', others: 'notRevisable' },
  cancel: { superseded: 'superseded', cancelled: 'cancelledAlready', others: 'notCancellable' },
  answer: { superseded: 'superseded', draft: 'notSent', others: 'noRequests' },
  reply: { superseded: 'superseded', draft: 'notSent', others: 'noRequests' },
}

/** Why a deed cannot be done with a quote now; null when it can. */
export function quoteRefusal(deed: QuoteDeed, quote: Facts): QuoteRefusal | null {
  if (quote.archivedAt !== null) return 'archived'
  if (!leadsFrom(quoteTransitions, deed, quote.status)) return byStatus[deed][quote.status] ?? byStatus[deed].others
  if (deed === 'send' && quote.lines.every(({ kind }) => kind === 'section' || kind === 'text')) return 'noLines'
  if (deed === 'accept' && quote.displayStatus === 'expired') return 'expired'
  if (deed === 'revise' && quote.nextRevisionGuid) return 'revisedAlready'
  if (deed === 'answer' && openAsks(quote).length === 0) return 'noRequests'
  if (deed === 'reply' && isAgreed(quote)) return 'wasAgreed'
  return null
}

/** Why the revision that was agreed on cannot be made and sent now. */
export function sendRevisionRefusal(quote: Facts): QuoteRefusal | null {
  const refusal = quoteRefusal('revise', quote)
  if (refusal) return refusal
  if (!isAgreed(quote)) return 'nothingAgreed'
  return openAsks(quote).some(isCounterOffer) ? 'hasRequests' : null
}

/** What one comes to a quote for, as far as it is; nothing once its order was made or another took its place. */
export type NextQuoteDeed = 'send' | 'accept' | 'answer' | 'sendRevision' | 'convert' | 'revise'
export function nextQuoteDeed(quote: Facts): NextQuoteDeed | null {
  const { status } = quote
  if (status === 'draft') return 'send'
  if (status === 'accepted') return 'convert'
  if (status === 'declined') return 'revise'
  if (status !== 'sent' && status !== 'changes_requested') return null
  if (openAsks(quote).length > 0) return 'answer'
  if (status === 'changes_requested') return isAgreed(quote) ? 'sendRevision' : 'revise'
  return quote.displayStatus === 'expired' ? 'revise' : 'accept'
}
