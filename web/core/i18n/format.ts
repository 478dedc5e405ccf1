import { daysBetween, formatPattern, localDay } from '../../../contract/core/dates.ts'
import { authState, preferencesOf, useAuth } from '../api/auth-state.ts'
import { currency, defaultZone } from '../config.ts'
import { useLanguage } from './i18n.ts'
import { isRtl, type Language } from '../../../contract/core/languages.ts'
import { isolated, localeOf } from './languages.ts'
import { languageNow } from './store.ts'

/** As PDFs and mails write it. */
const decimalIn = (language: Language, plain: string) => (language === 'fr' ? plain.replace('.', ',') : plain)

const latin = (language: Language) => `${localeOf(language)}-u-nu-latn`
const formatters = new Map<string, Intl.NumberFormat | Intl.RelativeTimeFormat>()

function cached<F extends Intl.NumberFormat | Intl.RelativeTimeFormat>(key: string, make: () => F): F {
  const known = formatters.get(key) as F | undefined
  if (known) return known
  const made = make()
  formatters.set(key, made)
  return made
}

/** Intl writes the hyphen of the keyboard. */
const withMinus = (text: string) => text.replace('-', '\u2212')

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

export interface Format {
  /** Integer cents as `$1,234.50`; `isWhole` leaves the cents out, for tiles and axes. */
  money: (cents: number, isWhole?: boolean) => string
  number: (value: number) => string
  /** Basis points as a percentage: 1000 is `10%`; `isEven` always writes one decimal, for columns. */
  percent: (basisPoints: number, isEven?: boolean) => string
  /** A quantity as it is stored, `2.5000`, without the zeros that say nothing. */
  quantity: (decimal: string) => string
  /** A day (`YYYY-MM-DD`) or an instant in the zone of the business; empty for null. */
  date: (value: string | null | undefined) => string
  time: (instant: string | null | undefined) => string
  dateTime: (instant: string | null | undefined) => string
  /** `3 days ago`, `in 2 hours`. */
  /** Seen from `now`, the present moment when not given. */
  relative: (instant: string | null | undefined, now?: number) => string
  /** How many days ago a day was. */
  daysSince: (day: string) => number
  zone: string
}

export function makeFormat(
  language: Language,
  patterns: {
    displayDateFormat: string
    displayTimeFormat: string
    displayDateTimeFormat: string
    zone?: string | undefined
  },
): Format {
  const locale = latin(language)
  const zone = patterns.zone ?? defaultZone
  // Among Arabic letters the parts of a date and the sign of a percentage would change places.
  const apart = (text: string) => (text && isRtl(language) ? isolated(text) : text)
  const by = (pattern: string) => (value: string | null | undefined) =>
    apart(value ? formatPattern(value, pattern, { zone, locale: localeOf(language) }) : '')
  // Arabic would name the dollar in letters from both directions; the amount is written as
  // on every Australian document.
  const moneyLocale = language === 'ar' ? latin('en') : locale
  const moneyIn = (digits: number) =>
    cached(
      `money|${moneyLocale}|${digits}`,
      () =>
        new Intl.NumberFormat(moneyLocale, {
          style: 'currency',
          currency,
          currencyDisplay: 'narrowSymbol',
          minimumFractionDigits: digits,
          maximumFractionDigits: digits,
        }),
    )
  // Among Arabic letters an amount would else be read from both ends.
  const mark = language === 'ar' ? '\u200e' : ''
  return {
    zone,
    money: (cents, isWhole = false) => mark + withMinus(moneyIn(isWhole ? 0 : 2).format(cents === 0 ? 0 : cents / 100)),
    number: (value) => withMinus(cached(`number|${locale}`, () => new Intl.NumberFormat(locale)).format(value)),
    percent: (basisPoints, isEven = false) =>
      apart(
        withMinus(
          cached(
            `percent|${locale}|${isEven}`,
            () =>
              new Intl.NumberFormat(locale, {
                style: 'percent',
                minimumFractionDigits: isEven ? 1 : 0,
                maximumFractionDigits: isEven ? 1 : 2,
              }),
          ).format(basisPoints / 10_000),
        ),
      ),
    quantity: (decimal) =>
      withMinus(decimalIn(language, decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal)),
    date: by(patterns.displayDateFormat),
    time: by(patterns.displayTimeFormat),
    dateTime: by(patterns.displayDateTimeFormat),
    daysSince: (day) => daysBetween(day, localDay(new Date().toISOString(), zone)),
    relative: (instant, now = Date.now()) => {
      if (!instant) return ''
      const seconds = (Date.parse(instant) - now) / 1000
      const [unit, size] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
      return cached(`relative|${locale}`, () => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })).format(
        Math.round(seconds / size),
        unit,
      )
    },
  }
}

/**
 * Makes what writes amounts and dates, which takes longer than to use it a hundred times, while
 * there is nothing else to do.
 */
export function readyFormats() {
  const { dateTime, money, number } = makeFormat(languageNow(), preferencesOf(authState.get()))
  dateTime(new Date().toISOString())
  money(0)
  number(0)
}

/** Money, numbers and dates in the language of the screen and by the user's own display formats. */
export function useFormat(): Format {
  const language = useLanguage()
  const auth = useAuth()
  return makeFormat(language, preferencesOf(auth))
}
