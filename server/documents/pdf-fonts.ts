import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Font } from '@react-pdf/renderer'
import { sfntOf } from './woff.ts'

const file = (path: string) =>
  `data:font/ttf;base64,${sfntOf(readFileSync(fileURLToPath(import.meta.resolve(path)))).toString('base64')}`
const latin = (weight: number) => file(`@fontsource/public-sans/files/public-sans-latin-${weight}-normal.woff`)
const latinExt = (weight: number) => file(`@fontsource/public-sans/files/public-sans-latin-ext-${weight}-normal.woff`)
// Other Arabic subsets lose the first letter of every run; Cairo keeps it.
const arabic = (weight: number) => file(`@fontsource/cairo/files/cairo-arabic-${weight}-normal.woff`)

const sources = { Sans: latin, SansExt: latinExt, Arabic: arabic } as const
const weights = [400, 600] as const
/** Letters are looked for in this order, for both directions of writing. */
export const fontFamily = Object.keys(sources)

interface Face {
  unitsPerEm: number
  ascent: number
  descent: number
  layout(text: string, features?: Readonly<Record<string, boolean>>, ...rest: readonly unknown[]): unknown
  hasGlyphForCodePoint(codePoint: number): boolean
  glyphForCodePoint(codePoint: number): { advanceWidth: number }
}
type Weight = (typeof weights)[number]
let loading: Promise<void> | null = null
const faces = new Map<Weight, Face[]>()

async function load(): Promise<void> {
  for (const [family, source] of Object.entries(sources))
    Font.register({ family, fonts: weights.map((fontWeight) => ({ src: source(fontWeight), fontWeight })) })
  // The library divides words with a hyphen only, which would read as part of an address or a part number: see `fit`.
  Font.registerHyphenationCallback((word) => [word])
  for (const fontWeight of weights) {
    const found = fontFamily.map(async (family) => {
      const descriptor = { fontFamily: family, fontWeight, fontStyle: 'normal' } as const
      await Font.load(descriptor)
      return Font.getFont(descriptor)?.data as unknown as Face
    })
    const [latinFace, latinExtFace, arabicFace] = await Promise.all(found)
    if (!latinFace || !latinExtFace || !arabicFace) throw new Error('the fonts of documents are not complete')
    setBeside(arabicFace, latinFace)
    faces.set(fontWeight, [latinFace, latinExtFace, arabicFace])
  }
}

/**
 * Makes a font go with another in one line. It stands on the same line, where its own taller letters would stand lower
 * than their neighbours and on the line below. And its letters keep their full width: the library forgets how far a
 * pair of letters is moved together but not that it takes less room, so that the word would lie over the one before it.
 */
function setBeside(face: Face, neighbour: Face) {
  const scale = face.unitsPerEm / neighbour.unitsPerEm
  const layout = face.layout.bind(face)
  Object.defineProperties(face, {
    ascent: { value: neighbour.ascent * scale },
    descent: { value: neighbour.descent * scale },
    layout: {
      value: (text: string, features?: Readonly<Record<string, boolean>>, ...rest: readonly unknown[]) =>
        layout(text, { ...features, kern: false }, ...rest),
    },
  })
}

const known = new Map<number, boolean>()
const controls = '[\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff]'
const pictures = '\\p{Variation_Selector}|\\p{Extended_Pictographic}|\\p{Emoji_Modifier}'
const invisible = new RegExp(`${controls}|${pictures}`, 'gu')

/**
 * Registers the fonts once, and gives what makes a text printable with them: a letter no
 * font has would print as garbage.
 */
export async function printable(): Promise<(text: string) => string> {
  loading ??= load()
  await loading
  const fonts = faces.get(400) ?? []
  const has = (codePoint: number) => {
    const before = known.get(codePoint)
    if (before !== undefined) return before
    const found = fonts.some((font) => font.hasGlyphForCodePoint(codePoint))
    known.set(codePoint, found)
    return found
  }
  return (text) => {
    let out = ''
    for (const letter of text.normalize('NFC').replace(invisible, '').replaceAll('\t', '    ').replaceAll('\r', ''))
      out += letter === '\n' || has(letter.codePointAt(0) ?? 0) ? letter : '?'
    return out
  }
}

/** Width of a letter in points. */
function advance(letter: string, weight: Weight, fontSize: number): number {
  const codePoint = letter.codePointAt(0) ?? 0
  const face = faces.get(weight)?.find((font) => font.hasGlyphForCodePoint(codePoint))
  return face ? (face.glyphForCodePoint(codePoint).advanceWidth / face.unitsPerEm) * fontSize : fontSize
}

const shortWord = 9

/**
 * Breaks words that are wider than their column at the column's edge: addresses, part numbers, a
 * key somebody fell asleep on.
 */
export function fit(text: string, width: number, fontSize: number, weight: Weight): string {
  if (text.length <= shortWord) return text
  return text.replace(/\S{10,}/gu, (word) => {
    let out = ''
    let used = 0
    for (const letter of word) {
      const next = advance(letter, weight, fontSize)
      if (used + next > width) {
        out += '\n'
        used = 0
      }
      out += letter
      used += next
    }
    return out
  })
}

const rightToLeft = /^[^\p{L}]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u
/** Whether a text begins in a script that is written from right to left. */
export const isRightToLeft = (text: string): boolean => rightToLeft.test(text)
