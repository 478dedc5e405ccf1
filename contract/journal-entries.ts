import { z } from 'zod'
import { anyOf, cents, day, guid, listQuery, pageOf, timestamp } from './core/common.ts'
import { get } from './core/op.ts'
import { accountRoles, journalSources } from './ledger.ts'
import { reversalReasons } from './payment-reversals.ts'
import { accounting } from './places.ts'

export const journalLine = z.object({
  account: z.string(),
  accountName: z.string(),
  accountRole: z.enum(accountRoles).nullable(),
  debitCents: cents,
  creditCents: cents,
})

/** What an entry follows, by the noun that it opens as. */
export const followedDocument = z.object({
  noun: z.enum(['Invoices', 'Payments', 'Orders']),
  guid,
  number: z.string(),
})

/** Why an entry was reversed: of a payment what became of it, of one by hand what somebody wrote. */
const why = { reasonCode: z.enum(reversalReasons).nullable(), reason: z.string().nullable() }

const journalEntry = z.object({
  guid,
  /** In the order of posting; a posting that failed leaves a gap. */
  number: z.int(),
  at: timestamp,
  postedOn: day,
  source: z.enum(journalSources),
  narrative: z.string(),
  /** The record it follows; entries by hand follow none. */
  document: followedDocument.nullable(),
  /** Whether it may be mirrored by hand, and was not yet. */
  isReversible: z.boolean(),
  /** The entry that took it back. */
  reversedBy: z.object({ number: z.int(), on: day, ...why }).nullable(),
  /** The entry that it takes back. */
  reverses: z.object({ number: z.int(), ...why }).nullable(),
  lines: z.array(journalLine),
})
export type JournalEntry = z.infer<typeof journalEntry>

export const journalEntries = get({
  path: '/Dev/BankingJournals',
  effect: 'read',
  can: accounting.journal.can,
  summary: 'Journal entries, by day and in the order of posting, newest first',
  query: listQuery(['postedOn', 'number', 'createdAt'], {
    'postedOn.gte': day.optional(),
    'postedOn.lte': day.optional(),
    source: anyOf(journalSources).optional(),
    /** The code of an account that it moves. */
    account: z.string().max(6).optional(),
  }),
  response: pageOf(journalEntry),
})
