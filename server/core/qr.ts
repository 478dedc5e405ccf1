/**
 * A QR code of a text (ISO/IEC 18004): byte mode, error correction M, versions 1 to 20. Phones read it; nothing here depends on
 * anything else.
 */

/** Per version: error-correction words of each block, and the number of blocks, at level M. */
const ecWords = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26]
const blockCounts = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16]
const quietZone = 4
type Grid = (boolean | null)[][]

const sizeOf = (version: number) => version * 4 + 17

function rawModules(version: number): number {
  let count = (16 * version + 128) * version + 64
  if (version >= 2) {
    const marks = Math.floor(version / 7) + 2
    count -= (25 * marks - 10) * marks - 55
    if (version >= 7) count -= 36
  }
  return count
}
const dataWords = (version: number) => Math.floor(rawModules(version) / 8) - (ecWords[version - 1] ?? 0) * (blockCounts[version - 1] ?? 0)

function multiply(a: number, b: number): number {
  let product = 0
  for (let i = 7; i >= 0; i--) product = ((product << 1) ^ ((product >>> 7) * 0x11d)) ^ (((b >>> i) & 1) * a)
  return product & 255
}

function generator(degree: number): number[] {
  const result = Array<number>(degree).fill(0)
  result[degree - 1] = 1
  let root = 1
  for (let i = 0; i < degree; i++) {
    for (let j = 0; j < degree; j++) result[j] = multiply(result[j] ?? 0, root) ^ (result[j + 1] ?? 0)
    root = multiply(root, 2)
  }
  return result
}

function remainder(data: readonly number[], divisor: readonly number[]): number[] {
  const result = divisor.map(() => 0)
  for (const word of data) {
    const factor = word ^ (result.shift() ?? 0)
    result.push(0)
    divisor.forEach((coefficient, i) => (result[i] = (result[i] ?? 0) ^ multiply(coefficient, factor)))
  }
  return result
}

/** The text as words of the smallest version it fits into. */
function encode(text: string): { version: number; words: number[] } {
  const bytes = [...new TextEncoder().encode(text)]
  const version = ecWords.findIndex((_, i) => dataWords(i + 1) * 8 >= 4 + (i + 1 < 10 ? 8 : 16) + bytes.length * 8) + 1
  if (version === 0) throw new Error('the text is too long for a picture')
  const bits: number[] = []
  const push = (value: number, length: number) => {
    for (let i = length - 1; i >= 0; i--) bits.push((value >>> i) & 1)
  }
  push(4, 4)
  push(bytes.length, version < 10 ? 8 : 16)
  for (const byte of bytes) push(byte, 8)
  const room = dataWords(version) * 8
  push(0, Math.min(4, room - bits.length))
  push(0, (8 - (bits.length % 8)) % 8)
  const words = Array.from({ length: bits.length / 8 }, (_, i) => Number.parseInt(bits.slice(i * 8, i * 8 + 8).join(''), 2))
  for (let pad = 0xec; words.length < room / 8; pad ^= 0xec ^ 0x11) words.push(pad)
  return { version, words }
}

/** Blocks with their error correction, interleaved. */
function interleave(version: number, words: readonly number[]): number[] {
  const count = blockCounts[version - 1] ?? 1
  const ec = ecWords[version - 1] ?? 0
  const total = Math.floor(rawModules(version) / 8)
  const shortCount = count - (total % count)
  const shortLength = Math.floor(total / count) - ec
  const divisor = generator(ec)
  const blocks: { data: number[]; check: number[] }[] = []
  for (let i = 0, at = 0; i < count; i++) {
    const data = words.slice(at, at + shortLength + (i < shortCount ? 0 : 1))
    at += data.length
    blocks.push({ data, check: remainder(data, divisor) })
  }
  const result: number[] = []
  for (let i = 0; i <= shortLength; i++) for (const { data } of blocks) if (i < data.length) result.push(data[i] ?? 0)
  for (let i = 0; i < ec; i++) for (const { check } of blocks) result.push(check[i] ?? 0)
  return result
}

const set = (grid: Grid, x: number, y: number, dark: boolean) => {
  const row = grid[y]
  if (row && x >= 0 && x < row.length) row[x] = dark
}

