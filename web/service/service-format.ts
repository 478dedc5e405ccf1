import { daysBetween, localDay } from '../../contract/core/dates.ts'
import { makeFormat, type Format } from '../core/i18n/format.ts'
import { useLanguage } from '../core/i18n/i18n.ts'

/** Dates as a letter writes them, in the business's time zone: customers have no display formats of their own. */
export function useServiceFormat(zone: string): Format {
  return makeFormat(useLanguage(), { displayDateFormat: 'j F Y', displayTimeFormat: 'g:i a', displayDateTimeFormat: 'j F Y, g:i a', zone })
}

/** Whole days from today, as the business counts days, until a day; below zero when it has passed. */
export const daysUntil = (day: string, zone: string): number => daysBetween(localDay(new Date().toISOString(), zone), day)
