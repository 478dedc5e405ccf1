import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import mjml2html from 'mjml'
import { expect, test } from 'vitest'
import { languages } from '../../contract/core/languages.ts'
import { dress, plainLook } from '../../contract/dress.ts'
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

const words = {
  subject: 'Quote',
  preview: '',
  business: '<b>Brolga</b>',
  bodyHtml: '<p>See https://brolga.example/q for it.</p>',
  button: { label: 'View', link: 'https://brolga.example/q', hint: 'Or:' },
  footer: ['Brolga'],
  foot: '',
  logo: null,
}

test('a mail wears its theme, light and dark, and nothing in it is taken for a tag', async () => {
  const look = plainLook('#123456')
  const dark = { ...look.dark, primary: '#ABCDEF' }
  const worn = dress({ ...look, dark, radius: 13, font: 'georgia' })
  for (const language of languages) {
    const html = await htmlOf({ ...words, language, dress: worn, foot: '<p>Open <strong>daily</strong></p>' })
    const [before = '', after = ''] = html.split('@media (prefers-color-scheme: dark)')
    for (const colour of [...Object.values(worn.light), 'Georgia']) expect(before + after).toContain(colour)
    for (const colour of Object.values(worn.dark)) expect(after).toContain(colour)
    expect(html).toMatch(/border-radius:\s?13px/)
    expect(html).toContain('<strong>daily</strong>')
    expect(html).toContain('<span dir="auto">Brolga</span>')
    const { light: day, dark: night, radius, font } = placeholders
    for (const text of [...Object.values(day), ...Object.values(night), radius, font, '<b>Brolga', '{{', '{%'])
      expect(html.toLowerCase()).not.toContain(text.toLowerCase())
  }
})

test('a logo stands in place of the name, and another one where it is dark', async () => {
  const suit = { ...words, language: 'en', dress: dress(plainLook('#123456')) } as const
  const one = await htmlOf({ ...suit, logo: { light: 'cid:logo', dark: null } })
  expect(one).toContain('alt="&lt;b&gt;Brolga&lt;/b&gt;" class="always"')
  const two = await htmlOf({ ...suit, logo: { light: 'cid:logo', dark: 'cid:logo-dark' } })
  expect([two.match(/class="by-day"/g)?.length, two.match(/class="by-night"/g)?.length]).toEqual([1, 1])
})
