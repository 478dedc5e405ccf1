import { latinDigits } from '../../../contract/core/times.ts'
import type { Language } from '../../../contract/core/languages.ts'

/** Blanks of every width, marks of direction, apostrophes that group thousands, and the currency. */
const ignored = /[\s\u00a0\u2009\u202f\u200e\u200f\u061c'\u2019$]/g
const grouped = /^-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/

/**
 * What a typed comma is. In English it groups thousands, so that `12,50` is refused: it would else become 1,250. In
 * French it begins the decimals. Arabic is written both ways: where a comma can group thousands it does.
 */
export type Comma = 'groups' | 'decimals' | 'either'
export const commaOf: Readonly<Record<Language, Comma>> = { en: 'groups', fr: 'decimals', ar: 'either' }

/** A typed number as plain decimal text; undefined where it could mean two things. */
function plainNumber(text: string, comma: Comma): string | undefined {
  const plain = latinDigits(text)
    .replace(ignored, '')
    .replaceAll('\u060c', ',')
    .replaceAll('\u066b', comma === 'decimals' ? ',' : '.')
    .replaceAll('\u066c', '')
  if (!plain.includes(',')) return plain
  if (comma !== 'decimals' && grouped.test(plain)) return plain.replaceAll(',', '')
  if (comma === 'groups') return undefined
  const parts = /^(-?\d{0,3}(?:\.\d{3})+|-?\d*),(\d*)$/.exec(plain)
  return parts ? `${(parts[1] ?? '').replaceAll('.', '')}.${parts[2]}` : undefined
}

/**
 * Reads typed money (`1,234.5`, `$20`; in French `1 234,5`) as integer cents; null for nothing,
 * undefined for what is no amount.
 */
export function parseMoney(text: string, comma: Comma = 'groups'): number | null | undefined {
  const plain = plainNumber(text, comma)
  if (!plain) return plain === undefined ? undefined : null
  const parts = /^(-?)(\d{0,10})(?:\.(\d{0,2}))?$/.exec(plain)
  if (!parts || !(parts[2] || parts[3])) return undefined
  const cents = Number(parts[2] || '0') * 100 + Number((parts[3] ?? '').padEnd(2, '0'))
  return parts[1] ? -cents : cents
}

/** Cents as one types them: `1234.50`. */
export function typedMoney(cents: number | null | undefined): string {
  if (cents === null || cents === undefined) return ''
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Reads a typed quantity as decimal text with up to four decimals; undefined for what is none. */
export function parseQuantity(text: string, comma: Comma = 'groups'): string | undefined {
  const parts = /^(\d{0,9})(?:\.(\d{0,4}))?$/.exec(plainNumber(text, comma) ?? '-')
  if (!parts || !(parts[1] || parts[2])) return undefined
  const decimals = (parts[2] ?? '').replace(/0+$/, '')
  return (parts[1] || '0').replace(/^0+(?=\d)/, '') + (decimals ? `.${decimals}` : '')
}

/** Reads a typed number of things (`7`); null for nothing, undefined for what is no whole number, or below zero. */
export function parseWhole(text: string): number | null | undefined {
  const plain = latinDigits(text)
    .replace(/[\u200e\u200f\u061c]/g, '')
    .trim()
  if (plain === '') return null
  return /^\d{1,9}$/.test(plain) ? Number(plain) : undefined
}

const wholeShare = 10_000
const parseShare = (text: string, comma: Comma) => parseMoney(text.replace(/[%\u066a]/, ''), comma)

/** Reads a typed percentage (`10`, `7.5`) as basis points; null for nothing, undefined for what is none. */
export function parsePercent(text: string, comma: Comma = 'groups'): number | null | undefined {
  const share = parseShare(text, comma)
  return share === undefined || share === null || (share >= 0 && share <= wholeShare) ? share : undefined
}

/** Whether more than 100% was typed. */
export const isOverWhole = (text: string, comma: Comma): boolean => (parseShare(text, comma) ?? 0) > wholeShare
