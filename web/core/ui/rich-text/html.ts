import { replaceLiquid } from '../../../../contract/core/liquid.ts'

const entity: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const tag = '\\{%[^%]*%\\}'
const bare = new RegExp(`(<(?:table|thead|tbody)(?: [^>]*)?>|</tr>)((?:\\s*${tag})+)`, 'g')
const inList = new RegExp(`(<(?:ul|ol)(?: [^>]*)?>|</li>)((?:\\s*${tag})+)`, 'g')

/**
 * A body as the editor reads it. Tags of a template between rows and items stand in a row and an item of their own,
 * since an editor of HTML knows no other place for them; who saves the body takes them out again.
 */
export const toEditor = (html: string): string =>
  replaceLiquid(html, (token) => token.replace(/[&<>"]/g, (letter) => entity[letter] ?? letter))
    .replace(bare, (_, before: string, tags: string) => `${before}<tr><td><p>${tags.trim()}</p></td></tr>`)
    .replace(inList, (_, before: string, tags: string) => `${before}<li><p>${tags.trim()}</p></li>`)
    .replace(
      /<(td|th) align="(\w+)"([^>]*)>([^]*?)<\/\1>/g,
      (_, cell: string, align: string, more: string, inside: string) =>
        inside.startsWith('<p')
          ? `<${cell}${more}>${inside}</${cell}>`
          : `<${cell}${more}><p style="text-align: ${align}">${inside}</p></${cell}>`,
    )
    .replace(/<(p|h2|h3)([^>]*) align="(\w+)"/g, '<$1$2 style="text-align: $3"')

/** What the editor wrote, without the empty line it keeps at the end to write on. */
export const fromEditor = (html: string): string => html.replace(/(<p><\/p>)+$/, '')
