import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import mjml2html from 'mjml'
import { expect, test } from 'vitest'
import { languages } from '../../contract/core/languages.ts'
import { layoutFile, layoutSource, placeholders } from './layout-source.ts'
import { htmlOf } from './layout.ts'

/** `UPDATE_LAYOUTS=1` compiles them anew. */
const isUpdate = process.env['UPDATE_LAYOUTS'] === '1'

test.each(languages)('the layout of mails in %s is what its source says', async (language) => {
  const { html } = await mjml2html(layoutSource(language), { validationLevel: 'strict', fonts: {} })
  const file = layoutFile(language)
  if (isUpdate) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, html)
  }
  expect(readFileSync(file, 'utf8')).toBe(html)
})

test('a mail has the colour of its business and no placeholders, and nothing in it is taken for a tag', async () => {
  const words = {
    subject: 'Quote',
    preview: '',
    business: '<b>Brolga</b>',
    bodyHtml: '<p>See https://brolga.example/q for it.</p>',
    button: { label: 'View', link: 'https://brolga.example/q', hint: 'Or:' },
    footer: ['Brolga'],
  }
  for (const language of languages) {
    const html = await htmlOf({ ...words, language }, '#123456')
    expect(html).toContain('#123456')
    for (const text of [placeholders.line, placeholders.button, '<b>Brolga', '{{', '{%'])
      expect(html.toLowerCase()).not.toContain(text.toLowerCase())
  }
})
