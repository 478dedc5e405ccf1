import { daysBetween, localDay } from '../../contract/core/dates.ts'
import type { Language } from '../../contract/core/languages.ts'
import { preferencesOf, useAuth, useUser } from '../core/api/auth-state.ts'
import { makeFormat, type Format } from '../core/i18n/format.ts'
import { useLanguage } from '../core/i18n/i18n.ts'

/**
 * Dates as a letter writes them: customers have no display formats of their own, and read them in
 * words, as in the PDF and the mail.
 */
const inWords = (time: string) => ({
  displayDateFormat: 'j F Y',
  displayTimeFormat: time,
  displayDateTimeFormat: `j F Y, ${time}`,
})
/** French knows no morning and afternoon in its times. */
const times: Record<Language, string> = { en: 'g:i a', fr: 'H:i', ar: 'g:i a' }

/** In the business's time zone; whoever is logged in reads dates in the formats he chose for himself. */
export function useServiceFormat(zone: string): Format {
  const auth = useAuth()
  const isLoggedIn = useUser() !== null
  const language = useLanguage()
  return makeFormat(language, { ...(isLoggedIn ? preferencesOf(auth) : inWords(times[language])), zone })
}

/** Today, as the business counts days. */
export const todayIn = (zone: string): string => localDay(new Date().toISOString(), zone)

/** Whole days from today until a day; below zero when it has passed. */
export const daysUntil = (day: string, zone: string): number => daysBetween(todayIn(zone), day)
