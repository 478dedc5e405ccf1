/** Cells of files that spreadsheets and other programs open. */

export const byteOrderMark = '\uFEFF'
export const lineEnd = '\r\n'

/** What a spreadsheet would take for a formula gets an apostrophe before it. */
const harmless = (text: string) => (/^[=+\-@\t\r\n|%＝＋－＠]/.test(text) ? `'${text}` : text)

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

/** RFC 4180, and no cell that a spreadsheet would take for a formula. */
export const cell = (text: string) => {
  const safe = harmless(text)
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? quoted(safe) : safe
}

/** The same between tabs, on one line: a tab or the end of a line becomes a space. */
export const tabCell = (text: string) => {
  const safe = harmless(text.replace(/[\t\r\n\v\f\u0085\u2028\u2029]+/g, ' ').trim())
  return safe.includes('"') ? quoted(safe) : safe
}
