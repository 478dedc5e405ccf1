const arabicDigits = /[\u0660-\u0669\u06f0-\u06f9]/g
/** Digits of Arabic and Persian keyboards as those that everything is stored in. */
export const latinDigits = (text: string): string =>
  text.replace(arabicDigits, (digit) => String((digit.codePointAt(0) ?? 0) % 16))

/** Blanks of every width, marks of direction, apostrophes that group thousands, and the currency. */
const ignored = /[\s\u00a0\u2009\u202f\u200e\u200f\u061c'\u2019$]/g
const grouped = /^-?\d{1,3}(?:,\d{3})+(?:\.\d*)?$/

/**
 * A typed number as plain decimal text; undefined where it could mean two things. What a comma is depends on the language: in
 * French it begins the decimals, in the others it groups thousands, so that `12,50` is 12.50 there and refused here, where it
 * would else become 1,250.
 */
function plainNumber(text: string, isCommaDecimal: boolean): string | undefined {
  const plain = latinDigits(text)
    .replace(ignored, '')
    .replaceAll('\u066b', isCommaDecimal ? ',' : '.')
    .replaceAll('\u066c', '')
  if (!plain.includes(',')) return plain
  if (!isCommaDecimal) return grouped.test(plain) ? plain.replaceAll(',', '') : undefined
  const parts = /^(-?\d{0,3}(?:\.\d{3})+|-?\d*),(\d*)$/.exec(plain)
  return parts ? `${(parts[1] ?? '').replaceAll('.', '')}.${parts[2]}` : undefined
}

/** Reads typed money (`1,234.5`, `$20`; in French `1 234,5`) as integer cents; null for nothing, undefined for what is no amount. */
export function parseMoney(text: string, isCommaDecimal = false): number | null | undefined {
  const plain = plainNumber(text, isCommaDecimal)
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
export function parseQuantity(text: string, isCommaDecimal = false): string | undefined {
  const parts = /^(\d{0,9})(?:\.(\d{0,4}))?$/.exec(plainNumber(text, isCommaDecimal) ?? '-')
  if (!parts || !(parts[1] || parts[2])) return undefined
  const decimals = (parts[2] ?? '').replace(/0+$/, '')
  return (parts[1] || '0').replace(/^0+(?=\d)/, '') + (decimals ? `.${decimals}` : '')
}

/** Reads a typed percentage (`10`, `7.5`) as basis points; null for nothing, undefined for what is none. */
export function parsePercent(text: string, isCommaDecimal = false): number | null | undefined {
  const cents = parseMoney(text.replace(/[%\u066a]/, ''), isCommaDecimal)
  return cents === undefined || cents === null ? cents : cents >= 0 && cents <= 10_000 ? cents : undefined
}
