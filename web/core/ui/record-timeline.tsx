import type { TimelineEntry } from '../../../contract/customers.ts'
import { useFormat, type Format } from '../i18n/format.ts'
import { phraseOr, useT, type Values } from '../i18n/i18n.ts'
import type { Tone } from './status-chip.tsx'
import { Timeline } from './timeline.tsx'

const tones: [RegExp, Tone][] = [
  [/(failed|declined|bounced|voided|refused|cancelled|written)/, 'error'],
  [/(accepted|received|paid|converted|delivered|completed|settled)/, 'success'],
  [/(refund|changes|held|expired|reminder)/, 'warning'],
  [/(sent|issued|queued|viewed|opened)/, 'info'],
]
const toneOf = (what: string): Tone => tones.find(([pattern]) => pattern.test(what))?.[1] ?? 'primary'

/** Amounts become text under the name without `Cents`: `amountCents` fills `{{amount}}`. */
function written(values: TimelineEntry['values'], format: Format): Values {
  const pairs = Object.entries(values).flatMap(([key, value]): [string, string | number][] => {
    if (value === null) return []
    return key.endsWith('Cents') && typeof value === 'number' ? [[key.slice(0, -5), format.money(value)]] : [[key, value]]
  })
  return Object.fromEntries(pairs)
}

const readable = (what: string) => what.replaceAll(/[._]/g, ' ').replace(/^\w/, (c) => c.toUpperCase())

/** The timeline of a record as its `…/Timeline` call answers it. */
export function RecordTimeline({ entries }: { entries: readonly TimelineEntry[] }) {
  const t = useT('timeline')
  const format = useFormat()
  const by = (entry: TimelineEntry) => entry.by ?? (entry.byKind === 'guest' ? t('timeline:byGuest') : entry.byKind === 'system' ? t('timeline:bySystem') : '')
  return (
    <Timeline
      items={entries.map((entry, i) => ({
        key: `${entry.at}-${i}`,
        at: entry.at,
        title: phraseOr(`timeline:${entry.what}`, readable(entry.what), written(entry.values, format)),
        by: by(entry),
        detail: entry.values.reason ?? entry.values.note ?? null,
        tone: toneOf(entry.what),
      }))}
    />
  )
}
