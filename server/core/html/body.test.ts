import { expect, test } from 'vitest'
import { cleanBody, cleanFilled, htmlOfText, maxBody } from './body.ts'
import { textOfBody } from './text.ts'

test.each([
  ['<p>Hi <b>there</b> <i>now</i></p>', '<p>Hi <strong>there</strong> <em>now</em></p>'],
  ['<p onclick="x()" style="color:red">Hi</p>', '<p>Hi</p>'],
  ['<p style="text-align: center" dir="rtl">Hi</p>', '<p align="center" dir="rtl">Hi</p>'],
  ['<script>alert(1)</script><style>p{}</style><p>Hi</p>', '<p>Hi</p>'],
  ['<svg><a href="https://x.example">q</a></svg><img src=x onerror=y>', ''],
  [
    '<a href="javascript:x">j</a><a href="//x.example">r</a><a href="data:text/html,x">d</a>',
    '<a>j</a><a>r</a><a>d</a>',
  ],
  ['<a href="https://{{ customer.name }}">h</a><a href="{{ customer.name }}">c</a>', '<a>h</a><a>c</a>'],
  ['<a href="jav&#x61;script:x">j</a><a href=" HTTPS://x.example ">s</a>', '<a>j</a><a href="HTTPS://x.example">s</a>'],
  [
    '<a href="{{ link }}">l</a><a href="mailto:{{ business.email }}">m</a>',
    '<a href="{{ link }}">l</a><a href="mailto:{{ business.email }}">m</a>',
  ],
  ['<iframe src="https://x.example"></iframe><form><input></form><p>Hi', '<p>Hi</p>'],
  [
    '<ul><li><p>one</p></li></ul><table><tr><td><p>1</p></td></tr></table>',
    '<ul><li>one</li></ul><table><tr><td>1</td></tr></table>',
  ],
  ['<table><tr><td><p align="right">1</p></td></tr></table>', '<table><tr><td align="right">1</td></tr></table>'],
  ['a\uE0000\uE001b', 'a0b'],
])('%s is kept to what mails may hold', (html, clean) => {
  expect(cleanBody(html)).toBe(clean)
  expect(cleanBody(clean)).toBe(clean)
})

test('What stands between braces stays as it was written, also where an editor made entities of it', () => {
  const written = '<p>{% if a.b &gt; 0 %}{{ a.b | money }}{% endif %} {{ "a" | default: "<b>" }}</p>'
  expect(cleanBody(written)).toBe('<p>{% if a.b > 0 %}{{ a.b | money }}{% endif %} {{ "a" | default: "<b>" }}</p>')
  expect(cleanBody(cleanBody(written))).toBe(cleanBody(written))
  expect(cleanFilled('<p>1 > 0 {{ x }}</p>')).toBe('<p>1 &gt; 0 {{ x }}</p>')
})

test('Tags that stand alone in a line, a row or an item are between the lines, rows and items', () => {
  expect(cleanBody('<p>{% for a in b %}</p><p>{{ a.name }}</p><p>{% endfor %}</p>')).toBe(
    '{% for a in b %}<p>{{ a.name }}</p>{% endfor %}',
  )
  expect(
    cleanBody(
      '<table><tr><td>{% for a in b %}</td><td></td></tr><tr><td>1</td></tr><tr><td>{% endfor %}</td></tr></table>',
    ),
  ).toBe('<table>{% for a in b %}<tr><td>1</td></tr>{% endfor %}</table>')
  expect(cleanBody('<p>{{ link }}</p>')).toBe('<p>{{ link }}</p>')
})

test.each(['{{', '{%', '{{}', '<p>', '<a href="', '</', '<li><p>', '{{{%'])(
  'A hundred thousand letters of %s end soon',
  (junk) => {
    const before = performance.now()
    cleanBody(junk.repeat(maxBody / junk.length))
    textOfBody(junk.repeat(maxBody / junk.length))
    expect(performance.now() - before).toBeLessThan(20_000)
  },
)

test('The text part keeps addresses, marks of lists and the columns of tables', () => {
  const html = [
    '<h2>Hello</h2><p>One<br />two <a href="https://x.example">here</a> &amp; ',
    '<a href="mailto:a@b.example">a@b.example</a></p>',
    '<ul><li>one</li><li>two<ol><li>x</li><li>y</li></ol></li></ul><blockquote><p>Said</p></blockquote>',
    '<table><tr><th>Item</th><th>Total</th></tr><tr><td>Marquee</td><td>$1</td></tr></table><hr /><p></p><p>Bye</p>',
  ].join('')
  expect(textOfBody(html)).toBe(
    [
      'Hello',
      'One\ntwo here (https://x.example) & a@b.example',
      '- one\n- two\n  1. x\n  2. y',
      '> Said',
      'Item     Total\nMarquee  $1',
      '-'.repeat(20),
      'Bye',
    ].join('\n\n'),
  )
})

test('Plain text becomes paragraphs, and nothing of it a tag', () => {
  expect(htmlOfText('One\ntwo\n\n<b>&')).toBe('<p>One<br />two</p><p>&lt;b&gt;&amp;</p>')
})
