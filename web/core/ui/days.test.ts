import { expect, test } from 'vitest'
import { parseTime } from '../../../contract/core/times.ts'
import { parseDay } from './days.ts'

const australian = { pattern: 'd-m-Y', locale: 'en-AU' }
const today = '2026-11-22'

test.each([
  ['22-11-2026', '2026-11-22'],
  ['3/4/2027', '2027-04-03'],
  ['3.4.2027', '2027-04-03'],
  ['2027-04-03', '2027-04-03'],
  ['03042027', '2027-04-03'],
  ['3 Apr 2027', '2027-04-03'],
  ['Saturday 3rd April 2027', '2027-04-03'],
  ['sept 9 2027', '2027-09-09'],
  ['٣-٤-٢٠٢٧', '2027-04-03'],
  ['29-02-2028', '2028-02-29'],
  ['', null],
  ['  ', null],
  ['29-02-2027', undefined],
  ['31-04-2027', undefined],
  ['12-31-2027', undefined],
  ['22-11', undefined],
  ['22-11-27', undefined],
  ['22-11-202', undefined],
  ['ma 3 2027', undefined],
  ['tomorrow', undefined],
  ['-', undefined],
])('the typed day %j is %j', (typed, day) => expect(parseDay(typed, australian)).toBe(day))

test.each([
  ['22-12', '2026-12-22'],
  ['22-12-27', '2027-12-22'],
  ['221227', '2027-12-22'],
  ['22 dec', '2026-12-22'],
  ['5 Jan', '2027-01-05'],
  ['24 jun', '2026-06-24'],
  ['29-2', undefined],
  ['22', undefined],
  ['31-2', undefined],
])('when nothing more is to come, %j is %j', (typed, day) =>
  expect(parseDay(typed, { ...australian, today })).toBe(day),
)

test('a day of no year is the one nearest to today', () => {
  expect(parseDay('20 Dec', { ...australian, today: '2027-01-04' })).toBe('2026-12-20')
  expect(parseDay('29 Feb', { ...australian, today: '2027-11-22' })).toBe('2028-02-29')
})

test.each([
  ['m/d/Y', 'en-AU', '04/03/2027', '2027-04-03'],
  ['m/d/Y', 'en-AU', '2027-04-03', '2027-04-03'],
  ['m/d/Y', 'en-AU', '04032027', '2027-04-03'],
  ['Y-m-d', 'en-AU', '2027/4/3', '2027-04-03'],
  ['D, j M Y', 'en-AU', 'Sat, 3 Apr 2027', '2027-04-03'],
  ['l j F Y', 'fr-FR', 'samedi 3 avril 2027', '2027-04-03'],
  ['j M Y', 'fr-FR', '1er févr. 2027', '2027-02-01'],
  ['j F Y', 'fr-FR', '3 april 2027', '2027-04-03'],
  ['j F Y', 'ar', '3 أبريل 2027', '2027-04-03'],
  ['\\d\\a\\y j n Y', 'en-AU', 'day 3 4 2027', '2027-04-03'],
])('by the pattern %s in %s, %j is %j', (pattern, locale, typed, day) =>
  expect(parseDay(typed, { pattern, locale })).toBe(day),
)

test.each([
  ['14:30', 870],
  ['1430', 870],
  ['9', 540],
  ['9h', 540],
  ['9 h 05', 545],
  ['2.30 pm', 870],
  ['2:30 P.M.', 870],
  ['12 am', 0],
  ['12 pm', 720],
  ['٢:٣٠ م', 870],
  ['', null],
  ['24:00', undefined],
  ['9:60', undefined],
  ['13 pm', undefined],
  ['0 am', undefined],
  ['noon', undefined],
])('the typed time %j is %j minutes after midnight', (typed, minutes) => expect(parseTime(typed)).toBe(minutes))
