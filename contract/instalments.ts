import { z } from 'zod'
import { addMonths } from './core/dates.ts'
import { cents, day, positiveCents, text, version } from './core/common.ts'

export const instalmentsInput = z.strictObject({
  version,
  instalments: z
    .array(z.strictObject({ label: text(80), dueOn: day, cents: positiveCents }))
    .min(1, 'Add at least one instalment.')
    .max(36, 'Use up to 36 instalments.'),
})

/** A part of an invoice that is due by itself; `paidCents` is what covers it, the oldest first. */
export const instalment = z.object({ label: z.string(), dueOn: day, cents, paidCents: cents })
export type Instalment = z.infer<typeof instalment>

interface Part {
  label: string
  dueOn: string
  cents: number
}

/** Fills the parts of a plan with what is settled of the invoice: paid, credited and written off. In cents. */
export function fillInstalments(plan: readonly Part[], settledCents: number): Instalment[] {
  let left = settledCents
  return plan.map((part) => {
    const paidCents = Math.max(Math.min(part.cents, left), 0)
    left -= part.cents
    return { ...part, paidCents }
  })
}

/** What of a plan is overdue on a day: due before it, less what is settled. */
export const overdueOf = (plan: readonly Instalment[], today: string): number =>
  plan.reduce((sum, { dueOn, cents: whole, paidCents }) => sum + (dueOn < today ? whole - paidCents : 0), 0)

/** Parts of an amount that are alike, the last one with the cents that are left; each a month after the one before. */
export function evenInstalments(totalCents: number, count: number, begin: string): { dueOn: string; cents: number }[] {
  const each = Math.floor(totalCents / count)
  return Array.from({ length: count }, (_, i) => ({
    dueOn: addMonths(begin, i),
    cents: i === count - 1 ? totalCents - each * (count - 1) : each,
  }))
}
