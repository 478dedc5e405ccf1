import { addDays, addMonths } from './core/dates.ts'

/** How often a legal entity reports its GST. */
export type BasCycle = 'monthly' | 'quarterly' | 'annual'

const monthsOf = { monthly: 1, quarterly: 3, annual: 12 } as const satisfies Record<BasCycle, number>
/** Periods are counted from here: financial years begin in July. */
const firstOfYear = 7

/** The period of the activity statement that a day belongs to. */
export function basPeriodOf(day: string, cycle: BasCycle): { from: string; to: string } {
  const months = monthsOf[cycle]
  const month = Number(day.slice(5, 7))
  const into = (month - firstOfYear + 12) % months
  const from = addMonths(`${day.slice(0, 8)}01`, -into)
  return { from, to: addDays(addMonths(from, months), -1) }
}

const inEnglish = (day: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-AU', { ...options, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
const monthOf = (day: string) => inEnglish(day, { month: 'long' })
const fullDay = (day: string) => inEnglish(day, { day: 'numeric', month: 'long', year: 'numeric' })

/** A period of whole months as people say it: "July to September 2026". */
function periodName({ from, to }: { from: string; to: string }): string {
  const [first, last] = [from.slice(0, 4), to.slice(0, 4)]
  if (from.slice(0, 7) === to.slice(0, 7)) return `${monthOf(to)} ${last}`
  return `${monthOf(from)}${first === last ? '' : ` ${first}`} to ${monthOf(to)} ${last}`
}

/** What is said of a day that is locked: by its period, or by the last locked day where that ends within it. */
export function lockedSentence(day: string, through: string, cycle: BasCycle): string {
  const period = basPeriodOf(day, cycle)
  const open = `Use a day from ${fullDay(addDays(through, 1))}, or ask for it to be unlocked.`
  if (period.to <= through) return `${periodName(period)} is locked. ${open}`
  return `Everything up to ${fullDay(through)} is locked. ${open}`
}
