import { join } from 'node:path'
import type { Dressed } from '../../contract/dress.ts'
import { isRtl, type Language } from '../../contract/core/languages.ts'

/**
 * What no theme says: a layout is compiled with it, and it is replaced by what the theme does. Colours are of no theme,
 * lengths longer than any.
 */
const colours = (scheme: string): Dressed => ({
  primary: `#0B5E1${scheme}`,
  button: `#0B5E2${scheme}`,
  buttonText: `#0B5E3${scheme}`,
  background: `#0B5E4${scheme}`,
  surface: `#0B5E5${scheme}`,
  text: `#0B5E6${scheme}`,
  muted: `#0B5E7${scheme}`,
  link: `#0B5E8${scheme}`,
})
export const placeholders = { light: colours('A'), dark: colours('B'), radius: '911px', font: 'ThemeFont' } as const
const { light, dark, radius, font } = placeholders

const schemes = ['color-scheme', 'supported-color-schemes']
  .map((name) => `<meta name="${name}" content="light dark">`)
  .join('')

const linesOf = (list: string, one: string, each: string) =>
  `{% for ${one} in ${list} %}${each}{% unless forloop.last %}<br />{% endunless %}{% endfor %}`
/** Addresses and phone numbers keep their order also where the mail reads from right to left. */
const footer = linesOf('footer', 'line', '<span dir="auto">{{ line }}</span>')
const linkInFull =
  '{{ button.hint }}<br /><a href="{{ button.link }}" style="word-break:break-all">{{ button.link }}</a>'

const picture = (source: string, name: string, style: string) =>
  `<img src="{{ ${source} }}" alt="{{ business }}" class="${name}"
    style="display:${style};max-width:100%;width:auto;height:auto;max-height:56px;border:0" />`
/** Outlook knows no greatest height: it is told one, and no second picture. Others choose by what they are read in. */
const logo = `{% if logo %}<!--[if mso]><img src="{{ logo.light }}" alt="{{ business }}" height="48" /><![endif]-->
  <!--[if !mso]><!-->${picture('logo.light', '{% if logo.dark %}by-day{% else %}always{% endif %}', 'block')}
  {% if logo.dark %}${picture('logo.dark', 'by-night', 'none')}{% endif %}<!--<![endif]-->
  {% else %}{{ business }}{% endif %}`

const source = (
  language: Language,
  start: 'left' | 'right',
) => `<mjml lang="${language}" dir="${start === 'right' ? 'rtl' : 'ltr'}">
<mj-head>
  <mj-title>{{ subject }}</mj-title>
  <mj-preview>{{ preview }}</mj-preview>
  <mj-attributes>
    <mj-all font-family="${font}" />
    <mj-text align="${start}" font-size="16px" line-height="1.6" color="${light.text}" padding="0 32px 16px" />
    <mj-section padding="0" direction="${start === 'right' ? 'rtl' : 'ltr'}" />
    <mj-column direction="${start === 'right' ? 'rtl' : 'ltr'}" />
  </mj-attributes>
  <mj-raw>${schemes}</mj-raw>
  <mj-style>
    :root { color-scheme: light dark; supported-color-schemes: light dark }
    .words a { color: ${light.link} }
    .foot a { color: ${light.link}; text-decoration: none }
    .words table { overflow-wrap: anywhere }
    @media (max-width: 480px) {
      td.words, td.foot, td.press { padding-left: 20px !important; padding-right: 20px !important }
    }
    @media (prefers-color-scheme: dark) {
      body, body > div, .page { background-color: ${dark.background} !important }
      .card, .card > table { background-color: ${dark.surface} !important }
      .card > table > tbody > tr > td { border-top-color: ${dark.primary} !important }
      .words div { color: ${dark.text} !important }
      .words a, .foot a { color: ${dark.link} !important }
      .foot div { color: ${dark.muted} !important }
      .press td { background-color: ${dark.button} !important }
      .press a { background-color: ${dark.button} !important; color: ${dark.buttonText} !important }
      .by-day { display: none !important }
      .by-night { display: block !important }
      .always { background-color: #FFFFFF; padding: 6px; border-radius: 6px }
    }
  </mj-style>
</mj-head>
<mj-body background-color="${light.background}" css-class="page" width="600px">
  <mj-section padding="32px 0 16px">
    <mj-column>
      <mj-text css-class="words" font-size="20px" font-weight="700" padding="0 32px">${logo}</mj-text>
    </mj-column>
  </mj-section>
  <mj-section css-class="card" background-color="${light.surface}" border-radius="${radius}" padding="32px 0 16px"
    border-top="4px solid ${light.primary}">
    <mj-column>
      <mj-text css-class="words" padding="0 32px">{{ body | raw }}</mj-text>
      <mj-raw>{% if button %}</mj-raw>
      <mj-button css-class="press" href="{{ button.link }}" align="${start}" background-color="${light.button}"
        color="${light.buttonText}" border-radius="${radius}" font-size="16px" font-weight="600"
        inner-padding="14px 28px" padding="8px 32px 20px">{{ button.label }}</mj-button>
      <mj-text css-class="foot" font-size="13px" line-height="1.5" color="${light.muted}">${linkInFull}</mj-text>
      <mj-raw>{% endif %}</mj-raw>
    </mj-column>
  </mj-section>
  <mj-section padding="20px 0 32px">
    <mj-column>
      <mj-raw>{% if foot %}</mj-raw>
      <mj-text css-class="foot" font-size="13px" line-height="1.6" color="${light.muted}"
        padding="0 32px">{{ foot | raw }}</mj-text>
      <mj-raw>{% endif %}</mj-raw>
      <mj-text css-class="foot" font-size="13px" line-height="1.6" color="${light.muted}">${footer}</mj-text>
    </mj-column>
  </mj-section>
</mj-body>
</mjml>`

export const layoutSource = (language: Language): string => source(language, isRtl(language) ? 'right' : 'left')

/** Where the compiled layout of a language is. */
export const layoutFile = (language: Language): string => join(import.meta.dirname, 'layouts', `${language}.html`)
