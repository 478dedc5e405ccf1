import { useT, phraseOr } from '../i18n/i18n.ts'
import type { Language } from '../../../contract/core/languages.ts'
import type { Namespace } from '../i18n/phrases.ts'
import { languageNow } from '../i18n/store.ts'

export type Tone = 'neutral' | 'primary' | 'info' | 'success' | 'warning' | 'error'

/** The tone of every status of the product, whichever noun it belongs to. */
const tones: Record<string, Tone> = {
  draft: 'neutral',
  archived: 'neutral',
  inactive: 'neutral',
  disabled: 'neutral',
  cancelled: 'neutral',
  superseded: 'neutral',
  void: 'neutral',
  closed: 'neutral',
  suppressed: 'neutral',
  written_off: 'neutral',
  expired: 'warning',
  sent: 'info',
  issued: 'info',
  drafted: 'primary',
  upcoming: 'neutral',
  included: 'neutral',
  ready: 'warning',
  viewed: 'primary',
  scheduled: 'primary',
  queued: 'primary',
  sending: 'primary',
  invited: 'primary',
  lead: 'info',
  in_progress: 'primary',
  confirmed: 'info',
  pending: 'warning',
  requested: 'warning',
  pending_confirmation: 'warning',
  changes_requested: 'warning',
  on_hold: 'warning',
  paused: 'warning',
  unpaid: 'warning',
  due: 'warning',
  partially_paid: 'warning',
  partially_refunded: 'warning',
  deferred: 'warning',
  processing: 'warning',
  staging: 'primary',
  applying: 'primary',
  done: 'success',
  requires_action: 'warning',
  accepted: 'success',
  converted: 'success',
  completed: 'success',
  paid: 'success',
  active: 'success',
  enabled: 'success',
  delivered: 'success',
  succeeded: 'success',
  settled: 'success',
  invoiced: 'success',
  overpaid: 'info',
  refunded: 'info',
  overdue: 'error',
  disputed: 'error',
  reversed: 'error',
  declined: 'error',
  blocked: 'error',
  failed: 'error',
  bounced: 'error',
  unknown: 'error',
}

export const toneOf = (status: string): Tone => tones[status] ?? 'neutral'

const readable = (status: string) => status.replaceAll('_', ' ').replace(/^\w/, (c) => c.toUpperCase())

/** Nouns that have words of their own for some statuses. */
const ownWords: readonly Namespace[] = ['customers', 'imports', 'payments', 'people']
/**
 * A status agrees with its noun: these are feminine (une facture, فاتورة), and take
 * `<status>_feminine` where that differs.
 */
const feminine: Readonly<Record<Language, readonly Namespace[]>> = {
  en: [],
  fr: ['invoices', 'orders', 'series', 'changes'],
  ar: ['invoices', 'messages', 'payments', 'series'],
}

/** The written form of a status: the noun's own word, else the common one in the gender of the noun. */
export function statusText(status: string, namespace?: Namespace): string {
  const word = phraseOr(`common:status.${status}`, readable(status))
  if (!namespace) return word
  const agreed = feminine[languageNow()].includes(namespace) ? phraseOr(`common:status.${status}_feminine`, word) : word
  return ownWords.includes(namespace) ? phraseOr(`${namespace}:status.${status}`, agreed) : agreed
}

/** A status as a soft chip whose text passes AA in both themes. */
export function StatusChip({
  status,
  ns,
  tone,
  label,
}: {
  status: string
  ns?: Namespace
  tone?: Tone
  label?: string
}) {
  useT('common', ...(ns && ownWords.includes(ns) ? [ns] : []))
  return (
    <span className="chip" data-tone={tone ?? toneOf(status)}>
      {label ?? statusText(status, ns)}
    </span>
  )
}
