/*
 * What reminders ought to go out, said a second time and in another way: invoices in memory, the clocks of Sydney asked
 * of Intl, and holidays as a list of days. Nothing of the product is imported, so that neither can copy the other's
 * mistake.
 */

const zone = 'Australia/Sydney'
/** Public holidays of New South Wales, as they are proclaimed or follow from the Public Holidays Act 2010. */
const holidays = new Set(
  `2026-01-01 2026-01-26 2026-04-03 2026-04-04 2026-04-05 2026-04-06 2026-04-25 2026-04-27 2026-06-08 2026-10-05
  2026-12-25 2026-12-26 2026-12-28 2027-01-01 2027-01-26 2027-03-26 2027-03-27 2027-03-28 2027-03-29 2027-04-25
  2027-04-26`.split(/\s+/),
)
const opens = 7 * 60 + 30
const closes = 19 * 60
const sendAt = 9 * 60
const minimumCents = 2000
const ladder = [30, 14, 7, 1, -3]
const hour = 3_600_000
const dayMs = 24 * hour

const clocks = new Intl.DateTimeFormat('en-CA', {
  ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
  ...{ hour: '2-digit', minute: '2-digit' },
})
interface Local {
  day: string
  minutes: number
}
function localOf(instant: Date): Local {
  const part = Object.fromEntries(clocks.formatToParts(instant).map(({ type, value }) => [type, value]))
  return { day: `${part.year}-${part.month}-${part.day}`, minutes: Number(part.hour) * 60 + Number(part.minute) }
}

/** The instant at which the clocks of Sydney show this: the offset that makes it so is found by trying both. */
export function sydney(day: string, minutes: number): Date {
  for (const offset of [11, 10]) {
    const instant = new Date(Date.parse(`${day}T00:00:00Z`) + minutes * 60_000 - offset * hour)
    const shown = localOf(instant)
    if (shown.day === day && shown.minutes === minutes) return instant
  }
  throw new Error(`${day} ${minutes} does not exist`)
}

export const plusDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)
const isQuietDay = (day: string) => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay()) || holidays.has(day)

export interface Debtor {
  name: string
  /** Null: nobody could be written to. */
  address: string | null
}
export interface Debt {
  number: string
  of: Debtor
  parts: { dueOn: string; cents: number }[]
  paidCents: number
  isVoid: boolean
}
interface Hold {
  of: Debtor | Debt
  until: string | null
  isLifted: boolean
}
interface Asked {
  debt: Debt
  dueOn: string
  step: number
}
export interface Reminder {
  to: string
  asked: Asked[]
  scheduledAt: Date
  status: 'scheduled' | 'sent' | 'cancelled'
}

export class ReminderModel {
  readonly debts: Debt[] = []
  readonly holds: Hold[] = []
  readonly reminders: Reminder[] = []
  readonly suppressed = new Set<string>()
  readonly #startsOn: string
  /** Steps that are over, by invoice, due day and step. */
  readonly #over = new Set<string>()
  readonly #paidOn = new Map<Debtor, string>()
  readonly #writtenAt = new Map<Debt, number>()

  /** `startsOn`: the first day of which a step counts. */
  constructor(startsOn: string) {
    this.#startsOn = startsOn
  }

  paid(debt: Debt, cents: number, at: Date): void {
    debt.paidCents += cents
    this.#paidOn.set(debt.of, localOf(at).day)
  }

  /** Somebody wrote about an invoice. */
  wrote(debt: Debt, at: Date): void {
    this.#writtenAt.set(debt, at.getTime())
  }

  /** What the call of the clock adds. */
  plan(now: Date): void {
    const { day, minutes } = localOf(now)
    if (isQuietDay(day) || minutes >= closes) return
    for (const debtor of new Set(this.debts.map(({ of }) => of))) {
      const due = this.debts.filter(({ of }) => of === debtor).flatMap((debt) => this.#dueOf(debt, day))
      const asked = due.filter((one) => this.#mayAsk(one, now))
      const isReminded = this.reminders.some(
        ({ to, status, scheduledAt }) =>
          to === debtor.address && status !== 'cancelled' && localOf(scheduledAt).day === day,
      )
      if (asked.length === 0 || debtor.address === null || isReminded) continue
      for (const { debt, dueOn, step } of asked)
        for (const lower of ladder) if (lower <= step) this.#over.add(`${debt.number} ${dueOn} ${lower}`)
      const scheduledAt = minutes < sendAt ? sydney(day, sendAt) : now
      this.reminders.push({ to: debtor.address, asked, scheduledAt, status: 'scheduled' })
    }
  }

  /** What leaves now: whatever may not be asked for any more is dropped, and so is a reminder of nothing. */
  release(now: Date): void {
    const { day, minutes } = localOf(now)
    if (isQuietDay(day) || minutes >= closes || minutes < opens) return
    for (const reminder of this.reminders) {
      if (reminder.status !== 'scheduled' || reminder.scheduledAt > now) continue
      reminder.asked = reminder.asked.filter((one) => this.#mayAsk(one, now))
      reminder.status = reminder.asked.length > 0 ? 'sent' : 'cancelled'
      for (const { debt } of reminder.asked) this.wrote(debt, now)
    }
  }

  #dueOf(debt: Debt, day: string): Asked[] {
    const dueOn = this.#unpaidOf(debt)?.dueOn
    if (dueOn === undefined) return []
    const step = ladder.find((days) => plusDays(dueOn, days) <= day)
    return step === undefined || this.#over.has(`${debt.number} ${dueOn} ${step}`) ? [] : [{ debt, dueOn, step }]
  }

  /** The earliest part that is not paid, and what of it is owing. */
  #unpaidOf({ parts, paidCents, isVoid }: Debt): { dueOn: string; cents: number } | null {
    let left = paidCents
    for (const { dueOn, cents } of isVoid ? [] : parts) {
      if (left < cents) return { dueOn, cents: cents - left }
      left -= cents
    }
    return null
  }

  #mayAsk({ debt, dueOn, step }: Asked, now: Date): boolean {
    const { day } = localOf(now)
    const unpaid = this.#unpaidOf(debt)
    const isHeld = this.holds.some(
      ({ of, until, isLifted }) => !isLifted && (of === debt || of === debt.of) && (until === null || until >= day),
    )
    return (
      unpaid?.dueOn === dueOn &&
      !isHeld &&
      unpaid.cents >= minimumCents &&
      plusDays(dueOn, step) >= this.#startsOn &&
      this.#paidOn.get(debt.of) !== day &&
      now.getTime() - (this.#writtenAt.get(debt) ?? -Infinity) >= 48 * hour &&
      debt.of.address !== null &&
      !this.suppressed.has(debt.of.address)
    )
  }
}
