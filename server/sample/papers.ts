import { Transformer } from '@napi-rs/image'
import { crc32 } from 'node:zlib'

/** Pictures and papers for the sample company, all of them drawn and written here. */
export interface Scene {
  /** The colour of the sky, the ground and the fence, as `#rrggbb`. */
  sky: string
  ground: string
  fence: string
  /** How many panels stand already. */
  panels: number
  width?: number
  height?: number
}

/** A building site with some panels of a fence. */
export async function photo({ sky, ground, fence, panels, width = 800, height = 600 }: Scene): Promise<Buffer> {
  const step = width / 10
  const panel = (i: number) => {
    const x = Math.round(step * (i + 0.5))
    const [top, tall, wide] = [Math.round(height * 0.5), Math.round(height * 0.3), Math.round(step * 0.9)]
    return `<rect x="${x}" y="${top}" width="${wide}" height="${tall}" fill="${fence}" stroke="#333" stroke-width="3"/>
      <path d="M${x} ${top}l${wide} ${tall}m0 ${-tall}l${-wide} ${tall}" stroke="#333" stroke-width="1"/>`
  }
  const house = `<path d="M${width * 0.3} ${height * 0.55}v${-height * 0.25}l${width * 0.2} ${-height * 0.15}
    l${width * 0.2} ${height * 0.15}v${height * 0.25}z" fill="#b5654a"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="${width}" height="${height}" fill="${sky}"/>
    <circle cx="${width * 0.82}" cy="${height * 0.16}" r="${height * 0.07}" fill="#ffe9a8"/>
    ${house}<rect y="${height * 0.55}" width="${width}" height="${height * 0.45}" fill="${ground}"/>
    ${Array.from({ length: panels }, (_, i) => panel(i)).join('')}</svg>`
  return Transformer.fromSvg(svg, '#ffffff').jpeg(82)
}

/** One page of plain lines; brackets and backslashes are not written. */
export function pdf(lines: readonly string[]): Buffer {
  const text = lines.map((line) => `(${line.replace(/[()\\]/g, '')}) Tj T*`).join('\n')
  const stream = `BT /F1 12 Tf 16 TL 56 780 Td\n${text}\nET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, i) => {
    const at = body.length
    body += `${i + 1} 0 obj\n${object}\nendobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`
  return Buffer.from(body + table + trailer, 'latin1')
}

/** A ZIP whose parts are not packed. */
function zip(parts: Readonly<Record<string, string>>): Buffer {
  const local: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, text] of Object.entries(parts)) {
    const data = Buffer.from(text)
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    // The first day that such a file can be of.
    head.writeUInt16LE(0x21, 8)
    head.writeUInt32LE(crc32(data), 10)
    head.writeUInt32LE(data.length, 14)
    head.writeUInt32LE(data.length, 18)
    head.writeUInt16LE(name.length, 22)
    const entry = Buffer.alloc(14)
    entry.writeUInt32LE(at, 10)
    directory.push(Buffer.from('PK\u0001\u0002\u0014\0', 'latin1'), head, entry, Buffer.from(name))
    const whole = [Buffer.from('PK\u0003\u0004', 'latin1'), head, Buffer.from(name), data]
    local.push(...whole)
    at += whole.reduce((sum, piece) => sum + piece.length, 0)
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(Object.keys(parts).length, 4)
  end.writeUInt16LE(Object.keys(parts).length, 6)
  end.writeUInt32LE(listed.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...local, listed, Buffer.from('PK\u0005\u0006', 'latin1'), end])
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
const relations = (target: string, type: string) =>
  `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/${type}"
    Target="${target}"/></Relationships>`
const types = (...parts: [name: string, type: string][]) =>
  `${head}<Types xmlns="${packages}/content-types"><Default Extension="rels"
    ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml"
    ContentType="application/xml"/>${parts
      .map(([name, type]) => {
        const content = `application/vnd.openxmlformats-officedocument.${type}+xml`
        return `<Override PartName="${name}" ContentType="${content}"/>`
      })
      .join('')}</Types>`

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
export const docx = (lines: readonly string[]): Buffer =>
  zip({
    '[Content_Types].xml': types(['/word/document.xml', 'wordprocessingml.document.main']),
    '_rels/.rels': relations('word/document.xml', 'officeDocument'),
    'word/document.xml': `${head}<w:document xmlns:w="${word}"><w:body>${lines
      .map((line) => `<w:p><w:r><w:t>${escaped(line)}</w:t></w:r></w:p>`)
      .join('')}</w:body></w:document>`,
  })

const sheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
export const xlsx = (rows: readonly (readonly string[])[]): Buffer =>
  zip({
    '[Content_Types].xml': types(
      ['/xl/workbook.xml', 'spreadsheetml.sheet.main'],
      ['/xl/worksheets/sheet1.xml', 'spreadsheetml.worksheet'],
    ),
    '_rels/.rels': relations('xl/workbook.xml', 'officeDocument'),
    'xl/workbook.xml': `${head}<workbook xmlns="${sheet}" xmlns:r="${office}"><sheets><sheet name="Sheet 1" sheetId="1"
      r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations('worksheets/sheet1.xml', 'worksheet'),
    'xl/worksheets/sheet1.xml': `${head}<worksheet xmlns="${sheet}"><sheetData>${rows
      .map((cells) => `<row>${cells.map((c) => `<c t="inlineStr"><is><t>${escaped(c)}</t></is></c>`).join('')}</row>`)
      .join('')}</sheetData></worksheet>`,
  })
