import type { RemindersToday } from '../../contract/reminders.ts'
import type { Format } from '../core/i18n/format.ts'
import type { T } from '../core/i18n/i18n.ts'

type Skipped = Pick<RemindersToday['skipped'][number], 'reason' | 'until'>

/** Why an invoice is left out of a reminder; `minimumCents` is the smallest amount that is asked for. */
export function reasonText(t: T, f: Format, { reason, until }: Skipped, minimumCents: number): string {
  if (reason === 'on_hold' && until !== null) return t('reminders:reason.on_hold_until', { day: f.date(until) })
  if (reason === 'below_minimum') return t('reminders:reason.below_minimum', { amount: f.money(minimumCents) })
  return t(`reminders:reason.${reason}`)
}
