import sanitize from 'sanitize-html'
import type { Look } from '../../contract/dress.ts'

const cleaned = (html: string): string =>
  sanitize(html, {
    allowedTags: [
      ...['p', 'br', 'strong', 'em', 'u', 's', 'a', 'ul', 'ol', 'li', 'h2', 'h3', 'blockquote', 'hr'],
      ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
    ],
    allowedAttributes: { '*': ['dir', 'align'], a: ['href'] },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowProtocolRelative: false,
  }).trim()

/** The foot of a theme in each language, without what the body of an email may not have. */
export const cleanFooter = ({ en, fr, ar }: Look['footerHtml']): Look['footerHtml'] => ({
  en: cleaned(en),
  ...(fr ? { fr: cleaned(fr) } : {}),
  ...(ar ? { ar: cleaned(ar) } : {}),
})
