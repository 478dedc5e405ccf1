import { quoteTransitions, type Quote } from '../../contract/quotes.ts'
import type { PhraseKey } from '../core/i18n/phrases.ts'

type Deed = keyof typeof quoteTransitions
type Refusals = Record<Exclude<Deed, 'requestChanges'>, PhraseKey | null>

/** Why a deed cannot be done now; null when it can. The server refuses the same. */
export function refusals(quote: Quote): Refusals {
  const from = (deed: Deed) => (quoteTransitions[deed].from as readonly string[]).includes(quote.status)
  const isExpired = quote.displayStatus === 'expired'
  return {
    send: !from('send') ? 'quotes:why.notDraft' : quote.lines.some((line) => line.kind !== 'section' && line.kind !== 'text') ? null : 'quotes:why.noLines',
    accept: !from('accept') ? 'quotes:why.notSent' : isExpired ? 'quotes:why.expired' : null,
    decline: from('decline') ? null : 'quotes:why.notDeclinable',
    convert: from('convert') ? null : 'quotes:why.notAccepted',
    revise: !from('revise') ? 'quotes:why.notRevisable' : quote.nextRevisionGuid ? 'quotes:why.revisedAlready' : null,
    cancel: from('cancel') ? null : 'quotes:why.notCancellable',
  }
}
