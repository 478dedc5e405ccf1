import { type RawBuilder, sql } from 'kysely'

/** Digits of phone numbers, as their indexes have them. */
export const digitsOf = (column: string): RawBuilder<unknown> =>
  sql`regexp_replace(coalesce(${sql.ref(column)}, ''), '\\D', '', 'g')`

/** A span of amounts in cents, both ends in it. */
interface Span {
  from: number
  to: number
}

export interface Terms {
  /** Lower-cased, as it was typed. */
  text: string
  /** Patterns of `like`; for two letters they must begin a word, because the index knows no shorter parts. */
  patterns: string[]
  /** What the text of a record begins with when it is a better match. */
  prefix: string
  /** Digits of a phone number, without the country's. */
  phone: string | null
  /** Amounts that begin like this, the nearest first. */
  spans: Span[]
  /** The first span is one amount and no other. */
  isAmount: boolean
}

const largestCents = 1_000_000_000_000
const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** A round amount is said of what is near it: one part in a hundred, the amount itself apart. */
const roundFrom = 1000
const roundTo = 100
function near(dollars: number): Span[] {
  if (dollars < roundFrom || dollars % roundTo !== 0) return []
  return [
    { from: dollars * 99, to: dollars * 100 - 1 },
    { from: (dollars + 1) * 100, to: dollars * 101 },
  ]
}

/** `1,250`, `$1250.5`: what amounts begin with it. Whole dollars stand for longer numbers, too; cents do not. */
function spansOf(text: string): Span[] {
  const found = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.(\d{0,2}))?$/.exec(text)
  if (!found?.[1]) return []
  const dollars = Number(found[1].replaceAll(',', ''))
  const cents = found[2]
  if (cents) {
    const from = dollars * 100 + Number(cents.padEnd(2, '0'))
    return [{ from, to: cents.length === 1 ? from + 9 : from }]
  }
  const spans: Span[] = []
  for (let unit = 100; dollars * unit <= largestCents && dollars > 0; unit *= 10)
    spans.push({ from: dollars * unit, to: (dollars + 1) * unit - 1 })
  const [exact, ...longer] = spans
  if (!exact) return []
  return cents === undefined ? [exact, ...near(dollars), ...longer] : [exact]
}

export function termsOf(q: string): Terms {
  const typed = q.toLowerCase().replace(/\s+/g, ' ').trim()
  // A number is found as lists show it, with its revision.
  const text = typed.replace(/^(\S*\d) r\d+$/, '$1')
  const digits = text.replace(/\D/g, '')
  const isNumberLike = digits.length >= 4 && /^\+?[\d\s()./-]+$/.test(text)
  const parts = [...new Set([text, ...(isNumberLike ? [digits] : [])])]
  const patterns =
    text.length < 3 ? [`${escaped(text)}%`, `% ${escaped(text)}%`] : parts.map((part) => `%${escaped(part)}%`)
  const local = digits.replace(/^(?:61|0)(?=\d{8,})/, '')
  const spans = spansOf(text)
  return {
    text,
    patterns,
    prefix: `${escaped(text)}%`,
    phone: isNumberLike ? `%${local}%` : null,
    spans,
    isAmount: spans.length > 0 && spans[0]?.from === spans[0]?.to,
  }
}
