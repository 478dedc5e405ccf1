export interface ParsedMail {
  from: string
  to: string
  subject: string
  date: Date | null
  html: string
  text: string
  attachments: { name: string; bytes: number }[]
}

interface Part {
  headers: Map<string, string>
  body: string
}

const deepest = 8

/** Reads a mail as our own composer writes it (RFC 5322, MIME). Bytes are held as latin1 text until their encoding is known. */
export function parseEml(bytes: Uint8Array): ParsedMail {
  const root = partOf(Buffer.from(bytes).toString('latin1'))
  const mail: ParsedMail = { ...readHeaders(root.headers), html: '', text: '', attachments: [] }
  collect(root, mail, 0)
  return mail
}

/** The headers alone, from the beginning of a mail. */
export const parseHead = (bytes: Uint8Array): Pick<ParsedMail, 'from' | 'to' | 'subject' | 'date'> => readHeaders(partOf(Buffer.from(bytes).toString('latin1')).headers)

function readHeaders(headers: Map<string, string>) {
  const text = (name: string) => decodeWords(headers.get(name) ?? '')
  const date = new Date(headers.get('date') ?? '')
  return { from: text('from'), to: text('to'), subject: text('subject'), date: Number.isNaN(date.getTime()) ? null : date }
}

function partOf(source: string): Part {
  const end = /\r?\n\r?\n/.exec(source)
  const head = end ? source.slice(0, end.index) : source
  const headers = new Map<string, string>()
  for (const line of head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim())
  }
  return { headers, body: end ? source.slice(end.index + end[0].length) : '' }
}

function collect(part: Part, mail: ParsedMail, depth: number) {
  const type = part.headers.get('content-type') ?? 'text/plain'
  const boundary = parameter(type, 'boundary')
  if (/^multipart\//i.test(type) && boundary && depth < deepest) {
    for (const piece of pieces(part.body, boundary)) collect(partOf(piece), mail, depth + 1)
    return
  }
  const content = decodeBody(part)
  const disposition = part.headers.get('content-disposition') ?? ''
  const name = parameter(disposition, 'filename') ?? parameter(type, 'name')
  if (/^attachment/i.test(disposition) || name) mail.attachments.push({ name: decodeWords(name ?? 'attachment'), bytes: content.length })
  else if (/^text\/html/i.test(type)) mail.html += content.toString('utf8')
  else if (/^text\//i.test(type)) mail.text += content.toString('utf8')
}

/** What stands between the lines `--boundary` and `--boundary--`. */
const pieces = (body: string, boundary: string) =>
  `\n${body}`
    .split(`\n--${boundary}`)
    .slice(1)
    .filter((piece) => !piece.startsWith('--'))
    .map((piece) => piece.replace(/^[ \t]*\r?\n/, '').replace(/\r$/, ''))

function parameter(header: string, name: string): string | null {
  const found = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^;\\s]+))`, 'i').exec(header)
  return found ? (found[1] ?? found[2] ?? null) : null
}

function decodeBody({ headers, body }: Part): Buffer {
  const encoding = (headers.get('content-transfer-encoding') ?? '7bit').toLowerCase()
  if (encoding === 'base64') return Buffer.from(body, 'base64')
  return encoding === 'quoted-printable' ? decodeQuoted(body.replace(/[ \t]*=\r?\n/g, '')) : Buffer.from(body, 'latin1')
}

const decodeQuoted = (text: string) => Buffer.from(text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))), 'latin1')

/** Words written as `=?utf-8?Q?…?=`; the white space between two of them is none. */
const decodeWords = (text: string): string =>
  text
    .replace(/(\?=)\s+(=\?)/g, '$1$2')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, word: string) => (kind.toLowerCase() === 'b' ? Buffer.from(word, 'base64') : decodeQuoted(word.replaceAll('_', ' '))).toString('utf8'))
