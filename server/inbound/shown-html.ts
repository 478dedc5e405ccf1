import sanitizeHtml from 'sanitize-html'

/** Longer ones are told as text. */
const maxHtml = 500_000
const maxText = 200_000
const maxNested = 100

const tags = `p br div span strong b em i u s a ul ol li h1 h2 h3 h4 h5 h6 blockquote pre code hr
  table thead tbody tfoot tr th td caption center address dl dt dd sub sup small img`.split(/\s+/)

/**
 * The HTML of a stranger as it is shown, in a frame of its own: words, lists, tables and links. No styles, no scripts,
 * no forms, and nothing that is fetched: of a picture its name stays.
 */
const shownHtml = (html: string): string =>
  sanitizeHtml(html, {
    allowedTags: tags,
    allowedAttributes: {
      a: ['href', 'rel'],
      img: ['alt'],
      td: ['colspan', 'rowspan'],
      th: ['colspan', 'rowspan'],
      '*': ['dir'],
    },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowProtocolRelative: false,
    nestingLimit: maxNested,
    nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'title', 'template', 'svg', 'math'],
    transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'noopener noreferrer nofollow' }) },
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs['alt']?.trim(),
    enforceHtmlBoundary: false,
    parseStyleAttributes: false,
  })

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A text as the messages keep their words. */
export const asHtml = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${escaped(paragraph).replaceAll('\n', '<br>')}</p>`)
    .join('')

const blocks = /<\/?(?:p|div|br|li|tr|h[1-6]|blockquote|pre|table|ul|ol|hr|dt|dd|address|center)\b[^>]*>/gi
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** What clean HTML says, without its tags. */
const asText = (html: string): string =>
  html
    .replace(blocks, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot);/g, (whole, name: string) => entities[name] ?? whole)
    .replace(/[ \t]*\n\s*\n\s*/g, '\n\n')

// Characters that no text keeps, and those that turn the direction of what follows.
// oxlint-disable-next-line no-control-regex -- taking control characters out is the point
const unseen = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g

/** Text of a stranger as it may be kept: well-formed, without what cannot be seen. */
const plainText = (text: string): string => text.toWellFormed().replace(unseen, '')

/** The same on one line. */
export const plainLine = (text: string, most: number): string =>
  [...plainText(text).replace(/\s+/g, ' ').trim()].slice(0, most).join('')

/** Both forms of what a mail says: each is made of the other where it is missing. */
export function wordsOf(html: string | undefined, text: string | undefined): { html: string; text: string } {
  const clean = html === undefined || html.length > maxHtml * 4 ? '' : plainText(shownHtml(html)).trim()
  const plain = plainText(text?.replace(/\r\n?/g, '\n') ?? asText(clean)).trim()
  const cut = plain.length > maxText ? `${plain.slice(0, maxText).toWellFormed()}…` : plain
  return { html: clean === '' || clean.length > maxHtml ? asHtml(cut) : clean, text: cut }
}
