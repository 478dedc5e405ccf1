import { existsSync, readdirSync } from 'node:fs'
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
    return file
      ? `@font-face { font-family: '${family}'; src: url('/assets/${file}') format('woff2'); font-weight: 100 900; font-display: swap; unicode-range: ${range}; }`
      : ''
  }
  return (faces ??= families.map(face).join('\n'))
}

const style = `
:root { color-scheme: light dark; --ground: light-dark(#f8f7fa, #25293c); --paper: light-dark(#fff, #2f3349); --ink: light-dark(#2f2b3d, #e1def5); --text: light-dark(#444050, #d5d2ea);
  --faint: light-dark(#5d5a6b, #b0adc4); --line: light-dark(#c9c8ce, #565b79); --hair: light-dark(#ebeaef, #434760); --accent: light-dark(#675dd8, #8f85f3); --accent-text: light-dark(#5c52c0, #bdb7f9);
  --on-accent: light-dark(#fff, #1d1a33); --tint: light-dark(#f1f0fe, #38365c); --bad: light-dark(#b3262b, #ff9195); --bad-tint: light-dark(#fdeced, #4a3043); --good: light-dark(#1b7a43, #5fd896); --good-tint: light-dark(#e6f6ec, #2c4a45); }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100dvh; display: grid; place-items: center; padding: 2rem 1rem; color: var(--text); font: 15px/1.5 'Public Sans', 'Readex Pro', system-ui, sans-serif;
  background: radial-gradient(60rem 30rem at 85% -10%, color-mix(in srgb, var(--accent) 14%, transparent), transparent 70%) no-repeat, radial-gradient(50rem 26rem at 0% 110%, color-mix(in srgb, #00bad1 10%, transparent), transparent 70%) no-repeat, var(--ground); }
.card { width: 100%; max-width: 37rem; padding: clamp(1.5rem, 5vw, 2.5rem) clamp(1.125rem, 5vw, 2.5rem); border-radius: 12px; background: var(--paper); box-shadow: 0 3px 14px rgb(47 43 61 / .14); }
header { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .75rem 1rem; margin-block-end: 1.75rem; }
.brand { display: flex; align-items: center; gap: .625rem; color: var(--ink); font-size: 1.25rem; font-weight: 700; }
.languages { display: flex; gap: .125rem; margin-inline: -.5rem; font-size: .875rem; }
.languages a { padding: .25rem .5rem; border-radius: 6px; color: var(--accent-text); text-decoration: none; }
.languages a:hover { background: var(--tint); }
.languages a[aria-current] { color: var(--ink); font-weight: 600; background: var(--tint); }
h1 { margin: 0 0 .25rem; color: var(--ink); font-size: 1.5rem; font-weight: 500; line-height: 1.35; text-wrap: balance; }
p { margin: 0 0 1rem; }
.lead { margin-block-end: 1.5rem; color: var(--faint); }
.note { padding: .75rem 1rem; border-radius: 8px; }
.note.wrong { color: var(--bad); background: var(--bad-tint); }
.tick { display: grid; place-items: center; width: 3.25rem; height: 3.25rem; margin-block-end: 1rem; border-radius: 50%; color: var(--good); background: var(--good-tint); }
fieldset { min-width: 0; border: 0; border-block-start: 1px solid var(--hair); margin: 0 0 1.5rem; padding: 0; }
legend { padding: 0; padding-inline-end: .75rem; color: var(--ink); font-size: 1.0625rem; font-weight: 600; }
label { display: block; margin: .875rem 0 .25rem; font-size: .875rem; color: var(--ink); }
.optional { color: var(--faint); }
.two { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: 0 1rem; }
input:not([type=checkbox], [type=radio]) { width: 100%; min-height: 2.625rem; padding: .5rem .875rem; border: 1px solid var(--line); border-radius: 8px; background: transparent; color: var(--ink); font: inherit; }
[dir=rtl] input { text-align: right; }
input[aria-invalid=true] { border-color: var(--bad); }
input[type=checkbox], input[type=radio] { flex: none; width: 1.2rem; height: 1.2rem; margin: .1rem 0 0; accent-color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.bad { margin: .25rem 0 0; color: var(--bad); font-size: .8125rem; }
.bad::first-letter { text-transform: uppercase; }
.hint { margin: .25rem 0 0; font-size: .8125rem; color: var(--faint); }
.choice { display: flex; gap: .75rem; align-items: flex-start; margin: 1rem 0 0; cursor: pointer; }
.choice strong, .choice .hint { display: block; }
.choice strong { font-size: .9375rem; font-weight: 500; }
.boxed { margin-block-start: .75rem; padding: .875rem 1rem; border: 1px solid var(--line); border-radius: 8px; }
.boxed:hover { border-color: var(--accent); }
.boxed:has(:checked) { border-color: var(--accent); background: var(--tint); box-shadow: inset 0 0 0 1px var(--accent); }
.boxed:has(:focus-visible) { outline: 2px solid var(--accent); outline-offset: 2px; }
.boxed input:focus-visible { outline: none; }
button, .button { display: flex; align-items: center; justify-content: center; gap: .625rem; width: 100%; min-height: 2.875rem; padding: .5rem 1rem; border: 0; border-radius: 8px; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer; }
button:hover, .button:hover { background: color-mix(in srgb, var(--accent) 90%, black); }
button:disabled { cursor: progress; }
button:disabled::before { content: ''; width: 1.1rem; height: 1.1rem; border: 2px solid currentColor; border-inline-start-color: transparent; border-radius: 50%; animation: turn .9s linear infinite; }
.wait { margin: .75rem 0 0; color: var(--faint); text-align: center; }
.wait:empty { display: none; }
@keyframes turn { to { rotate: 1turn } }
@media (prefers-reduced-motion: reduce) { button:disabled::before { animation-duration: 3s; } }`

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
  const link = (other: Language) =>
    `<a href="${escape(addressIn?.(other) ?? '')}" lang="${other}" data-language="${other}"${other === language ? ' aria-current="true"' : ''}>${names[other]}</a>`
  const choice = addressIn
    ? `<nav class="languages" aria-label="${escape(phrases('setup', language)('languages'))}">${languages.map(link).join('')}</nav>`
    : ''
  return `<!doctype html>
<html lang="${language}" dir="${languageFacts[language].direction}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">
<title>${escape(title)}</title><link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style nonce="${nonce}">${fontFaces()}${style}</style>
</head>
<body><div class="card"><header><span class="brand"><img src="/favicon.svg" alt="" width="32" height="32">${escape(product)}</span>${choice}</header><main>${content}</main></div></body>
</html>`
}
