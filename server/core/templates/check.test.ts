import { expect, test } from 'vitest'
import { sampleValues, templateVariables } from '../../../contract/template-variables.ts'
import { checkTemplate, tryTemplate } from './check.ts'
import { fillTemplate, type TemplateSettings } from './engine.ts'

const settings: TemplateSettings = { language: 'en', timeZone: 'Australia/Sydney', output: 'text' }
const messages = (text: string) => checkTemplate(text, templateVariables.quote).map(({ message }) => message)
const filled = (text: string, more: Partial<TemplateSettings> = {}) =>
  fillTemplate(text, sampleValues, { ...settings, ...more })

test('Amounts, days and numbers are written as the language writes them', () => {
  const text = '{{ quote.total | money }} by {{ quote.validUntil | date }}'
  expect(messages(text)).toEqual([])
  expect(filled(text)).toBe('$1,315.60 by 18 December 2026')
  expect(filled('{{ quote.total | money }}', { language: 'fr' })).toContain('1 315,60'.replace(' ', '\u00a0'))
  expect(filled("{{ quote.lines.size }} {{ quote.lines.size | plural: 'line', 'lines' }}")).toBe('2 lines')
  expect(filled("{{ quote.lines.size | plural: 'بند', 'بندان', 'بنود', 'بندًا', 'بند' }}", { language: 'ar' })).toBe(
    'بندان',
  )
})

test('Choices and loops are walked with their own variables', () => {
  const each = '{% for line in quote.lines %}{{ line.name }} {{ line.total | money }}; {% endfor %}'
  const text = `{% if quote.deposit > 0 %}${each}{% endif %}`
  expect(messages(text)).toEqual([])
  expect(filled(text)).toBe('Marquee 6 × 6 m $858.00; Trestle table with eight chairs $457.60; ')
  expect(messages('{% for line in quote.lines %}{{ line.nmae }}{% endfor %}')).toEqual([
    'There is no `line.nmae`. Did you mean `line.name`?',
  ])
  expect(messages('{% for line in quote.lines %}{% endfor %}{{ line.name }}')).toEqual([
    'There is no `line.name`. Did you mean `site.name`?',
  ])
})

test('A variable that is not there is named, with the one that was probably meant', () => {
  expect(checkTemplate('Hello\n{{ invoice.totall | money }}', templateVariables.invoice)).toEqual([
    { line: 2, at: 'invoice.totall', message: 'There is no `invoice.totall`. Did you mean `invoice.total`?' },
  ])
  expect(messages('{{ invoice.total | money }}')[0]).toBe('There’s no variable called `invoice.total`.')
})

test('Values are written by the filter of their type', () => {
  expect(messages('{{ quote.total }}')).toEqual([
    '`quote.total` is an amount. Write `quote.total | money` to show it with dollars and cents.',
  ])
  expect(messages('{{ quote.validUntil }}')).toEqual([
    '`quote.validUntil` is a date. Write `quote.validUntil | date` to show it in the customer’s language.',
  ])
  expect(messages('{{ customer.name | money }}')).toEqual(['`money` doesn’t work with `customer.name`.'])
  expect(messages('{{ quote.lines }}')).toEqual(['`quote.lines` is a list. Repeat over it with `for`.'])
  expect(messages('{{ customer }}')).toEqual(['Choose a field of `customer`, such as `customer.name`.'])
  expect(messages("{{ site.name | default: 'your site' }}")).toEqual([])
})

test.each([
  ['{% assign a = 1 %}', 'The tag `assign` can’t be used here.'],
  ["{% include 'x' %}", 'The tag `include` can’t be used here.'],
  ['{% raw %}{{ x }}{% endraw %}', 'The tag `raw` can’t be used here.'],
  ['{{ customer.name | upcase }}', 'The filter `upcase` can’t be used here.'],
  ['{% if quote.total > 0 %}', 'Close `{% if %}` with `{% endif %}`.'],
  ['{{quote.number', 'Close `{{quote.number` with `}}`.'],
  ['Quote {{ quote.number} for you', 'Close `{{ quote.number` with `}}`.'],
  ['{{quote.number} for {{customer.name}}', 'Close `{{quote.number` with `}}`.'],
  ['{% if quote.total', 'Close `{% if` with `%}`.'],
  ['{% for i in (1..100000000) %}x{% endfor %}', 'Ranges can’t be used here. Repeat over a list.'],
  ["{{ 'x'.constructor }}", 'Write variables with dots, such as `customer.name`.'],
  ['{{ customer[quote.number] }}', 'Write variables with dots, such as `customer.name`.'],
  ['{{ customer.constructor }}', 'There’s no variable called `customer.constructor`.'],
  ['{{ customer.__proto__ }}', 'There’s no variable called `customer.__proto__`.'],
])('%s is refused: no code, nothing out of reach', (text, message) => {
  expect(messages(text)[0]).toContain(message)
})

test('Everything that is wrong is told, in its order and each with the words it is about', () => {
  const text = [
    '{{ quote.totall | money }} {{ customer.nmae }}',
    '{% assign a = 1 %}{{ customer.name | upcase }}',
    '{% if quote.total > 0 %}{% capture b %}x{% endcapture %}',
    '{{ quote.total }}',
  ].join('\n')
  expect(checkTemplate(text, templateVariables.quote).map(({ line, at }) => [line, at])).toEqual([
    [1, 'quote.totall'],
    [1, 'customer.nmae'],
    [2, '{% assign a = 1 %}'],
    [2, '{{ customer.name | upcase }}'],
    [3, '{% if quote.total > 0 %}'],
    [3, '{% capture b %}'],
    [4, 'quote.total'],
  ])
})

test.each(['{{ }}', '{{ @ }}', '{{ {{quote.number}} }}'])('Of %s it is said once that it cannot be read', (text) => {
  expect(messages(`${text} {{ customer.name | upcase }}`)).toEqual([
    'We can’t read this. Check the braces.',
    'The filter `upcase` can’t be used here.',
  ])
})

test('What takes too long or grows too large ends, and is said', () => {
  const deep = (inner: string, depth: number): string =>
    depth === 0 ? inner : `{% for a${depth} in quote.lines %}${deep(inner, depth - 1)}{% endfor %}`
  const many = { quote: { lines: Array.from({ length: 500 }, () => ({ name: 'x' })) } }
  const tried = tryTemplate(deep('{{ a1.name }}', 4), templateVariables.quote, many, settings)
  expect(tried).toEqual({
    text: '',
    problems: [
      {
        line: expect.any(Number) as number,
        at: expect.any(String) as string,
        message: 'This template takes too long or is too large.',
      },
    ],
  })
  expect(messages('x'.repeat(20_001))).toEqual(['This template takes too long or is too large.'])
})

test('Values are escaped where they stand in HTML, and never read as a template', () => {
  const values = { customer: { name: '<b>{{ business.name }}</b>' } }
  expect(fillTemplate('{{ customer.name }}', values, { ...settings, output: 'html' })).toBe(
    '&lt;b&gt;{{ business.name }}&lt;/b&gt;',
  )
  expect(fillTemplate('{{ customer.name }}', values, settings)).toBe('<b>{{ business.name }}</b>')
})
