import { leadsFrom } from './core/transitions.ts'
import { quoteTransitions, type Quote } from './quotes.ts'

export type QuoteDeed = Exclude<
  keyof typeof quoteTransitions,
  'requestChanges' | 'answer' | 'reply' | 'withdraw' | 'update' | 'reissueLink'
>
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

type Facts = Pick<Quote, 'status' | 'displayStatus' | 'nextRevisionGuid' | 'archivedAt'> & {
  lines: readonly { kind: string }[]
}

/** What is said where the table of statuses does not lead on: of some statuses, and of all others. */
const byStatus: Record<QuoteDeed, Partial<Record<Quote['status'], QuoteRefusal>> & { others: QuoteRefusal }> = {
  send: { others: 'notDraft' },
  accept: { superseded: 'superseded', draft: 'notSent', others: 'notAcceptable' },
  decline: { superseded: 'superseded', others: 'notDeclinable' },
  convert: { others: 'notAccepted' },
  revise: { superseded: 'superseded', draft: 'isDraft', cancelled: 'isCancelled', others: 'notRevisable' },
  cancel: { superseded: 'superseded', cancelled: 'cancelledAlready', others: 'notCancellable' },
}

/** Why a deed cannot be done with a quote now; null when it can. */
export function quoteRefusal(deed: QuoteDeed, quote: Facts): QuoteRefusal | null {
  if (quote.archivedAt !== null) return 'archived'
  if (!leadsFrom(quoteTransitions, deed, quote.status)) return byStatus[deed][quote.status] ?? byStatus[deed].others
  if (deed === 'send' && quote.lines.every(({ kind }) => kind === 'section' || kind === 'text')) return 'noLines'
  if (deed === 'accept' && quote.displayStatus === 'expired') return 'expired'
  if (deed === 'revise' && quote.nextRevisionGuid) return 'revisedAlready'
  return null
}
