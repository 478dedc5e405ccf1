import { isRtl, type Language } from '../../contract/core/languages.ts'

const cellStyle = (start: 'left' | 'right') =>
  `padding:6px 0;padding-${start === 'left' ? 'right' : 'left'}:12px;border-bottom:1px solid #B9B7C4;vertical-align:top`

/** Mail programs know styles of elements alone. */
const styles = (start: 'left' | 'right', link: string): Readonly<Record<string, string>> => ({
  p: 'margin:0 0 16px',
  a: `color:${link}`,
  h2: 'margin:0 0 12px;font-size:20px;line-height:1.3',
  h3: 'margin:0 0 8px;font-size:17px;line-height:1.3',
  ul: `margin:0 0 16px;padding:0;padding-${start}:24px`,
  ol: `margin:0 0 16px;padding:0;padding-${start}:24px`,
  li: 'margin:0 0 4px',
  blockquote: `margin:0 0 16px;padding-${start}:12px;border-${start}:3px solid #B9B7C4`,
  hr: 'margin:0 0 16px;border:0;border-top:1px solid #B9B7C4',
  table: 'width:100%;margin:0 0 16px;border-collapse:collapse',
  th: cellStyle(start),
  td: cellStyle(start),
})

/** Addresses become links; a number of a document, or an amount, is never divided at the end of a line. */
const special = /(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]&]|\b[A-Z]{1,5}-\d+\b|[\u2212]\$[\d,.]+)/
const written = (text: string, isInLink: boolean, link: string) =>
  text
    .split(special)
    .map((part, i) => {
      if (i % 2 === 0) return part
      if (!part.startsWith('http')) return `<span style="white-space:nowrap">${part}</span>`
      return isInLink ? part : `<a href="${part}" style="color:${link}">${part}</a>`
    })
    .join('')

/** The HTML of a body as mail programs show it. It comes clean: every tag is known, and no attribute holds a `>`. */
export function dressed(html: string, language: Language, link: string): string {
  const start = isRtl(language) ? 'right' : 'left'
  const styleOf = styles(start, link)
  let isInLink = false
  return html
    .split(/(<[^>]*>)/)
    .map((piece, i) => {
      if (i % 2 === 0) return written(piece, isInLink, link)
      const [, slash, name = ''] = /^<(\/?)([a-z0-9]+)/.exec(piece) ?? []
      if (name === 'a') isInLink = !slash
      const style = slash ? undefined : styleOf[name]
      if (!style) return piece
      const aligned = name === 'th' && !piece.includes(' align="') ? ` align="${start}"` : ''
      return piece.replace(/\s*\/?>$/, (end) => `${aligned} style="${style}"${end}`)
    })
    .join('')
}
