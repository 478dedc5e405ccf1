import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { loggedAs, eventOf, events } from './events.ts'

const phrasesOf = (language: string) =>
  JSON.parse(readFileSync(`web/core/i18n/${language}/timeline.json`, 'utf8')) as {
    what: Record<string, Record<string, string>>
  }

test.each(['en', 'fr', 'ar'])(
  'every event has its sentence, filled with nothing but what its line tells, and no sentence is left over (%s)',
  (language) => {
    const { what } = phrasesOf(language)
    const sentences = Object.entries(what).flatMap(([one, of]) =>
      Object.entries(of).map(([event, text]) => [`${one}.${event}`, text] as const),
    )
    expect(sentences.map(([event]) => event).toSorted()).toEqual(Object.keys(events).toSorted())
    const unfilled = sentences.flatMap(([event, text]) => {
      const { values } = events[event as keyof typeof events]
      const told: string[] = values.some((value) => value === 'amountCents' || value === 'totalCents')
        ? [...values, 'amount']
        : [...values]
      return [...text.matchAll(/\{\{(\w+)\}\}/g)]
        .filter(([, name = '']) => !told.includes(name))
        .map(([, name]) => `${event}: ${name}`)
    })
    expect(unfilled).toEqual([])
  },
)

test('what an older version wrote is read under the present names', () => {
  expect(eventOf('set-password', 'User')).toEqual({ event: 'user.password_set', noun: 'Users' })
  expect(eventOf('quote.sent', 'Quotes')).toEqual({ event: 'quote.sent', noun: 'Quotes' })
  expect(loggedAs('Users')).toEqual(['Users', 'User'])
})
