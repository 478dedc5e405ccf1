import { z } from 'zod'
import type { AutomaticEmails } from '../../contract/automatic-emails.ts'
import { formatPattern, instantAt } from '../../contract/core/dates.ts'
import { parseTime } from '../../contract/core/times.ts'
import { policyInput, type ReminderPolicy } from '../../contract/reminders.ts'
import type { Fields, Say } from '../record/record-facts.tsx'

export type PolicyInput = z.output<typeof policyInput>

const switches = z.strictObject({ sendsWelcome: z.boolean(), sendsFollowUps: z.boolean() })
export type Switches = z.output<typeof switches>

/** What the page saves: the ladder with its quiet times, and which other emails go out. */
export const automaticInput = z.strictObject({ ...policyInput.shape, ...switches.shape })
export type AutomaticInput = z.output<typeof automaticInput>

/** What the fields hold: a step that was just added has neither day nor template. */
export interface AutomaticValues extends Switches, Omit<ReminderPolicy, 'version' | 'steps' | 'minimumCents'> {
  minimumCents: number | null
  steps: { days: number | null; templateGuid: string | null }[]
}

export function valuesOf(policy: ReminderPolicy, { sendsWelcome, sendsFollowUps }: AutomaticEmails): AutomaticValues {
  const { version: _version, ...wanted } = policy
  return { ...wanted, sendsWelcome, sendsFollowUps }
}

/** A time as it is kept, `07:30`, as the reader writes it. */
const timeText = (clock: string, { f }: Say) => f.time(instantAt('2000-01-03', parseTime(clock) ?? 0, f.zone))

/** Weekdays by name; the first of January 2024 was a Monday. */
export const weekdayText = (weekday: number, locale: string) =>
  formatPattern(`2024-01-0${weekday}`, 'l', { zone: 'UTC', locale })

function stepText(days: number, { t }: Pick<Say, 't'>): string {
  if (days === 0) return t('reminders:ladder.stepOn')
  return t(days < 0 ? 'reminders:ladder.stepBefore' : 'reminders:ladder.stepAfter', { days: Math.abs(days) })
}

/** What is known of a policy, as two versions of it are shown side by side. */
export const policyFields = (locale: string): Fields<PolicyInput> => ({
  schema: policyInput,
  rows: {
    isOn: { label: 'reminders:ladder.isOn' },
    startsOn: { label: 'reminders:ladder.startsOn' },
    sendAt: { label: 'reminders:ladder.sendAt', show: (clock, say) => (clock ? timeText(clock, say) : null) },
    minimumCents: { label: 'reminders:ladder.minimum' },
    steps: {
      label: 'reminders:ladder.steps',
      show: (steps, say) => (steps ?? []).map(({ days }) => stepText(days, say)).join(' · '),
    },
    quiet: {
      label: 'reminders:quiet.title',
      show: (quiet, say) => {
        if (!quiet) return null
        const hours = say.t('reminders:quiet.shown', { from: timeText(quiet.from, say), to: timeText(quiet.to, say) })
        const days = quiet.weekdays.map((weekday) => weekdayText(weekday, locale))
        const holidays = quiet.holidays ? [say.t('reminders:quiet.holidays')] : []
        return [hours, ...days, ...holidays].join(' · ')
      },
    },
  },
})

export const switchFields: Fields<Switches> = {
  schema: switches,
  rows: {
    sendsWelcome: { label: 'reminders:bookings.welcome', hint: 'reminders:bookings.welcomeHint' },
    sendsFollowUps: { label: 'reminders:bookings.followUps', hint: 'reminders:bookings.followUpsHint' },
  },
}
