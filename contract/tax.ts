import { z } from 'zod'
import { cents, day, guid, longText, timestamp } from './core/common.ts'
import { get, post } from './core/op.ts'
import { gstBases } from './businesses.ts'
import { followedDocument } from './journal-entries.ts'
import { journalSources } from './ledger.ts'

const lock = z.object({
  /** The last day that nothing can be posted on. */
  lockedThrough: day,
  /** When the books close again as they were before; null: this lock stays. */
  reopensUntil: timestamp.nullable(),
})
const one = z.object({ lock })

/** Longest time that books are open again. */
const unlockDays = 7

/** Of the invoices, and of the orders, that a change of the basis moves, those that are listed. */
export const basisMovesShown = 100
const moved = z.object({ guid, number: z.string(), customerName: z.string(), cents })

/** Closing the books of a legal entity up to a day, and opening them again for a while. */
export const taxApi = {
  lockState: get({
    path: '/Tax/Lock',
    effect: 'read',
    can: ['read', 'Tax:Lock'],
    summary: 'Up to which day the books are locked, and what was posted while they were open again',
    response: z.object({
      lock: lock.nullable(),
      /** The last day of the lock that stays, or counts again. */
      standingThrough: day.nullable(),
      reason: z.string().nullable(),
      /** Posted in days that the newest unlock opened; the newest 200 of `postedCount`. */
      posted: z.array(
        z.object({
          guid,
          at: timestamp,
          postedOn: day,
          source: z.enum(journalSources),
          narrative: z.string(),
          document: followedDocument.nullable(),
          /** The sum of its debits. */
          cents,
        }),
      ),
      postedCount: z.int(),
    }),
  }),
  lock: post({
    path: '/Tax/Lock',
    effect: 'write',
    can: ['create', 'Tax:Lock'],
    message: 'Period locked.',
    summary: 'Locks the books up to a day before today; suspense must be nil. Ends an unlock, too',
    body: z.strictObject({ through: day }),
    response: one,
  }),
  unlock: post({
    path: '/Tax/Unlock',
    effect: 'write',
    can: ['create', 'Tax:Unlock'],
    message: 'Period unlocked.',
    summary: 'Opens locked books again from a day, for seven days at most; then they close by themselves',
    body: z.strictObject({
      /** The first day that is open again. */
      from: day,
      reason: longText(500).min(10, 'Enter at least 10 characters.'),
      days: z.int().min(1, 'Enter 1 to 7 days.').max(unlockDays, 'Enter 1 to 7 days.'),
    }),
    response: one,
  }),
  changeBasis: post({
    path: '/Tax/Basis',
    effect: 'write',
    can: ['create', 'Tax:Basis'],
    message: 'GST basis changed.',
    timeoutMs: 20_000,
    unaudited: 'a dry run changes nothing; a change has a line for the business',
    summary: 'Counts GST with the invoice or with the money from the start of a period that is not locked',
    body: z.strictObject({
      basis: z.enum(gstBases),
      /** The first day of a period of the activity statement. */
      from: day,
      /** Says what would move, and changes nothing. */
      dryRun: z.boolean().optional(),
    }),
    response: z.object({
      basis: z.enum(gstBases),
      from: day,
      /** What moves from GST not yet due to GST collected; below zero the other way. */
      movedCents: cents,
      /** The invoices it moves, the largest first, and how many there are. */
      documents: z.array(moved).max(basisMovesShown),
      documentCount: z.int(),
      /** What GST collected moves by for orders: brought forward, or of money that came for them before an invoice. */
      orderCents: cents,
      orders: z.array(moved).max(basisMovesShown),
      orderCount: z.int(),
      /** GST on what was open before, which stays in the period it was reported in. */
      keptCents: cents,
    }),
  }),
}
