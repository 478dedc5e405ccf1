import { diffArrays, diffWordsWithSpace } from 'diff'
import { linesOfBody, replaceLiquid } from '../../contract/core/liquid.ts'

interface Piece {
  text: string
  /** Of these words the other side has others. */
  isOther: boolean
}

/** What stands in a place now, and what stood there before; none where nothing did. */
export interface Change {
  removed: Piece[]
  added: Piece[]
}

const entities = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: '\u00A0' }))

/** A paragraph as it is read: without tags, and with the address of a link behind its words. Variables stay. */
function readable(html: string): string {
  const tokens: string[] = []
  const hidden = replaceLiquid(html, (token) => `\uE000${tokens.push(token) - 1}\uE001`)
  return hidden
    .replace(/<a\s[^>]*?href="([^"]*)"[^>]*>(.*?)<\/a>/gs, (_, to: string, words: string) => `${words} (${to})`)
    .replace(/<br\b[^>]*>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(#?\w+);/g, (whole, name: string) => entities.get(name) ?? whole)
    .replace(/\uE000(\d+)\uE001/g, (_, index: string) => tokens[Number(index)] ?? '')
    .trim()
}

export const paragraphsOf = (html: string): string[] =>
  linesOfBody(html)
    .map(readable)
    .filter((paragraph) => paragraph !== '')

/** The paragraphs that are otherwise than before, in their order; those that stayed are left out. */
export function changesOf(before: readonly string[], after: readonly string[]): Change[] {
  const runs = diffArrays([...before], [...after])
  return runs.flatMap(({ added, removed, value }, i) => {
    const next = runs[i + 1]
    const last = runs[i - 1]
    const text = value.join('\n')
    if (removed) return [wordsOf(text, next?.added ? next.value.join('\n') : '')]
    if (added && !last?.removed) return [wordsOf('', text)]
    return []
  })
}

function wordsOf(before: string, after: string): Change {
  const isWhole = before === '' || after === ''
  const pieces = diffWordsWithSpace(before, after)
  const side = (isLeft: (piece: (typeof pieces)[number]) => boolean, mark: 'added' | 'removed') =>
    pieces.filter(isLeft).map((piece) => ({ text: piece.value, isOther: piece[mark] && !isWhole }))
  return { removed: side(({ added }) => !added, 'removed'), added: side(({ removed }) => !removed, 'added') }
}
