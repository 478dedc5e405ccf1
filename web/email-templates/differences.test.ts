import { expect, test } from 'vitest'
import { changesOf, paragraphsOf } from './differences.ts'

const plain = (pieces: readonly { text: string }[]) => pieces.map(({ text }) => text).join('')
const changes = (before: string, after: string) =>
  changesOf(paragraphsOf(before), paragraphsOf(after)).map(({ removed, added }) => [plain(removed), plain(added)])

test('a body is read as paragraphs without tags, with its variables and the addresses of its links', () => {
  const html =
    '<p>Dear <strong>{{ customer.name }}</strong>,<br />due {{ invoice.dueOn | date }}</p><p></p>' +
    '<ul><li>Tables &amp; chairs</li></ul><p><a href="{{ link }}">Pay</a></p><p>{% if a < b %}Late{% endif %}</p>'
  expect(paragraphsOf(html)).toEqual([
    'Dear {{ customer.name }},\ndue {{ invoice.dueOn | date }}',
    'Tables & chairs',
    'Pay ({{ link }})',
    '{% if a < b %}Late{% endif %}',
  ])
})

test('only paragraphs that changed are told, what was removed apart from what was added', () => {
  const before = '<p>Hello</p><p>Due {{ invoice.dueOn | date }}</p><p>Regards</p><p>Bye</p>'
  const after = '<p>Hello</p><p>Pay by {{ invoice.dueOn | date }}</p><p>Regards</p><p>Thanks</p><p>Bye</p>'
  expect(changes(before, after)).toEqual([
    ['Due {{ invoice.dueOn | date }}', 'Pay by {{ invoice.dueOn | date }}'],
    ['', 'Thanks'],
  ])
  expect(changes(after, before)[1]).toEqual(['Thanks', ''])
  expect(changes('<p>Same</p>', '<p><em>Same</em></p>')).toEqual([])
})

test('of a paragraph that changed, the other words are marked; of one that is new, none', () => {
  const [change] = changesOf(['Due on Friday'], ['Due on Monday'])
  expect(change?.removed.filter(({ isOther }) => isOther)).toEqual([{ text: 'Friday', isOther: true }])
  expect(change?.added.filter(({ isOther }) => isOther)).toEqual([{ text: 'Monday', isOther: true }])
  expect(changesOf([], ['New'])).toEqual([{ removed: [], added: [{ text: 'New', isOther: false }] }])
})
