import { setImmediate } from 'node:timers/promises'
import { type CsvError, parse } from 'csv-parse'
import { invalid } from '../../contract/core/errors.ts'
import { isBraces, sourceOf, type ImportSource } from '../../contract/customer-files.ts'

const maxFileBytes = 5 * 1024 * 1024
const maxRows = 10_000
const maxColumns = 200
/** With the blank ones, which a spreadsheet counts too. */
const maxLines = 3 * maxRows
/** Of one row, in bytes: longer ones come from a quotation mark that nothing closes. */
const maxRowBytes = 200_000
const chunkLength = 64 * 1024

/** A file as a table: its heading, and its rows by the numbers that a spreadsheet gives them. */
export interface FileTable {
  source: ImportSource
  headers: string[]
  /** The row of the heading. */
  headerRow: number
  rows: { row: number; cells: string[] }[]
}

const wrong = (message: string) => invalid('base64', message)

const tooMany = () => wrong('This file has more than 10,000 rows. Split it into smaller files.')

const begins = (bytes: Buffer, ...first: number[]) => first.every((byte, i) => bytes[i] === byte)

/** By content, never by name. */
function refuseOthers(bytes: Buffer) {
  if (bytes.length === 0) throw wrong('This file is empty.')
  if (bytes.length > maxFileBytes) throw wrong('This file is larger than 5 MB. Split it into smaller files.')
  if (bytes.subarray(0, 1024).includes('%PDF-')) throw wrong('This is a PDF. Save the list as CSV first.')
  const isSpreadsheet = begins(bytes, 0xd0, 0xcf, 0x11, 0xe0) || bytes.subarray(0, 4096).includes('[Content_Types].xml')
  if (isSpreadsheet) throw wrong('This is a spreadsheet. Save it as CSV first.')
  if (begins(bytes, 0x50, 0x4b, 0x03, 0x04)) throw wrong('This is a ZIP file. Unpack it first.')
  const isPicture = begins(bytes, 0x89, 0x50, 0x4e, 0x47) || begins(bytes, 0xff, 0xd8, 0xff)
  if (isPicture) throw wrong('This is a picture. Choose a CSV file.')
}

/** UTF-16 says so by its first bytes; what is no UTF-8 was written by an older Windows. */
export function decode(bytes: Buffer): string {
  if (begins(bytes, 0xff, 0xfe)) return new TextDecoder('utf-16le').decode(bytes)
  if (begins(bytes, 0xfe, 0xff)) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The sign between columns: the one that the heading has most of, outside quotation marks. */
function delimiterOf(text: string): string {
  const lines = text.split('\n', 20)
  const heading = lines.find((line) => line.replace(/[{}\s,;\t]/g, '') !== '') ?? ''
  const bare = heading.replace(/"[^"]*"/g, '')
  const counts = [',', '\t', ';'].map((sign) => ({ sign, count: bare.split(sign).length - 1 }))
  return counts.toSorted((a, b) => b.count - a.count)[0]?.sign ?? ','
}

/** The rows of a file, read in pieces so that nobody else waits for all of it. */
async function rowsOf(text: string): Promise<string[][]> {
  const parser = parse({
    delimiter: delimiterOf(text),
    record_delimiter: '\n',
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: maxRowBytes,
  })
  const rows: string[][] = []
  const next = () => parser.read() as string[] | null
  let failure: CsvError | null = null
  parser.on('readable', () => {
    for (let row = next(); row !== null; row = next()) rows.push(row)
  })
  const ended = new Promise<void>((resolve) => {
    parser.on('end', resolve)
    parser.on('error', (error: CsvError) => {
      failure = error
      resolve()
    })
  })
  for (let at = 0; at < text.length && failure === null && rows.length <= maxLines; at += chunkLength) {
    parser.write(text.slice(at, at + chunkLength))
    await setImmediate()
  }
  if (rows.length > maxLines) throw tooMany()
  parser.end()
  await ended
  if (failure !== null) throw brokenAt(failure, rows.length + 1)
  return rows
}

function brokenAt({ code }: CsvError, row: number) {
  return code === 'CSV_QUOTE_NOT_CLOSED' || code === 'CSV_MAX_RECORD_SIZE'
    ? wrong(`Row ${row}: a quotation mark is never closed.`)
    : wrong(`Row ${row}: this row can’t be read.`)
}

const isBlank = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '')

/** The table in a file. What is none is refused with a sentence that says what to do. */
export async function readFile(bytes: Buffer): Promise<FileTable> {
  refuseOthers(bytes)
  const text = decode(bytes)
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
  if (text.trim() === '') throw wrong('This file is empty.')
  const nothings = text.slice(0, 4096).split('\0').length - 1
  if (nothings > 20) throw wrong('This isn’t a CSV file.')
  const rows = await rowsOf(text)
  const isBraced = isBraces(rows[0] ?? [])
  const at = rows.findIndex((cells, i) => !isBlank(cells) && !(isBraced && i === 0))
  const headers = rows[at] ?? []
  if (headers.length > maxColumns) throw wrong(`Row ${at + 1}: this file has more than 200 columns.`)
  const filled = rows
    .map((cells, i) => ({ row: i + 1, cells }))
    .slice(at + 1)
    .filter(({ cells }) => !isBlank(cells))
  if (filled.length === 0) throw wrong('This file has a heading and no rows.')
  if (filled.length > maxRows) throw tooMany()
  return { source: sourceOf(headers, isBraced), headers, headerRow: at + 1, rows: filled }
}
