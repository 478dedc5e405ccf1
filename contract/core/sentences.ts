import type { z } from 'zod'
import { type Language, languageFacts } from './languages.ts'

/** English sentences and what they are in another language; values stand as `{0}`, `{1}` in both. */
export type Sentences = Readonly<Record<string, string>>
/** A sentence in a language; English as it stands where there is no other. */
export type Say = (sentence: string) => string

/** Names that a sentence of the API marks as code, as people read them. */
export const inQuotes = (sentence: string): string => sentence.replaceAll(/`([^`]*)`/g, '“$1”')

interface Pattern {
  shape: RegExp
  names: string[]
  text: string
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

function patternOf(english: string, text: string): Pattern {
  const names: string[] = []
  const shape = english
    .split(/(\{\d+\})/)
    .map((part) => (/^\{\d+\}$/.test(part) ? (names.push(part), '(.*?)') : escaped(part)))
  return { shape: new RegExp(`^${shape.join('')}$`, 's'), names, text }
}

const months = 'January February March April May June July August September October November December'.split(' ')
const month = `(${months.join('|')})`
const dayShape = new RegExp(`^(\\d{1,2}) ${month} (\\d{4})$`)
const monthShape = new RegExp(`^${month}(?: (\\d{4}))?$`)
const spanShape = new RegExp(`^(${month}(?: \\d{4})?) to (${month} \\d{4})$`)
const joined: Record<Language, string> = { en: 'to', fr: 'à', ar: 'إلى' }

/**
 * A day, a month or months as sentences name them in English ("1 October 2026", "July to September 2026"), in another
 * language; null for any other text.
 */
function dayIn(language: Language, text: string): string | null {
  const said = (name: string, year: string | undefined, options: Intl.DateTimeFormatOptions, day = 1) =>
    new Intl.DateTimeFormat(languageFacts[language].locale, {
      ...options,
      ...(year === undefined ? {} : { year: 'numeric' }),
      numberingSystem: 'latn',
      timeZone: 'UTC',
    }).format(Date.UTC(Number(year ?? 2026), months.indexOf(name), day))
  const [, day, ofDay = '', year] = dayShape.exec(text) ?? []
  if (day) {
    const whole = said(ofDay, year, { day: 'numeric', month: 'long' }, Number(day))
    return language === 'fr' ? whole.replace(/^1(?= )/, '1er') : whole
  }
  const [, name, ofMonth] = monthShape.exec(text) ?? []
  if (name) return said(name, ofMonth, { month: 'long' })
  const [, from, , to] = spanShape.exec(text) ?? []
  if (!from || !to) return null
  return `${dayIn(language, from)} ${joined[language]} ${dayIn(language, to)}`
}

/**
 * Sentences are their own keys. Those with values in them are found by their shape, the one with
 * most words of its own first. Values that name days are said in the language, too.
 */
export function sayer(sentences: Sentences, language: Language): Say {
  const patterns = Object.entries(sentences)
    .filter(([english]) => english.includes('{0}'))
    .toSorted(([a], [b]) => b.length - a.length)
    .map(([english, text]) => patternOf(english, text))
  const one = (sentence: string): string | null => {
    const exact = sentences[sentence] ?? dayIn(language, sentence)
    if (exact !== null) return exact
    for (const { shape, names, text } of patterns) {
      const found = shape.exec(sentence)
      if (found)
        return names.reduce(
          (out, name, i) => out.replaceAll(name, () => one(found[i + 1] ?? '') ?? found[i + 1] ?? ''),
          text,
        )
    }
    return null
  }
  return (sentence) => {
    const whole = one(sentence)
    if (whole !== null || sentence === '') return whole ?? sentence
    const parts = sentence.split(/(?<=[.!?]) (?=[A-Z])/)
    return parts.length > 1 ? parts.map((part) => one(part) ?? part).join(' ') : sentence
  }
}

const expected: Record<string, string> = {
  string: 'Enter a value.',
  number: 'Enter a number.',
  int: 'Enter a whole number.',
  boolean: 'Choose yes or no.',
  array: 'Enter one or more values.',
  object: 'Enter the details.',
  date: 'Enter a date such as 2026-07-01.',
}
const formats: Record<string, string> = {
  uuid: 'Choose a valid record.',
  guid: 'Choose a valid record.',
  email: 'Enter a valid email address.',
  date: 'Enter a date such as 2026-07-01.',
  url: 'Enter an address that starts with https://.',
}

/** Zod's own words are for programmers; these are for the person at the form. A sentence in the schema comes first. */
export function zodSentence(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type')
    return issue.input === undefined
      ? 'This field is required.'
      : (expected[String(issue.expected)] ?? 'This value isn’t valid.')
  if (issue.code === 'invalid_format') return formats[String(issue.format)]
  if (issue.code === 'invalid_value')
    return issue.input === undefined
      ? 'This field is required.'
      : `Choose one of: ${(issue.values as unknown[]).join(', ')}.`
  if (issue.code === 'unrecognized_keys') return 'This field isn’t recognised.'
  if (issue.code === 'too_small') return sizeOf(issue.origin, issue.minimum, true)
  if (issue.code === 'too_big') return sizeOf(issue.origin, issue.maximum, false)
  if (issue.code === 'invalid_union' && issue.input === undefined) return 'This field is required.'
  return undefined
}

function sizeOf(origin: unknown, limit: unknown, isLeast: boolean): string {
  const count = String(limit)
  if (origin === 'string') return isLeast ? `Use ${count} characters or more.` : `Use ${count} characters or fewer.`
  if (origin === 'array') return isLeast ? `Use ${count} entries or more.` : `Use ${count} entries or fewer.`
  return isLeast ? `Enter ${count} or more.` : `Enter ${count} or less.`
}
