import { replaceLiquid } from '../../../contract/core/liquid.ts'

/** Nobody writes with these; they stand for what must not be read as HTML. */
const privateUse = /[\uE000-\uF8FF]/g
const mask = /\uE000(\d+)\uE001/g

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  gt: '>',
  lt: '<',
  quot: '"',
  apos: "'",
  '#39': "'",
  '#34': '"',
  nbsp: ' ',
}
/** An editor of HTML writes `>` as an entity, also within braces, where it is an operator. */
const asWritten = (token: string) =>
  token
    .replace(/&(amp|gt|lt|quot|apos|#39|#34|nbsp);/g, (_, name: string) => entities[name] ?? '')
    .replaceAll('\u00a0', ' ')

export interface Masked {
  html: string
  tokens: string[]
}

/** Puts what stands between braces out of the reach of whoever reads HTML. */
export function masked(html: string): Masked {
  const tokens: string[] = []
  const hidden = replaceLiquid(html.replace(privateUse, ''), (token) => {
    tokens.push(asWritten(token))
    return `\uE000${tokens.length - 1}\uE001`
  })
  return { html: hidden, tokens }
}

export const unmasked = ({ html, tokens }: Masked): string =>
  html.replace(mask, (_, index: string) => tokens[Number(index)] ?? '').replace(privateUse, '')

/** Whether a piece of masked HTML is one thing between braces and nothing else; which. */
export function onlyToken(text: string, tokens: readonly string[]): string | null {
  const index = /^\uE000(\d+)\uE001$/.exec(text.trim())?.[1]
  return index === undefined ? null : (tokens[Number(index)] ?? null)
}
