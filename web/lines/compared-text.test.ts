import { expect, test } from 'vitest'
import type { Format } from '../core/i18n/format.ts'
import type { T } from '../core/i18n/i18n.ts'
import { comparedText } from './compared-text.ts'

/** Says which way something was written. */
const f = {
  quantity: (text: string) => `quantity ${text}`,
  money: (cents: number) => `cents ${cents}`,
  percent: (bp: number) => `bp ${bp}`,
  date: (day: string | null | undefined) => `day ${day ?? ''}`,
} as Format
const t: T = (key, values = {}) =>
  key === 'lines:stages.said' ? [values['label'], values['share'], values['due']].map(String).join(' | ') : key

test.each([
  ['quantity', '10.0000', 'quantity 10.0000'],
  ['quantityMax', '14.5000', 'quantity 14.5000'],
  ['unitPriceCents', '13500', 'cents 13500'],
  ['unitPriceCents', '-500', 'cents -500'],
  ['discount', '{"type":"percent","value":1000}', 'bp 1000'],
  ['discount', '{"type":"fixed","value":5050}', 'cents 5050'],
  ['depositRule', '{"type":"percent","value":5000}', 'bp 5000'],
  ['depositRule', '{"type":"none"}', 'lines:depositNone'],
  [
    'schedule',
    JSON.stringify([
      { label: 'Deposit', amount: { type: 'percent', bp: 3000 }, due: { type: 'acceptance' } },
      { label: 'Frame', amount: { type: 'fixed', cents: 400_000 }, due: { type: 'day', on: '2026-07-01' } },
      { label: 'Rest', amount: { type: 'rest' }, due: { type: 'completion' } },
    ]),
    [
      'Deposit | bp 3000 | lines:stages.dues.acceptance',
      'Frame | cents 400000 | day 2026-07-01',
      'Rest | lines:stages.rest | lines:stages.dues.completion',
    ].join('\n'),
  ],
  ['validUntil', '2026-07-01', 'day 2026-07-01'],
  ['unit', 'hour', 'lines:units.hour'],
  ['gstCode', 'FREE', 'lines:gstCodes.FREE'],
  ['isOptional', 'true', 'common:yes'],
  ['name', 'Gate', 'Gate'],
  ['terms', null, null],
])('%s %s is written as %s', (field, value, text) => {
  expect(comparedText(field, value, { t, f })).toBe(text)
})
