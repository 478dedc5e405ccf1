import { daysBetween, localDay } from '../../contract/core/dates.ts'
import { preferencesOf, useAuth, useUser } from '../core/api/auth-state.ts'
import { makeFormat, type Format } from '../core/i18n/format.ts'
import { useLanguage } from '../core/i18n/i18n.ts'

/** Dates as a letter writes them: customers have no display formats of their own, and read them in words, as in the PDF and the mail. */
const inWords = { displayDateFormat: 'j F Y', displayTimeFormat: 'g:i a', displayDateTimeFormat: 'j F Y, g:i a' }

/** In the business's time zone; whoever is logged in reads dates in the formats he chose for himself. */
export function useServiceFormat(zone: string): Format {
  const auth = useAuth()
  const isLoggedIn = useUser() !== null
  return makeFormat(useLanguage(), { ...(isLoggedIn ? preferencesOf(auth) : inWords), zone })
}

/** A document's number within a sentence: browsers would else divide it after its hyphen. */
export const unbroken = (number: string): string => number.replaceAll('-', '-\u2060')

/** Whole days from today, as the business counts days, until a day; below zero when it has passed. */
export const daysUntil = (day: string, zone: string): number =>
  daysBetween(localDay(new Date().toISOString(), zone), day)
