import sanitizeHtml from 'sanitize-html'
import { masked, type Masked, onlyToken, unmasked } from './masks.ts'

const blocks = ['p', 'ul', 'ol', 'li', 'h2', 'h3', 'blockquote', 'table', 'thead', 'tbody', 'tr', 'th', 'td']
const inline = ['br', 'strong', 'em', 'u', 's', 'a', 'hr']
const placed = ['dir', 'align']

/** What is said otherwise in the same words. */
const meant: Readonly<Record<string, string>> = {
  b: 'strong',
  i: 'em',
  del: 's',
  strike: 's',
  h1: 'h2',
  h4: 'h3',
  h5: 'h3',
  h6: 'h3',
}
/** What stands in them is no text for people. */
const unread =
  'script style textarea option select title head noscript noembed noframes xmp plaintext svg math ' +
  'template iframe object'

/** A variable that holds an address is named so. */
const linkVariable = /^\{\{-?\s*(?:[\w.]*[._])?link\s*-?\}\}$/i
const isPlain = (address: string) => /^(https?:\/\/[^/?#\uE000]+([/?#]|$)|mailto:|tel:)/i.test(address)
const isLink = (address: string, tokens: readonly string[]) => {
  const token = onlyToken(address, tokens)
  return token === null ? isPlain(address.trim()) : linkVariable.test(token)
}

/** Alignment as an attribute, which mail programs know; an editor writes it as a style. */
function placedBy(attribs: Record<string, string>): Record<string, string> {
  const said = /text-align:\s*(\w+)/.exec(attribs['style'] ?? '')?.[1] ?? attribs['align']
  const { dir } = attribs
  return {
    ...(said && /^(left|right|center|justify)$/.test(said) && { align: said }),
    ...(dir && /^(ltr|rtl|auto)$/.test(dir) && { dir }),
  }
}

const optionsFor = (tokens: readonly string[]): sanitizeHtml.IOptions => ({
  allowedTags: [...blocks, ...inline],
  allowedAttributes: { a: ['href', 'dir'], ...Object.fromEntries(blocks.map((tag) => [tag, placed])) },
  selfClosing: ['br', 'hr'],
  nonTextTags: unread.split(' '),
  // Addresses are looked at below; what is left is one of these, or a variable.
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  enforceHtmlBoundary: false,
  nestingLimit: 30,
  transformTags: {
    ...Object.fromEntries(
      Object.entries(meant).map(([tag, tagName]) => [
        tag,
        (_: string, attribs: Record<string, string>) => ({ tagName, attribs: placedBy(attribs) }),
      ]),
    ),
    ...Object.fromEntries(
      blocks.map((tag) => [
        tag,
        (tagName: string, attribs: Record<string, string>) => ({ tagName, attribs: placedBy(attribs) }),
      ]),
    ),
    a: (tagName, { href, dir }) => ({
      tagName,
      attribs: {
        ...(href && isLink(href, tokens) && { href: href.trim() }),
        ...(dir && /^(ltr|rtl|auto)$/.test(dir) && { dir }),
      },
    }),
  },
})

const sanitised = ({ html, tokens }: Masked): Masked => ({ html: sanitizeHtml(html, optionsFor(tokens)), tokens })

const attributes = '(?: [a-z]+="[^"]*")*'
/** The only paragraph of a cell or an item says no more than its words. */
const aloneInside = new RegExp(`<(li|td|th)(${attributes})><p(${attributes})>((?:(?!<p[ >]|</p>)[^])*)</p></\\1>`, 'g')
const cell = `(?:<t[dh]${attributes}>)`
/** Tags of the template that stand alone in a line, a row or an item are what repeats or chooses others. */
const tagsAlone = new RegExp(
  `<(p|li|tr)${attributes}>${cell}?((?:\\s*\uE000\\d+\uE001)+)\\s*(?:</t[dh]>(?:${cell}\\s*</t[dh]>)*)?</\\1>`,
  'g',
)

function freed({ html, tokens }: Masked): Masked {
  const alone = html.replace(aloneInside, (all, tag: string, own: string, of: string, inside: string) =>
    own && of && own !== of ? all : `<${tag}${own || of}>${inside}</${tag}>`,
  )
  const free = alone.replace(tagsAlone, (all, _: string, inside: string) => {
    const indices = [...inside.matchAll(/\uE000(\d+)\uE001/g)].map((match) => Number(match[1]))
    return indices.every((index) => tokens[index]?.startsWith('{%')) ? inside.trim() : all
  })
  return { html: free, tokens }
}

/** No longer than this is looked at. */
export const maxBody = 100_000

/**
 * The HTML of a mail that somebody wrote, kept to what every mail program shows.
 * What stands between braces stays as it is. Cleaning what is clean changes nothing.
 */
export const cleanBody = (html: string): string => unmasked(freed(sanitised(masked(html.slice(0, maxBody))))).trim()

/** The same for what is filled in already: braces are words like others. */
export const cleanFilled = (html: string): string =>
  sanitised({ html: html.replace(/[\uE000-\uF8FF]/g, ''), tokens: [] }).html.trim()

/** Words between tags. */
const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Paragraphs of plain text as HTML; what stands between braces stays. */
export const htmlOfText = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p>${escapeHtml(paragraph.trim()).replaceAll('\n', '<br />')}</p>`)
    .join('')
