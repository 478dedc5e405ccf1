import { Parser } from 'htmlparser2'

/** Lines as wide as this are read everywhere. */
const widest = 76

interface Block {
  /** What stands before its first line; the same width of blanks before the others. */
  before: string
  text: string
  isTight?: boolean
}

const tidy = (text: string) =>
  text
    .replace(/[^\S\n\u00a0]+/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim()

/** Cells beneath each other where they fit, one under the other where they don’t. */
function tableOf(rows: readonly string[][]): string {
  const widths: number[] = []
  for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length)
  const isWide = widths.reduce((sum, width) => sum + width + 2, -2) > widest
  return rows
    .map((row) =>
      isWide ? row.filter(Boolean).join(', ') : row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '),
    )
    .map((line) => line.trimEnd())
    .join('\n')
}

/** The text part of a mail, from the same HTML, with addresses of links, marks of lists and columns of tables. */
export function textOfBody(html: string): string {
  const done: Block[] = []
  const lists: { isOrdered: boolean; count: number }[] = []
  const links: { href: string; from: number }[] = []
  let quotes = 0
  let text = ''
  let before = ''
  let rows: string[][] | null = null
  const blank = () => '> '.repeat(quotes) + '  '.repeat(Math.max(0, lists.length - 1))
  const end = (isTight = false) => {
    const said = tidy(text)
    text = ''
    if (said === '' && before === '') return
    done.push({ before: blank() + before, text: said, isTight })
    before = ''
  }
  const parser = new Parser({
    onopentag(name, { href }) {
      if (name === 'br') text += '\n'
      else if (name === 'hr') {
        end()
        done.push({ before: '', text: '-'.repeat(20) })
      } else if (name === 'a') links.push({ href: href ?? '', from: text.length })
      else if (name === 'ul' || name === 'ol') {
        end(lists.length > 0)
        lists.push({ isOrdered: name === 'ol', count: 0 })
      } else if (name === 'li') {
        end(true)
        const list = lists.at(-1)
        if (list) list.count++
        before = list?.isOrdered ? `${list.count}. ` : '- '
      } else if (name === 'table') {
        end()
        rows = []
      } else if (name === 'tr') rows?.push([])
      else if (name === 'blockquote') {
        end()
        quotes++
      } else if (/^(p|h[23]|div)$/.test(name) && !rows && text.trim() !== '') end(lists.length > 0)
    },
    ontext(data) {
      text += data.replace(/\s+/g, (space) => (space.includes('\u00a0') ? space : ' '))
    },
    onclosetag(name) {
      if (name === 'a') {
        const { href, from } = links.pop() ?? { href: '', from: text.length }
        const said = text.slice(from).trim()
        const address = href.replace(/^(mailto|tel):/i, '')
        if (address && address !== said) text += said ? ` (${address})` : address
      } else if (rows && (name === 'td' || name === 'th')) {
        rows.at(-1)?.push(tidy(text).replaceAll('\n', ' '))
        text = ''
      } else if (name === 'table') {
        text = tableOf((rows ?? []).filter((row) => row.some(Boolean)))
        rows = null
        if (text) done.push({ before: '', text })
        text = ''
      } else if (name === 'ul' || name === 'ol') {
        end(true)
        lists.pop()
        const last = done.at(-1)
        if (last && lists.length === 0) last.isTight = false
      } else if (name === 'li') end(true)
      else if (name === 'blockquote') {
        end()
        quotes--
      } else if (rows) text += ' '
      else if (/^(p|h[23]|div)$/.test(name)) end(lists.length > 0)
    },
  })
  parser.write(html)
  parser.end()
  end()
  return done
    .map(({ before: mark, text: said, isTight }) => {
      const rest = mark.replace(/(\d+\.|-) $/, (found) => ' '.repeat(found.length))
      const lines = said.split('\n').map((line, at) => (at === 0 ? mark : rest) + line)
      return lines.join('\n') + (isTight ? '\n' : '\n\n')
    })
    .join('')
    .trim()
}
