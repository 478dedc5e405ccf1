import type { Op } from '../../contract/core/op.ts'
import type { TimelineEntry } from '../../contract/customers.ts'
import { events, isEvent } from '../../contract/events.ts'
import { useRead } from '../core/api/hooks.ts'
import type { Payload } from '../core/api/types.ts'
import { useFormat, type Format } from '../core/i18n/format.ts'
import { phrase, phraseOr, useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { ErrorState, LoadingLines } from '../core/ui/states.tsx'
import type { Tone } from '../core/ui/status-chip.tsx'
import { Timeline, type TimelineItem } from '../core/ui/timeline.tsx'

export const toneOf = (what: string): Tone => (isEvent(what) ? events[what].tone : 'neutral')

/** A hold says why, and until when where it ends. */
function heldTitle({ kind, until }: TimelineEntry['values'], f: Format): string | undefined {
  const reason = phraseOr(`timeline:holdReasons.${String(kind)}`, '')
  if (reason === '') return undefined
  return typeof until === 'string'
    ? phrase('timeline:held.until', { reason, day: f.date(until) })
    : phrase('timeline:held.open', { reason })
}

/** The sentence of one entry; amounts are written as money. */
export function timelineTitle(
  { what, values }: Pick<TimelineEntry, 'what' | 'values'>,
  f: Format,
  otherwise = what,
): string {
  const held = what === 'reminders.held' ? heldTitle(values, f) : undefined
  if (held !== undefined) return held
  const amount = values['amountCents'] ?? values['totalCents']
  const filled = { ...values, amount: typeof amount === 'number' ? f.money(amount) : '' }
  // An adjustment note is an invoice to the program and has a name of its own to people.
  const usual = phraseOr(`timeline:what.${what}`, otherwise, filled)
  return phraseOr(`timeline:ofKind.${String(values['kind'])}.${what}`, usual, filled)
}

/** A reason may be a code of the product's own; then it has words. A note stands beside it. */
const detailOf = ({ values }: TimelineEntry) => {
  const said = [values['reason'], values['note']].filter((one) => typeof one === 'string' && one !== '')
  return said.length > 0
    ? said.map((one) => phraseOr(`timeline:reasons.${String(one)}`, String(one))).join(' · ')
    : undefined
}

export function timelineItems(
  entries: readonly TimelineEntry[],
  f: Format,
  words: { guest: string; system: string },
): TimelineItem[] {
  return entries.map((entry, index) => ({
    key: `${entry.at}-${index}`,
    at: entry.at,
    title: timelineTitle(entry, f),
    by: entry.by ?? (entry.byKind === 'guest' ? words.guest : words.system),
    detail: detailOf(entry),
    tone: toneOf(entry.what),
  }))
}

/** Everything that happened with a record, by whom. */
export function RecordTimeline<O extends Op>({ op, guid }: { op: O; guid: string }) {
  const t = useT('timeline')
  const f = useFormat()
  const read = useRead(op, { guid } as unknown as Payload<O>)
  const entries = (read.data as { items?: TimelineEntry[] } | undefined)?.items
  return (
    <Card title={t('timeline:title')}>
      {entries ? (
        <Timeline items={timelineItems(entries, f, { guest: t('timeline:byGuest'), system: t('timeline:bySystem') })} />
      ) : read.error ? (
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <LoadingLines lines={4} />
      )}
    </Card>
  )
}
