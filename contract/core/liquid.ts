const closing: Readonly<Record<string, string>> = { '{{': '}}', '{%': '%}' }

/** Writes anew what a template says between braces. Goes over the text once, whatever is left open in it. */
export function replaceLiquid(text: string, by: (token: string) => string): string {
  let written = ''
  let at = 0
  const opening = /\{[{%]/g
  const open = new Set(Object.keys(closing))
  for (let found = opening.exec(text); found && open.size > 0; found = opening.exec(text)) {
    const [start] = found
    if (!open.has(start)) continue
    const end = text.indexOf(closing[start] ?? '', found.index + 2)
    if (end < 0) open.delete(start)
    else {
      written += text.slice(at, found.index) + by(text.slice(found.index, end + 2))
      at = end + 2
      opening.lastIndex = at
    }
  }
  return written + text.slice(at)
}

const isBlock = /^<\/?(p|li|h2|h3|td|th|tr|table|thead|tbody|ul|ol|blockquote|hr)\b/

/**
 * The body of a mail, a line for each paragraph, cell or item that says something: what an editor of it shows one under
 * the other. Problems are told by these lines, and versions are compared by them.
 */
export function linesOfBody(html: string): string[] {
  const tokens: string[] = []
  const hidden = replaceLiquid(html, (token) => `\uE000${tokens.push(token) - 1}\uE001`)
  const lines: string[] = []
  let line = ''
  let says = false
  for (const [i, piece] of hidden.split(/(<[^>]*>)/).entries()) {
    if (i % 2 === 0) says ||= piece.trim() !== ''
    else if (isBlock.test(piece) && says && !piece.startsWith('</')) {
      lines.push(line)
      line = ''
      says = false
    }
    line += piece
    if (i % 2 === 1 && says && isBlock.test(piece)) {
      lines.push(line)
      line = ''
      says = false
    }
  }
  if (says || lines.length === 0) lines.push(line)
  else lines[lines.length - 1] += line
  return lines.map((text) => text.replace(/\uE000(\d+)\uE001/g, (_, index: string) => tokens[Number(index)] ?? ''))
}
