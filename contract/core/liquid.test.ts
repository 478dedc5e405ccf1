import { expect, test } from 'vitest'
import { linesOfBody, replaceLiquid } from './liquid.ts'

test('What stands between braces is found, whatever is left open', () => {
  const found = (text: string) => replaceLiquid(text, (token) => `<${token.length}>`)
  expect(found('a {{ b }} {% if c %}d{% endif %}')).toBe('a <7> <10>d<11>')
  expect(found('{{ a {% b %}')).toBe('{{ a <7>')
  expect(found('{{ a }} {{ b')).toBe('<7> {{ b')
})

test('A body has a line for each paragraph, cell and item that says something', () => {
  expect(linesOfBody('<p>One<br />two</p><p></p><p>{% if a < b %}x{% endif %}</p>')).toEqual([
    '<p>One<br />two</p>',
    '<p></p><p>{% if a < b %}x{% endif %}</p>',
  ])
  expect(linesOfBody('<ul><li>a<ol><li>b</li></ol></li></ul>{% for a in b %}<p>c</p>{% endfor %}')).toEqual([
    '<ul><li>a',
    '<ol><li>b</li>',
    '</ol></li></ul>{% for a in b %}',
    '<p>c</p>',
    '{% endfor %}',
  ])
  expect(linesOfBody('<table><tr><td>1</td><td>2</td></tr></table>')).toEqual([
    '<table><tr><td>1</td>',
    '<td>2</td></tr></table>',
  ])
  expect(linesOfBody('')).toEqual([''])
})
