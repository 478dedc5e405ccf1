import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../contract/core/errors.ts'
import { decode, readFile } from './read-file.ts'

const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
const sentenceOf = async (bytes: Buffer) =>
  readFile(bytes).then(
    () => null,
    (error: unknown) => (error instanceof AppError ? error.fields[0]?.message : error),
  )

describe('the letters of a file', () => {
  test.each([
    ['UTF-8', Buffer.from('Café', 'utf8')],
    ['UTF-16 little', utf16('Café')],
    ['UTF-16 big', Buffer.from([0xfe, 0xff, 0, 67, 0, 97, 0, 102, 0, 0xe9])],
    ['Windows-1252', Buffer.from([67, 97, 102, 0xe9])],
  ])('are read from %s', (_, bytes) => expect(decode(bytes)).toBe('Café'))
  test('of an older Windows include its own quotation marks and the euro', () =>
    expect(decode(Buffer.from([0x93, 0x80, 0x94, 0xe9]))).toBe('“€”é'))
})

describe('a table', () => {
  test('has the rows of the spreadsheet: blank ones and line breaks in cells included', async () => {
    const table = await readFile(Buffer.from('\ufeffName,Notes\r\nA,"one\r\ntwo"\r\n\r\n"say ""hi""",5" x\r\n'))
    expect(table).toEqual({
      source: 'other',
      headers: ['Name', 'Notes'],
      headerRow: 1,
      rows: [
        { row: 2, cells: ['A', 'one\ntwo'] },
        { row: 4, cells: ['say "hi"', '5" x'] },
      ],
    })
  })
  test('of MYOB has its heading below the braces, between tabs or commas', async () => {
    for (const sign of ['\t', ',']) {
      const text = ['{}', `Co./Last Name${sign}First Name`, `Hartmann${sign}Anna`].join('\r\n')
      const table = await readFile(utf16(text))
      expect([table.source, table.headerRow, table.rows]).toEqual([
        'myob',
        2,
        [{ row: 3, cells: ['Hartmann', 'Anna'] }],
      ])
    }
  })
  test('with semicolons is one too', async () =>
    expect((await readFile(Buffer.from('Name;Email\nA, B;a@b.co'))).rows[0]?.cells).toEqual(['A, B', 'a@b.co']))
})

describe('what is no table is refused with what to do', () => {
  const header = Buffer.from('Name\n')
  test.each([
    ['nothing', Buffer.alloc(0), 'This file is empty.'],
    ['blanks', Buffer.from(' \r\n\r\n'), 'This file is empty.'],
    ['a heading', Buffer.from('Name,Email\r\n'), 'This file has a heading and no rows.'],
    ['a PDF', Buffer.from('%PDF-1.7\n…'), 'This is a PDF. Save the list as CSV first.'],
    ['a workbook', Buffer.from('PK\u0003\u0004…[Content_Types].xml'), 'This is a spreadsheet. Save it as CSV first.'],
    ['an archive', Buffer.from('PK\u0003\u0004....customers.csv'), 'This is a ZIP file. Unpack it first.'],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 1, 2]), 'This is a picture. Choose a CSV file.'],
    ['noise', Buffer.alloc(5000), 'This isn’t a CSV file.'],
    ['too much', Buffer.alloc(5 * 1024 * 1024 + 1, 'a'), 'This file is larger than 5 MB. Split it into smaller files.'],
    [
      'too many rows',
      Buffer.concat([header, Buffer.from('A\n'.repeat(10_001))]),
      'This file has more than 10,000 rows. Split it into smaller files.',
    ],
    ['an open quotation', Buffer.from('Name\nA\n"B\nC\n'), 'Row 3: a quotation mark is never closed.'],
    ['an endless row', Buffer.from(`Name\nA\n"${'B\n'.repeat(150_000)}`), 'Row 3: a quotation mark is never closed.'],
    ['columns without end', Buffer.from(`${'A,'.repeat(300)}\n1`), 'Row 1: this file has more than 200 columns.'],
  ])('%s', async (_, bytes, sentence) => expect(await sentenceOf(bytes)).toBe(sentence))

  test('10,000 rows are not too many', async () =>
    expect((await readFile(Buffer.concat([header, Buffer.from('A\n'.repeat(10_000))]))).rows).toHaveLength(10_000))

  test('and broken files of any kind never break the reader', () =>
    fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 300 }),
          fc
            .array(fc.constantFrom('"', ',', '\n', '\r', '\t', ';', 'a', '\0', '{}', '\ufeff'), { maxLength: 60 })
            .map((parts) => Buffer.from(parts.join(''))),
        ),
        async (bytes) => {
          const answer = await sentenceOf(Buffer.from(bytes))
          expect(answer === null || typeof answer === 'string').toBe(true)
        },
      ),
      { numRuns: 300 },
    ))
})
