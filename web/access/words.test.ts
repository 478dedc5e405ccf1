import { describe, expect, test } from 'vitest'
import { catalogue } from '../../contract/api.ts'
import { ruleReasons } from '../../contract/core/ability.ts'
import words from '../core/i18n/en/access.json' with { type: 'json' }

describe('the words of rights', () => {
  test('every noun, every part of one and every action that some page or call asks for has a name', () => {
    const missing = catalogue.flatMap(({ subject, action }) => {
      const [noun = '', ...tail] = subject.split(':')
      return [
        noun in words.nouns ? null : `nouns.${noun}`,
        tail.length === 0 || tail.join('_') in words.tails ? null : `tails.${tail.join('_')}`,
        action in words.actions ? null : `actions.${action}`,
      ].filter(Boolean)
    })
    expect([...new Set(missing)]).toEqual([])
  })

  test('every reason why a rule has a say or none has a sentence', () => {
    expect(ruleReasons.filter((reason) => !(reason in words.reasons))).toEqual([])
  })
})
