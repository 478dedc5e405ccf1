import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Language, languageFacts, languages } from '../../contract/core/languages.ts'
import { phrases } from '../core/i18n/phrases.ts'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escape = (text: string) => text.replace(/[&<>"']/g, (c) => entities[c] ?? c)

/** Each in its own words, so that whoever needs one finds it. */
const names: Record<Language, string> = { en: 'English', fr: 'Français', ar: 'العربية' }

/** The letters of the web app, when it is built: the page that comes before it looks the same. */
const assets = join(import.meta.dirname, '../../dist/web/assets')
const families = [
  ['Public Sans', /^public-sans-latin-wght-normal-.*\.woff2$/, 'U+0000-024F, U+2000-20CF'],
  ['Readex Pro', /^readex-pro-arabic-wght-normal-.*\.woff2$/, 'U+0600-06FF, U+200C-200E'],
] as const
let faces: string | null = null
const fontFaces = () => {
  const files = existsSync(assets) ? readdirSync(assets) : []
  const face = ([family, pattern, range]: (typeof families)[number]) => {
    const file = files.find((name) => pattern.test(name))
    if (!file) return ''
    return `@font-face {
  font-family: '${family}';
  src: url('/assets/${file}') format('woff2');
  font-weight: 100 900;
  font-display: swap;
  unicode-range: ${range};
}`
  }
  return (faces ??= families.map(face).join('\n'))
}

const style = readFileSync(join(import.meta.dirname, 'setup.css'), 'utf8')

export interface Frame {
  product: string
  language: Language
  nonce: string
  title: string
  /** Where the same page is in another language; null where it is shown once only. */
  addressIn: ((language: Language) => string) | null
}

/** The card in the middle of the page, with the mark of the product and the languages. */
export const frame = ({ product, language, nonce, title, addressIn }: Frame, content: string): string => {
  const link = (other: Language) => {
    const address = escape(addressIn?.(other) ?? '')
    const current = other === language ? ' aria-current="true"' : ''
    return `<a href="${address}" lang="${other}" data-language="${other}"${current}>${names[other]}</a>`
  }
  const label = escape(phrases('setup', language)('languages'))
  const choice = addressIn ? `<nav class="languages" aria-label="${label}">${languages.map(link).join('')}</nav>` : ''
  return `<!doctype html>
<html lang="${language}" dir="${languageFacts[language].direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escape(title)}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style nonce="${nonce}">${fontFaces()}
${style}</style>
</head>
<body>
<div class="card">
<header>
<span class="brand"><img src="/favicon.svg" alt="" width="32" height="32">${escape(product)}</span>
${choice}
</header>
<main>${content}</main>
</div>
</body>
</html>`
}
