import { join } from 'node:path'
import { isRtl, type Language } from '../../contract/core/languages.ts'

/** Colours of no business: a layout is compiled with them, and they are replaced by the real ones. */
export const placeholders = { line: '#0B5E1A', button: '#0B5E1B' } as const

const schemes = ['color-scheme', 'supported-color-schemes']
  .map((name) => `<meta name="${name}" content="light dark">`)
  .join('')

const linesOf = (list: string, one: string, each: string) =>
  `{% for ${one} in ${list} %}${each}{% unless forloop.last %}<br />{% endunless %}{% endfor %}`
const footer = linesOf('footer', 'line', '{{ line }}')
const linkInFull =
  '{{ button.hint }}<br /><a href="{{ button.link }}" style="word-break:break-all">{{ button.link }}</a>'

const source = (
  language: Language,
  start: 'left' | 'right',
) => `<mjml lang="${language}" dir="${start === 'right' ? 'rtl' : 'ltr'}">
<mj-head>
  <mj-title>{{ subject }}</mj-title>
  <mj-preview>{{ preview }}</mj-preview>
  <mj-attributes>
    <mj-all font-family="'Public Sans', -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif" />
    <mj-text align="${start}" font-size="16px" line-height="1.6" color="#2F2B3D" padding="0 32px 16px" />
    <mj-section padding="0" direction="${start === 'right' ? 'rtl' : 'ltr'}" />
    <mj-column direction="${start === 'right' ? 'rtl' : 'ltr'}" />
  </mj-attributes>
  <mj-raw>${schemes}</mj-raw>
  <mj-style>
    a { color: inherit }
    .foot a { text-decoration: none }
    @media (prefers-color-scheme: dark) {
      body, body > div, .page { background-color: #1B1A22 !important }
      .card, .card > table { background-color: #26242F !important }
      .words div { color: #E7E5F0 !important }
      .foot div { color: #A5A2B5 !important }
    }
  </mj-style>
</mj-head>
<mj-body background-color="#F4F3F7" css-class="page" width="600px">
  <mj-section padding="32px 0 16px">
    <mj-column>
      <mj-text css-class="words" font-size="20px" font-weight="700" padding="0 32px">{{ business }}</mj-text>
    </mj-column>
  </mj-section>
  <mj-section css-class="card" background-color="#FFFFFF" border-radius="8px" padding="32px 0 16px"
    border-top="4px solid ${placeholders.line}">
    <mj-column>
      <mj-text css-class="words" padding="0 32px">{{ body | raw }}</mj-text>
      <mj-raw>{% if button %}</mj-raw>
      <mj-button href="{{ button.link }}" align="${start}" background-color="${placeholders.button}" color="#FFFFFF"
        border-radius="6px" font-size="16px" font-weight="600" inner-padding="14px 28px"
        padding="8px 32px 20px">{{ button.label }}</mj-button>
      <mj-text css-class="foot" font-size="13px" line-height="1.5" color="#6D6B77">${linkInFull}</mj-text>
      <mj-raw>{% endif %}</mj-raw>
    </mj-column>
  </mj-section>
  <mj-section padding="20px 0 32px">
    <mj-column>
      <mj-text css-class="foot" font-size="13px" line-height="1.6" color="#6D6B77">${footer}</mj-text>
    </mj-column>
  </mj-section>
</mj-body>
</mjml>`

export const layoutSource = (language: Language): string => source(language, isRtl(language) ? 'right' : 'left')

/** Where the compiled layout of a language is. */
export const layoutFile = (language: Language): string => join(import.meta.dirname, 'layouts', `${language}.html`)
