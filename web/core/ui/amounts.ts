/** Reads typed money (`1,234.5`, `$20`) as integer cents; null for nothing, undefined for what is no amount. */
export function parseMoney(text: string): number | null | undefined {
  const plain = text.replace(/[\s,$\u00a0]/g, '')
  if (!plain) return null
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
export function parseQuantity(text: string): string | undefined {
  const plain = text.replace(/[\s,\u00a0]/g, '')
  const parts = /^(\d{0,9})(?:\.(\d{0,4}))?$/.exec(plain)
  if (!parts || !(parts[1] || parts[2])) return undefined
  const decimals = (parts[2] ?? '').replace(/0+$/, '')
  return (parts[1] || '0').replace(/^0+(?=\d)/, '') + (decimals ? `.${decimals}` : '')
}

/** Reads a typed percentage (`10`, `7.5`) as basis points; null for nothing, undefined for what is none. */
export function parsePercent(text: string): number | null | undefined {
  const cents = parseMoney(text.replace('%', ''))
  return cents === undefined || cents === null ? cents : cents >= 0 && cents <= 10_000 ? cents : undefined
}
