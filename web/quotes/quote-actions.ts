import { quotesApi, quoteTransitions, type Quote } from '../../contract/quotes.ts'
import type { PhraseKey } from '../core/i18n/phrases.ts'
import type { useMay } from '../core/api/can.ts'
import type { IconName } from '../core/ui/icons.ts'

type Deed = keyof typeof quoteTransitions
type Refusals = Record<Exclude<Deed, 'requestChanges'>, PhraseKey | null>

/** Why a deed cannot be done now; null when it can. The server refuses the same. */
export function refusals(quote: Quote): Refusals {
  const from = (deed: Deed) => (quoteTransitions[deed].from as readonly string[]).includes(quote.status)
  const isExpired = quote.displayStatus === 'expired'
  const isSuperseded = quote.status === 'superseded'
  return {
    send: !from('send')
      ? 'quotes:why.notDraft'
      : quote.lines.some((line) => line.kind !== 'section' && line.kind !== 'text')
        ? null
        : 'quotes:why.noLines',
    accept: !from('accept') ? notAcceptable(quote) : isExpired ? 'quotes:why.expired' : null,
    decline: from('decline') ? null : isSuperseded ? 'quotes:why.superseded' : 'quotes:why.notDeclinable',
    convert: from('convert') ? null : 'quotes:why.notAccepted',
    revise: !from('revise') ? notRevisable(quote) : quote.nextRevisionGuid ? 'quotes:why.revisedAlready' : null,
    cancel: from('cancel')
      ? null
      : isSuperseded
        ? 'quotes:why.superseded'
        : quote.status === 'cancelled'
          ? 'quotes:why.cancelledAlready'
          : 'quotes:why.notCancellable',
  }
}

function notAcceptable({ status }: Quote): PhraseKey {
  if (status === 'superseded') return 'quotes:why.superseded'
  return status === 'draft' ? 'quotes:why.notSent' : 'quotes:why.notAcceptable'
}

function notRevisable({ status }: Quote): PhraseKey {
  if (status === 'superseded') return 'quotes:why.superseded'
  if (status === 'draft') return 'quotes:why.isDraft'
  return status === 'cancelled' ? 'quotes:why.isCancelled' : 'quotes:why.notRevisable'
}

/** What is sensibly done next: in the words of the quote's own page. */
export function nextOf(quote: Quote, may: ReturnType<typeof useMay>): { label: PhraseKey; icon: IconName } | null {
  const why = refusals(quote)
  if (!why.send && may(quotesApi.send)) return { label: 'quotes:send', icon: 'send' }
  if (!why.accept && may(quotesApi.accept)) return { label: 'quotes:accept', icon: 'check' }
  if (!why.convert && may(quotesApi.convert)) return { label: 'quotes:convert', icon: 'order' }
  if (!why.revise && may(quotesApi.revise)) return { label: 'quotes:revise', icon: 'edit' }
  return null
}
