import type { z } from 'zod'

/** English sentences and what they are in another language; values stand as `{0}`, `{1}` in both. */
export type Sentences = Readonly<Record<string, string>>
/** A sentence in a language; English as it stands where there is no other. */
export type Say = (sentence: string) => string

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

/**
 * Sentences are their own keys. Those with values in them are found by their shape, the one with
 * most words of its own first.
 */
export function sayer(sentences: Sentences): Say {
  const patterns = Object.entries(sentences)
    .filter(([english]) => english.includes('{0}'))
    .toSorted(([a], [b]) => b.length - a.length)
    .map(([english, text]) => patternOf(english, text))
  const one = (sentence: string): string | null => {
    const exact = sentences[sentence]
    if (exact !== undefined) return exact
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
