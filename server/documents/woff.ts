import { inflateSync } from 'node:zlib'

const headerBytes = 44
const entryBytes = 20

/**
 * The plain font inside a WOFF file. The PDF library reads WOFF, too, but unpacks its tables in JavaScript again for
 * every document, which costs more than all the rest of drawing a page.
 */
export function sfntOf(woff: Buffer): Buffer {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error('not a WOFF font')
  const tables = Array.from({ length: woff.readUInt16BE(12) }, (_, i) => tableAt(woff, headerBytes + i * entryBytes))
  const directory = Buffer.alloc(12 + tables.length * 16)
  const power = 2 ** Math.floor(Math.log2(tables.length))
  directory.writeUInt32BE(woff.readUInt32BE(4), 0)
  directory.writeUInt16BE(tables.length, 4)
  directory.writeUInt16BE(power * 16, 6)
  directory.writeUInt16BE(Math.log2(power), 8)
  directory.writeUInt16BE((tables.length - power) * 16, 10)
  const parts: Buffer[] = [directory]
  let offset = directory.length
  tables.forEach(({ tag, checksum, bytes }, i) => {
    const at = 12 + i * 16
    directory.write(tag, at, 'latin1')
    directory.writeUInt32BE(checksum, at + 4)
    directory.writeUInt32BE(offset, at + 8)
    directory.writeUInt32BE(bytes.length, at + 12)
    const padded = Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])
    parts.push(padded)
    offset += padded.length
  })
  return Buffer.concat(parts)
}

function tableAt(woff: Buffer, at: number) {
  const offset = woff.readUInt32BE(at + 4)
  const packed = woff.subarray(offset, offset + woff.readUInt32BE(at + 8))
  const length = woff.readUInt32BE(at + 12)
  return {
    tag: woff.toString('latin1', at, at + 4),
    checksum: woff.readUInt32BE(at + 16),
    bytes: packed.length < length ? inflateSync(packed) : packed,
  }
}