function alignmentAt(version: number): number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2
  return [6, ...Array.from({ length: count - 1 }, (_, i) => sizeOf(version) - 7 - (count - 2 - i) * step)]
}

/** The fixed marks that a reader finds its way by. */
function drawMarks(grid: Grid, version: number) {
  const size = sizeOf(version)
  for (let i = 0; i < size; i++) {
    set(grid, 6, i, i % 2 === 0)
    set(grid, i, 6, i % 2 === 0)
  }
  for (const [cx, cy] of [[3, 3], [size - 4, 3], [3, size - 4]] as const)
    for (let dy = -4; dy <= 4; dy++) for (let dx = -4; dx <= 4; dx++) set(grid, cx + dx, cy + dy, ![2, 4].includes(Math.max(Math.abs(dx), Math.abs(dy))))
  const at = alignmentAt(version)
  const last = at.length - 1
  at.forEach((y, i) =>
    at.forEach((x, j) => {
      if ((i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0)) return
      for (let dy = -2; dy <= 2; dy++) for (let dx = -2; dx <= 2; dx++) set(grid, x + dx, y + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1)
    }),
  )
}

function drawFormat(grid: Grid, version: number, mask: number) {
  const size = sizeOf(version)
  // Level M is written as 00, so the mask alone is left.
  let rest = mask
  for (let i = 0; i < 10; i++) rest = (rest << 1) ^ ((rest >>> 9) * 0x537)
  const bits = ((mask << 10) | rest) ^ 0x5412
  const bit = (i: number) => ((bits >>> i) & 1) === 1
  for (let i = 0; i <= 5; i++) set(grid, 8, i, bit(i))
  set(grid, 8, 7, bit(6))
  set(grid, 8, 8, bit(7))
  set(grid, 7, 8, bit(8))
  for (let i = 9; i < 15; i++) set(grid, 14 - i, 8, bit(i))
  for (let i = 0; i < 8; i++) set(grid, size - 1 - i, 8, bit(i))
  for (let i = 8; i < 15; i++) set(grid, 8, size - 15 + i, bit(i))
  set(grid, 8, size - 8, true)
  if (version < 7) return
  let check = version
  for (let i = 0; i < 12; i++) check = (check << 1) ^ ((check >>> 11) * 0x1f25)
  const versionBits = (version << 12) | check
  for (let i = 0; i < 18; i++) {
    const a = size - 11 + (i % 3)
    const b = Math.floor(i / 3)
    set(grid, a, b, ((versionBits >>> i) & 1) === 1)
    set(grid, b, a, ((versionBits >>> i) & 1) === 1)
  }
}

/** Words go up and down in pairs of columns from the right; mask 0 turns every other module so that no large field stays even. */
function drawWords(grid: Grid, words: readonly number[]) {
  const size = grid.length
  let i = 0
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step++) {
      for (const x of [right, right - 1]) {
        const y = ((right + 1) & 2) === 0 ? size - 1 - step : step
        const row = grid[y]
        if (!row || row[x] !== null) continue
        const dark = i < words.length * 8 && (((words[i >>> 3] ?? 0) >>> (7 - (i & 7))) & 1) === 1
        row[x] = dark !== ((x + y) % 2 === 0)
        i++
      }
    }
  }
}

/** The modules of a text, true for dark ones, without a quiet zone. */
export function qrModules(text: string): boolean[][] {
  const { version, words } = encode(text)
  const grid: Grid = Array.from({ length: sizeOf(version) }, () => Array<boolean | null>(sizeOf(version)).fill(null))
  drawMarks(grid, version)
  drawFormat(grid, version, 0)
  drawWords(grid, interleave(version, words))
  return grid.map((row) => row.map((dark) => dark === true))
}

/** As one SVG path: a square of `size` units with the quiet zone around it. */
export function qrPath(text: string): { size: number; path: string } {
  const modules = qrModules(text)
  const path = modules.flatMap((row, y) => row.flatMap((dark, x) => (dark && !row[x - 1] ? [`M${x + quietZone} ${y + quietZone}h${runFrom(row, x)}v1h-${runFrom(row, x)}z`] : []))).join('')
  return { size: modules.length + 2 * quietZone, path }
}
function runFrom(row: readonly boolean[], x: number): number {
  const end = row.indexOf(false, x)
  return (end < 0 ? row.length : end) - x
}
