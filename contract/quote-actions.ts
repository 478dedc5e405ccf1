import { leadsFrom } from './core/transitions.ts'
import { quoteTransitions, type Quote } from './quotes.ts'

export type QuoteDeed = Exclude<keyof typeof quoteTransitions, 'requestChanges' | 'update' | 'reissueLink'>
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

/** What is said where the table of statuses does not lead on. */
const byStatus: Record<QuoteDeed, (status: Quote['status']) => QuoteRefusal> = {
  send: () => 'notDraft',
  accept: (status) => (status === 'superseded' ? 'superseded' : status === 'draft' ? 'notSent' : 'notAcceptable'),
  decline: (status) => (status === 'superseded' ? 'superseded' : 'notDeclinable'),
  convert: () => 'notAccepted',
  revise: (status) =>
    status === 'superseded'
      ? 'superseded'
      : status === 'draft'
        ? 'isDraft'
        : status === 'cancelled'
          ? 'isCancelled'
          : 'notRevisable',
  cancel: (status) =>
    status === 'superseded' ? 'superseded' : status === 'cancelled' ? 'cancelledAlready' : 'notCancellable',
}

/** Why a deed cannot be done with a quote now; null when it can. */
export function quoteRefusal(deed: QuoteDeed, quote: Facts): QuoteRefusal | null {
  if (quote.archivedAt !== null) return 'archived'
  if (!leadsFrom(quoteTransitions, deed, quote.status)) return byStatus[deed](quote.status)
  if (deed === 'send' && quote.lines.every(({ kind }) => kind === 'section' || kind === 'text')) return 'noLines'
  if (deed === 'accept' && quote.displayStatus === 'expired') return 'expired'
  if (deed === 'revise' && quote.nextRevisionGuid) return 'revisedAlready'
  return null
}
