import type { Language } from '../../../contract/core/languages.ts'
import { type Phrase, phrases } from './phrases.ts'

const whole = new Intl.NumberFormat('en-AU', { useGrouping: true, maximumFractionDigits: 0 })

/** `−$1,234.50`: cents as people read them. */
export function money(cents: number): string {
  const digits = Math.abs(cents).toString().padStart(3, '0')
  return `${cents < 0 ? '−' : ''}$${whole.format(BigInt(digits.slice(0, -2)))}.${digits.slice(-2)}`
}

const noBreakSpace = '\u00a0'
/** Among Arabic letters an amount would else be read from both ends. */
const leftToRight = '\u200e'

/** Amounts as a language writes them: `$1,234.50`, in French `1 234,50 $`. */
export function moneyIn(language: Language): (cents: number) => string {
  if (language === 'ar') return (cents) => leftToRight + money(cents)
  if (language === 'fr')
    return (cents) => `${money(cents).replace('$', '').replaceAll(',', noBreakSpace).replace('.', ',')}${noBreakSpace}$`
  return money
}

/** What sentences about documents are made with, in one language. */
export interface Words {
  language: Language
  t: Phrase
  /** The phrases of printed documents. */
  document: Phrase
  money: (cents: number) => string
  day: (day: string) => string
}

export function wordsIn(language: Language): Words {
  const document = phrases('documents', language)
  return {
    language,
    t: phrases('messages', language),
    document,
    money: moneyIn(language),
    day: (day) => longDay(day, document),
  }
}

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

/** `2026-07-01` as `1 July 2026`. */
export function longDay(day: string, t: Phrase): string {
  const [year = '', month = '', date = ''] = day.split('-')
  return t(date === '01' ? 'firstDay' : 'day', {
    date: Number(date),
    month: t(`months.${months[Number(month) - 1] ?? 'January'}`),
    year,
  })
}

const decimal = (language: Language, plain: string) => (language === 'fr' ? plain.replace('.', ',') : plain)

/** Basis points as a language writes a share: `12.5%`, in French `12,5 %`. */
export function percentIn(language: Language): (basisPoints: number) => string {
  const sign = language === 'fr' ? `${noBreakSpace}%` : '%'
  return (basisPoints) => {
    const digits = basisPoints.toString().padStart(3, '0')
    const decimals = digits.slice(-2).replace(/0+$/, '')
    return decimal(language, `${digits.slice(0, -2)}${decimals ? `.${decimals}` : ''}`) + sign
  }
}

/** Quantities as a language writes them. */
export const quantityIn = (language: Language) => (quantity: string) => decimal(language, quantity)

/** Lines of an address, empty parts left out. */
export const addressLines = (
  address: { line1: string; line2?: string | null | undefined; suburb: string; state: string; postcode: string } | null,
): string[] =>
  address
    ? [address.line1, address.line2 ?? '', `${address.suburb} ${address.state} ${address.postcode}`].filter(
        (line) => line.trim() !== '',
      )
    : []

/** `062-000`. */
export const formatBsb = (bsb: string): string => bsb.replace(/^(\d{3})-?(\d{3})$/, '$1-$2')
