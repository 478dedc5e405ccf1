import { z } from 'zod'
import { cents, day, guid, longText, maybe, text, version } from './core/common.ts'
import { get, patch, post } from './core/op.ts'
import { patchOf } from './core/patch.ts'
import { followedDocument, journalLine } from './journal-entries.ts'
import { type AccountRole, accountRoles, accountTypes, type AccountType, journalSources } from './ledger.ts'
import { accounting } from './places.ts'

const accountFields = {
  /** Fixed once the account is there: postings name it. */
  code: z.string().regex(/^\d{3,6}$/, 'Enter three to six digits.'),
  name: text(80),
  type: z.enum(accountTypes),
}
const accountInput = z.strictObject(accountFields)
const account = z.object({
  guid,
  version,
  code: z.string(),
  name: z.string(),
  type: z.enum(accountTypes),
  /** What posts to it by itself; null for accounts of one's own. */
  role: z.enum(accountRoles).nullable(),
  isActive: z.boolean(),
  /** Debits less credits. */
  balanceCents: cents,
})
export type LedgerAccount = z.infer<typeof account>
const oneAccount = z.object({ account })

const side = z.int().min(1, 'Enter an amount.').max(100_000_000_000)
const sorted = { revenueStreamGuid: maybe(guid), customerGuid: maybe(guid) }
const entryLine = z.union([
  z.strictObject({ accountGuid: guid, debitCents: side, ...sorted }),
  z.strictObject({ accountGuid: guid, creditCents: side, ...sorted }),
])
const entryInput = z.strictObject({
  /** The day it counts on: not before the books begin, today at the latest. */
  postedOn: day,
  narrative: text(200),
  lines: z.array(entryLine).min(2, 'Enter two lines or more.').max(100),
})

/** An entry of the journal with its lines. */
const journalEntryShape = {
  guid,
  /** In the order of posting; a posting that failed leaves a gap. */
  number: z.int(),
  postedOn: day,
  source: z.enum(journalSources),
  narrative: z.string(),
}
const entry = z.object({
  ...journalEntryShape,
  lines: z.array(journalLine),
})

const period = { from: day.optional(), to: day.optional() }
const ledgerRow = z.object({
  entryGuid: guid,
  number: z.int(),
  on: day,
  source: z.enum(journalSources),
  text: z.string(),
  document: followedDocument.nullable(),
  debitCents: cents,
  creditCents: cents,
  /** Of the account after this row, debits less credits. */
  balanceCents: cents,
})
export type LedgerRow = z.infer<typeof ledgerRow>

/** Rows of a ledger on one page. */
export const ledgerPageSize = 200

export const journalApi = {
  accounts: get({
    path: '/Journal/Accounts',
    effect: 'read',
    can: accounting.trialBalance.can,
    summary: 'The chart of accounts of the legal entity, with balances',
    response: z.object({ accounts: z.array(account) }),
  }),
  createAccount: post({
    path: '/Journal/Accounts',
    effect: 'write',
    can: ['create', 'Journal'],
    status: 201,
    message: 'Account created.',
    summary: 'Adds an account to the chart',
    body: accountInput,
    response: oneAccount,
  }),
  updateAccount: patch({
    path: '/Journal/Accounts/:guid',
    effect: 'write',
    can: ['update', 'Journal'],
    message: 'Account saved.',
    summary: 'Renames an account, or closes it for manual entries; its code and type stay',
    body: patchOf(z.strictObject({ name: text(80), isActive: z.boolean() })),
    response: oneAccount,
  }),
  post: post({
    path: '/Journal',
    effect: 'write',
    can: ['create', 'Journal'],
    status: 201,
    message: 'Entry posted.',
    summary: 'Posts an entry by hand: balanced, on accounts that follow no documents',
    body: entryInput,
    response: z.object({ entry }),
  }),
  reverse: post({
    path: '/Journal/Reverse/:guid',
    effect: 'write',
    can: ['create', 'Journal'],
    status: 201,
    message: 'Entry reversed.',
    summary: 'Posts the mirror image of an entry that was made by hand, once',
    body: z.strictObject({
      /** Today where it is left out; not before the entry. */
      on: day.optional(),
      reason: longText(200).min(1, 'This field is required.'),
    }),
    response: z.object({ entry }),
  }),
  trialBalance: get({
    path: '/Journal/TrialBalance',
    effect: 'read',
    can: accounting.trialBalance.can,
    summary: 'What every account comes to at the end of a day',
    query: z.strictObject({ on: day.optional() }),
    response: z.object({
      on: day,
      rows: z.array(
        z.object({
          guid,
          code: z.string(),
          name: z.string(),
          role: z.enum(accountRoles).nullable(),
          type: z.enum(accountTypes),
          debitCents: cents,
          creditCents: cents,
        }),
      ),
      totals: z.object({ debitCents: cents, creditCents: cents }),
    }),
  }),
  trialBalanceFile: get({
    path: '/Journal/TrialBalance/Export',
    effect: 'read',
    can: accounting.trialBalance.can,
    cost: 'costly',
    timeoutMs: 60_000,
    produces: 'text/csv',
    summary: 'The trial balance of a day as CSV, with its totals',
    query: z.strictObject({ on: day.optional() }),
    response: z.any(),
  }),
  ledger: get({
    path: '/Journal/Ledger/:accountGuid',
    effect: 'read',
    can: accounting.ledger.can,
    summary: 'What was posted to an account in a period, with its running balance',
    query: z.strictObject({ ...period, page: z.coerce.number().int().min(1).max(10_000).optional() }),
    response: z.object({
      account,
      from: day.nullable(),
      to: day,
      openingCents: cents,
      rows: z.array(ledgerRow),
      closingCents: cents,
      /** Of all rows of the period; a page has 200. */
      rowCount: z.int(),
    }),
  }),
}

/** Roles of accounts that people may post to by hand; the others follow their documents. */
const handRoles: readonly AccountRole[] = ['bank', 'suspense', 'sales']

/** Whether an entry by hand may move this account. */
export const takesHand = ({ role, type }: { role: AccountRole | null; type: AccountType }): boolean =>
  role === null || type === 'expense' || handRoles.includes(role)

/** Debits less credits of the lines of an entry, in cents; zero when it balances. */
export const outBy = (lines: readonly { debitCents?: number; creditCents?: number }[]): number =>
  lines.reduce((sum, line) => sum + (line.debitCents ?? 0) - (line.creditCents ?? 0), 0)
