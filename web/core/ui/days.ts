import { formatPattern } from '../../../contract/core/dates.ts'
import { latinDigits } from '../../../contract/core/times.ts'

type Part = 'day' | 'month' | 'year'
const usual: readonly Part[] = ['day', 'month', 'year']
const partOf: Record<string, Part> = {
  d: 'day',
  j: 'day',
  m: 'month',
  n: 'month',
  M: 'month',
  F: 'month',
  Y: 'year',
  y: 'year',
}

/** In which order a PHP pattern writes day, month and year. */
const orderOf = (pattern: string): Part[] => {
  const letters = Array.from(pattern.replaceAll(/\\./gs, ''))
  const written = letters.flatMap((letter) => partOf[letter] ?? [])
  return [...new Set([...written, ...usual])]
}

const bare = (word: string) => word.toLowerCase().replaceAll('.', '')

/** The month (1–12) that a word names, whole or by its first three letters; zero for any other word. */
function monthNamed(word: string, locale: string): number {
  const wanted = bare(word)
  for (const language of [locale, 'en'])
    for (const pattern of ['F', 'M']) {
      const names = Array.from({ length: 12 }, (_, index) =>
        bare(
          formatPattern(`2026-${String(index + 1).padStart(2, '0')}-15`, pattern, { zone: 'UTC', locale: language }),
        ),
      )
      const whole = names.indexOf(wanted) + 1
      const begun = wanted.length >= 3 ? names.filter((name) => name.startsWith(wanted)) : []
      if (whole || begun.length === 1) return whole || names.indexOf(begun[0] ?? '') + 1
    }
  return 0
}

/** `22112026` in the order of the parts: two digits each, and what is left for the year. */
function cut(digits: string, order: readonly Part[]): string[] {
  let at = 0
  return order.map((part) => {
    const length = part === 'year' ? digits.length - 4 : 2
    at += length
    return digits.slice(at - length, at)
  })
}

export interface DayReading {
  /** The PHP pattern in which the person sees days: it says which number is which. */
  pattern: string
  locale: string
  /** Given when the field is left: then a year left out is the one that
   * comes nearest, and two digits are a year of this century. */
  today?: string
}

/**
 * Reads a typed day (`22-11-2026`, `22 Nov 2026`, `2026-11-22`) as `YYYY-MM-DD`; null for nothing,
 * undefined for what is no day.
 */
export function parseDay(text: string, { pattern, locale, today }: DayReading): string | null | undefined {
  const words = latinDigits(text).match(/\d+|\p{L}[\p{L}\p{M}.]*/gu) ?? []
  if (words.length === 0) return text.trim() ? undefined : null
  const month = words.reduce((found, word) => found || (/\d/.test(word) ? 0 : monthNamed(word, locale)), 0)
  let numbers = words.filter((word) => /\d/.test(word))
  const isYearFirst = numbers.length > 1 && numbers[0]?.length === 4
  let order = (isYearFirst ? (['year', 'month', 'day'] as Part[]) : orderOf(pattern)).filter(
    (part) => part !== 'month' || !month,
  )
  if (numbers.length === 1 && order.length === 3 && /^\d{6}(?:\d\d)?$/.test(numbers[0] ?? ''))
    numbers = cut(numbers[0] ?? '', order)
  if (today && numbers.length === order.length - 1) order = order.filter((part) => part !== 'year')
  if (numbers.length !== order.length) return undefined
  const parts: Partial<Record<Part, string>> = Object.fromEntries(order.map((part, index) => [part, numbers[index]]))
  const { day = '', year } = parts
  const dayOfYear = `${(month ? String(month) : (parts.month ?? '')).padStart(2, '0')}-${day.padStart(2, '0')}`
  const dayOf = (fullYear: string) => {
    const found = `${fullYear}-${dayOfYear}`
    return isDay(found) ? found : undefined
  }
  if (year === undefined) return today === undefined ? undefined : nearest(today, dayOf)
  return dayOf(year.length === 4 ? year : today && year.length === 2 ? `20${year}` : '')
}

const isDay = (text: string): boolean => {
  const at = /^[1-9]\d{3}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

/**
 * A day of no year is the one nearest to today: “5 January” written in November is the next, “20 December” written in
 * January the last.
 */
function nearest(today: string, dayOf: (year: string) => string | undefined): string | undefined {
  const away = (day: string) => Math.abs(Date.parse(day) - Date.parse(today))
  return [-1, 0, 1]
    .flatMap((years) => dayOf(String(Number(today.slice(0, 4)) + years)) ?? [])
    .sort((one, other) => away(one) - away(other))[0]
}
