import { Liquid, type Template } from 'liquidjs'
import type { Language } from '../../contract/auth.ts'
import { readable } from '../core/colour.ts'

export interface LayoutData {
  /** English when not said. */
  language?: Language
  subject: string
  /** The first words a mail program shows beside the subject. */
  preview: string
  business: string
  paragraphs: string[][]
  button: { label: string; link: string; hint: string } | null
  /** Lines at the foot: who sends this, and why. */
  footer: string[]
}

// Every value is escaped where it stands; the layout is ours, so it may have tags.
const engine = new Liquid({ outputEscape: 'escape', ownPropertyOnly: true, strictFilters: true, strictVariables: true, templates: {} })

const source = (colour: string, language: Language, start: 'left' | 'right') => `<mjml lang="${language}" dir="${start === 'right' ? 'rtl' : 'ltr'}">
<mj-head>
  <mj-title>{{ subject }}</mj-title>
  <mj-preview>{{ preview }}</mj-preview>
  <mj-attributes>
    <mj-all font-family="'Public Sans', -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif" />
    <mj-text align="${start}" font-size="16px" line-height="1.6" color="#2F2B3D" padding="0 32px 16px" />
    <mj-section padding="0" direction="${start === 'right' ? 'rtl' : 'ltr'}" />
    <mj-column direction="${start === 'right' ? 'rtl' : 'ltr'}" />
  </mj-attributes>
  <mj-raw><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"></mj-raw>
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
  <mj-section padding="32px 0 16px"><mj-column><mj-text css-class="words" font-size="20px" font-weight="700" padding="0 32px">{{ business }}</mj-text></mj-column></mj-section>
  <mj-section css-class="card" background-color="#FFFFFF" border-top="4px solid ${colour}" border-radius="8px" padding="32px 0 16px">
    <mj-column>
      <mj-raw>{% for lines in paragraphs %}</mj-raw>
      <mj-text css-class="words">{% for parts in lines %}{% for part in parts %}{% if part.link %}<a href="{{ part.text }}">{{ part.text }}</a>{% else %}{{ part.text }}{% endif %}{% endfor %}{% unless forloop.last %}<br />{% endunless %}{% endfor %}</mj-text>
      <mj-raw>{% endfor %}{% if button %}</mj-raw>
      <mj-button href="{{ button.link }}" align="${start}" background-color="${readable(colour)}" color="#FFFFFF" border-radius="6px" font-size="16px" font-weight="600" inner-padding="14px 28px" padding="8px 32px 20px">{{ button.label }}</mj-button>
      <mj-text css-class="foot" font-size="13px" line-height="1.5" color="#6D6B77">{{ button.hint }}<br /><a href="{{ button.link }}" style="word-break:break-all">{{ button.link }}</a></mj-text>
      <mj-raw>{% endif %}</mj-raw>
    </mj-column>
  </mj-section>
  <mj-section padding="20px 0 32px"><mj-column><mj-text css-class="foot" font-size="13px" line-height="1.6" color="#6D6B77">{% for line in footer %}{{ line }}{% unless forloop.last %}<br />{% endunless %}{% endfor %}</mj-text></mj-column></mj-section>
</mj-body>
</mjml>`

const layouts = new Map<string, Promise<Template[]>>()

/** Compiled once per colour and language: tables, for mail programs that know nothing else. */
function layoutFor(colour: string, language: Language): Promise<Template[]> {
  const safe = /^#[0-9a-f]{6}$/i.test(colour) ? colour : '#675DD8'
  const key = `${safe} ${language}`
  const known = layouts.get(key)
  if (known) return known
  const made = compile(source(safe, language, language === 'ar' ? 'right' : 'left'))
  if (layouts.size > 100) layouts.clear()
  layouts.set(key, made)
  return made
}

// The compiler weighs ninety megabytes: it comes with the first mail, not with the start.
async function compile(text: string): Promise<Template[]> {
  const { default: mjml2html } = await import('mjml')
  const { html } = await mjml2html(text, { validationLevel: 'strict', fonts: {} })
  return engine.parse(html)
}

const address = /(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]])/
const partsOf = (line: string) => line.split(address).map((text, i) => ({ text, link: i % 2 === 1 })).filter(({ text }) => text !== '')

export async function htmlOf(data: LayoutData, colour: string): Promise<string> {
  const layout = await layoutFor(colour, data.language ?? 'en')
  const html: unknown = await engine.render(layout, { ...data, paragraphs: data.paragraphs.map((lines) => lines.map(partsOf)) })
  return String(html)
}

/** The same for people who read without HTML. */
export function textOf(data: LayoutData): string {
  const button = data.button ? [`${data.button.label}:\n${data.button.link}`] : []
  return [...data.paragraphs.map((lines) => lines.join('\n')), ...button, `-- \n${data.footer.join('\n')}`].join('\n\n').concat('\n')
}
