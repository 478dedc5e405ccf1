import { expect, test } from 'vitest'
import { languages } from '../../contract/core/languages.ts'
import { type TemplateKind, templateKinds } from '../../contract/messages.ts'
import { offerWords, readsLikeOffer } from '../../contract/offer-words.ts'
import { sampleFields, sampleWords } from '../../contract/template-kinds.ts'
import { cleanBody } from '../core/html/body.ts'
import { crossingBlocks, isWhole, textProblems, variableProblems } from './template-check.ts'
import { fillBodyHtml, filledAsIs, firstTemplates, valuesWith } from './templates.service.ts'

const values = valuesWith(sampleWords, sampleFields)
const settings = { language: 'en', timeZone: 'Australia/Sydney' } as const

test.each(templateKinds)('What every business begins with for %s is clean, checked, whole and no offer', (kind) => {
  for (const language of languages) {
    const texts = firstTemplates[language][kind]
    expect([language, textProblems(kind, texts)]).toEqual([language, []])
    expect(cleanBody(texts.bodyHtml)).toBe(texts.bodyHtml)
    expect(isWhole(filledAsIs(texts.bodyHtml, kind, values, { ...settings, language }))).toBe(true)
    expect([language, readsLikeOffer(texts.bodyHtml)]).toEqual([language, false])
  }
})

test('A word and the fields of the same name are both written', () => {
  const html = '<p>{{ business }} {{ business.legalName }}</p>'
  expect(fillBodyHtml(html, 'invoice', values, settings)).toBe('<p>Our business Our business Pty Ltd</p>')
})

const said = (kind: TemplateKind, text: string) =>
  variableProblems(kind, 'bodyHtml', text).map(({ message }) => message)

test('Words of other kinds are not there, and none of them is what was meant', () => {
  expect(said('general', '{{ ordr.number }}')).toEqual(['There’s no variable called `ordr.number`.'])
  expect(said('general', '{{ orderNumber }}')).toEqual(['There’s no variable called `orderNumber`.'])
  expect(said('general', '{{ customer.nmae }}')).toEqual(['There is no `customer.nmae`. Did you mean `customer.name`?'])
  expect(said('quote', '{{ validty }}')).toEqual(['There is no `validty`. Did you mean `validity`?'])
  expect(said('quote', '{{ documentTitel }}')).toEqual(['There’s no variable called `documentTitel`.'])
})

test('A variable of another kind is named with what it belongs to', () => {
  expect(said('invoice', '{{ quote.number }}')).toEqual(['`quote.number` belongs to emails about quotes.'])
  expect(said('quote', '{% if refund.amount > 0 %}x{% endif %}')).toEqual([
    '`refund.amount` belongs to emails about refunds.',
  ])
  expect(said('welcome', '{{ change.title }}')).toEqual(['`change.title` belongs to emails about changes to an order.'])
  expect(said('invoice', '{{ quote.nothing }}')).toEqual(['There’s no variable called `quote.nothing`.'])
  const loop = '{% for invoice in reminder.invoices %}{{ invoice.total }}{% endfor %}'
  expect(said('reminder', loop)).toEqual(['There is no `invoice.total`. Did you mean `invoice.title`?'])
})

test('Words that templates of before name are read where they have a value', () => {
  expect(said('quote', '{{ business }} {{ documentTitle }} {{ documentName }} {{ validity }}')).toEqual([])
  expect(said('receipt', '{{ title }} {{ total }} {{ documentName }} {{ business }}')).toEqual([])
  expect(said('statement', '{{ total }}')).toEqual(['There’s no variable called `total`.'])
})

test('What is in use with a word that is never said goes out without it', () => {
  expect(fillBodyHtml('<p>Ref {{ orderNumber }}</p>', 'general', { orderNumber: '' }, settings)).toBe('<p>Ref </p>')
})

test('Values are words: no tag, no template, no line lost, and an empty paragraph is none', () => {
  const hostile = { ...values, note: 'a\n<img src=x onerror=alert(1)>{{ business }}\r\n\uE000b', deposit: '' }
  const html = '<p>{{ note }}</p><p>{{ deposit }}</p><p><a href="{{ link }}">x</a></p>'
  expect(fillBodyHtml(html, 'quote', { ...hostile, link: 'javascript:alert(1)' }, settings)).toBe(
    '<p>a<br />&lt;img src=x onerror=alert(1)&gt;{{ business }}<br />b</p><p><a>x</a></p>',
  )
})

test.each([
  ['<p>{% if a %}x{% else %}y{% endif %}</p>', []],
  ['{% for a in b %}<tr><td>1</td></tr>{% endfor %}', []],
  ['<p>{% if a %}</p><p>{% endif %}</p>', [1]],
  ['<p>{% if a %}<em>x{% else %}y{% endif %}</em></p>', [1]],
  ['<p>1</p>\n{% unless a %}<p>2{% endunless %}</p>', [2]],
  ['<ul>{% for a in b %}</ul><ul>{% endfor %}</ul>', [1]],
  ['{% if a %}<p>{% if b %}</p>{% endif %}{% endif %}', [1]],
])('%s: blocks begin and end in one element', (html, lines) => {
  expect(crossingBlocks(html).map(({ line }) => line)).toEqual(lines)
})

test('Offers are found by whole words, in every language', () => {
  expect(readsLikeOffer('Everything 20 % off')).toBe(true)
  expect(readsLikeOffer('Profitez de nos SOLDES !')).toBe(true)
  expect(readsLikeOffer('استفد من خصم كبير')).toBe(true)
  expect(readsLikeOffer('The officer dealt with a wholesaler.')).toBe(false)
  expect(new Set(languages.flatMap((language) => offerWords[language])).size).toBeGreaterThan(50)
})
