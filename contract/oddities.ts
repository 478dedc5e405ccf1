import { z } from 'zod'
import { cents, day, guid } from './core/common.ts'
import { get } from './core/op.ts'
import { accounting } from './places.ts'

/** What an accountant looks at before a period is reported; what blocks keeps it from being locked. */
const oddityCodes = ['suspense', 'untagged_money', 'booked_late', 'gst_off', 'deposit_held'] as const
export type OddityCode = (typeof oddityCodes)[number]

const oddity = z.object({
  code: z.enum(oddityCodes),
  /** What it is about: of the journal it is an account (suspense), else an entry. */
  noun: z.enum(['Invoices', 'Payments', 'Journal']),
  guid,
  label: z.string(),
  cents,
  text: z.string(),
  blocks: z.boolean(),
})
export type Oddity = z.infer<typeof oddity>

/** The most of them that an answer has, and so their count. */
export const mostOddities = 500
/** GST may be a few cents off a tenth where each supply is rounded. */
export const gstSlackCents = 5
/** Deposits that wait longer are looked at. */
export const depositMonths = 12

export const odditiesApi = {
  list: get({
    path: '/Tax/Oddities',
    effect: 'read',
    can: accounting.bas.can,
    timeoutMs: 20_000,
    summary: 'What to look at before a period is reported, what blocks its lock first',
    query: z.strictObject({ from: day, to: day }),
    response: z.object({ items: z.array(oddity) }),
  }),
}
