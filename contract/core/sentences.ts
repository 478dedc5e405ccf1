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
  const shape = english.split(/(\{\d+\})/).map((part) => (/^\{\d+\}$/.test(part) ? (names.push(part), '(.*?)') : escaped(part)))
  return { shape: new RegExp(`^${shape.join('')}$`, 's'), names, text }
}

/** Sentences are their own keys. Those with values in them are found by their shape, the one with most words of its own first. */
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
      if (found) return names.reduce((out, name, i) => out.replaceAll(name, () => one(found[i + 1] ?? '') ?? found[i + 1] ?? ''), text)
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
  string: 'must be text',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  date: 'must be a day such as 2026-07-01',
}
const formats: Record<string, string> = { uuid: 'must be a guid', guid: 'must be a guid', email: 'must be an e-mail address', date: 'must be a day such as 2026-07-01', url: 'must be an address that begins with https://' }

/** Zod's own words are for programmers; these are for the person at the form. A sentence in the schema comes first. */
export function zodSentence(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') return issue.input === undefined ? 'is required' : (expected[String(issue.expected)] ?? 'is not of the right kind')
  if (issue.code === 'invalid_format') return formats[String(issue.format)]
  if (issue.code === 'invalid_value') return issue.input === undefined ? 'is required' : `must be one of ${(issue.values as unknown[]).join(', ')}`
  if (issue.code === 'unrecognized_keys') return 'is not known here'
  if (issue.code === 'too_small') return sizeOf(issue.origin, issue.minimum, true)
  if (issue.code === 'too_big') return sizeOf(issue.origin, issue.maximum, false)
  if (issue.code === 'invalid_union' && issue.input === undefined) return 'is required'
  return undefined
}

function sizeOf(origin: unknown, limit: unknown, isLeast: boolean): string {
  const count = String(limit)
  if (origin === 'string') return isLeast ? `must be ${count} characters or more` : `must be ${count} characters or fewer`
  if (origin === 'array') return isLeast ? `must be ${count} entries or more` : `must be ${count} entries or fewer`
  return isLeast ? `must be ${count} or more` : `must be ${count} or less`
}
