import { z } from 'zod'
import { cents, day, guid, timestamp } from './core/common.ts'
import { addDays, daysBetween } from './core/dates.ts'
import type { Language } from './core/languages.ts'
import { drawnPdf, get, post } from './core/op.ts'
import type { BilledParty, Letterhead } from './documents.ts'
import { agedReceivables, statementPage } from './places.ts'

/** What is owing by how late it is: due on the day itself is current; 1–30, 31–60, 61–90 days, and more. */
const ageing = z.object({
  currentCents: cents,
  d30Cents: cents,
  d60Cents: cents,
  d90Cents: cents,
  olderCents: cents,
})
export type Ageing = z.infer<typeof ageing>

export const noAgeing = (): Ageing => ({ currentCents: 0, d30Cents: 0, d60Cents: 0, d90Cents: 0, olderCents: 0 })
const bounds = [
  [0, 'currentCents'],
  [30, 'd30Cents'],
  [60, 'd60Cents'],
  [90, 'd90Cents'],
] as const

/** Which column of an ageing something due on a day belongs to. */
export function bucketOf(dueOn: string | null, on: string): keyof Ageing {
  const late = dueOn === null ? 0 : daysBetween(dueOn, on)
  return bounds.find(([upTo]) => late <= upTo)?.[1] ?? 'olderCents'
}

/** Adds up what is owing; in cents. */
export function ageingOf(parts: readonly { dueOn: string | null; cents: number }[], on: string): Ageing {
  const sums = noAgeing()
  for (const part of parts) sums[bucketOf(part.dueOn, on)] += part.cents
  return sums
}

export const ageingSum = (row: Ageing): number =>
  row.currentCents + row.d30Cents + row.d60Cents + row.d90Cents + row.olderCents

const agedRow = ageing.extend({
  customerGuid: guid,
  customerName: z.string(),
  /** Money of the customer that pays no invoice yet. */
  creditCents: cents,
  /** What is owing less the credit. */
  totalCents: cents,
})
export type AgedRow = z.infer<typeof agedRow>
const aged = z.object({
  on: day,
  rows: z.array(agedRow),
  totals: agedRow.omit({ customerGuid: true, customerName: true }),
  /** What the ledger says that customers owe, less their credit. */
  ledgerCents: cents,
  agrees: z.boolean(),
})

const statementKinds = ['open', 'activity'] as const

/** What moves a balance; a security deposit that pays an invoice, or is kept, is no payment. */
export const statementMoves = [
  'invoice',
  'deposit_invoice',
  'deposit_request',
  'void',
  'deposit_void',
  'adjustment_note',
  'payment',
  'deposit_applied',
  'deposit_kept',
  'refund',
  'payment_reversal',
  'write_off',
  'recovery',
  'credit',
] as const
const statementWhats = [...statementMoves, 'instalment'] as const

const statementRow = z.object({
  on: day,
  dueOn: day.nullable(),
  noun: z.enum(['Invoices', 'Payments']),
  guid,
  number: z.string(),
  /** What it is, as a word that screens and papers have a phrase for. */
  what: z.enum(statementWhats),
  /** The name of an instalment. */
  text: z.string().nullable(),
  debitCents: cents,
  creditCents: cents,
  balanceCents: cents,
})
export type StatementRow = z.infer<typeof statementRow>
const statement = z.object({
  customer: z.object({ guid, name: z.string(), email: z.string().nullable() }),
  /** Where it goes when it is sent: to the customer, or to a contact who receives invoices. None: it can’t be sent. */
  sendsTo: z.array(z.string()),
  /** The customer’s page of what is open, once somebody copied its link or sent it. */
  serviceUrl: z.string().nullable(),
  /** When the customer last had that page open. */
  seenAt: timestamp.nullable(),
  kind: z.enum(statementKinds),
  /** The first day of an activity; null where all that is open is told. */
  from: day.nullable(),
  to: day,
  openingCents: cents,
  rows: z.array(statementRow),
  closingCents: cents,
  /** Money that pays no invoice yet; it is in none of the rows of what is open. */
  creditCents: cents,
  ageing,
})
export type Statement = z.infer<typeof statement>

/** A statement as it is printed and never changes once it was sent. Plain JSON. */
export interface StatementPaper extends Pick<
  Statement,
  'kind' | 'from' | 'to' | 'openingCents' | 'rows' | 'closingCents' | 'creditCents' | 'ageing'
> {
  format: 1
  language: Language
  business: Letterhead
  billTo: BilledParty
  /** The customer’s page. */
  link: string | null
  canPayByCard: boolean
}

const sending = z.object({
  customerGuid: guid,
  customerName: z.string(),
  status: z.enum(['sent', 'refused']),
  to: z.array(z.string()),
  /** Why it was not sent. */
  message: z.string().nullable(),
})
export type StatementSending = z.infer<typeof sending>

/** An activity begins three months before its last day when nobody says. */
export const activityBegins = (to: string): string => addDays(to, -92)

const asked = z.strictObject({
  kind: z.enum(statementKinds).default('open'),
  from: day.optional(),
  to: day.optional(),
})

export const statementsApi = {
  aged: get({
    path: '/Journal/AgedReceivables',
    effect: 'read',
    can: agedReceivables.can,
    timeoutMs: 20_000,
    summary: 'What customers owe on a day by how late it is, and whether it agrees with the ledger',
    query: z.strictObject({ on: day.optional() }),
    response: aged,
  }),
  agedFile: get({
    path: '/Journal/AgedReceivables/Export',
    effect: 'read',
    can: agedReceivables.can,
    cost: 'costly',
    timeoutMs: 60_000,
    produces: 'text/csv',
    summary: 'Aged receivables of a day as CSV, with their totals',
    query: z.strictObject({ on: day.optional() }),
    response: z.any(),
  }),
  get: get({
    path: '/Statements/:guid',
    effect: 'read',
    can: statementPage.can,
    summary: 'The statement of a customer: what is open on a day, or what happened between two',
    query: asked,
    response: z.object({ statement }),
  }),
  pdf: get({
    ...drawnPdf,
    path: '/Statements/Pdf/:guid',
    can: statementPage.can,
    summary: 'The statement of a customer as PDF',
    query: asked,
    response: z.any(),
  }),
  link: post({
    path: '/Statements/Link/:guid',
    effect: 'write',
    unaudited: 'it opens a page that shows the customer what is owing',
    can: ['create', 'Statements:Create'],
    summary: 'The address of the page on which a customer pays all that is open',
    response: z.object({ serviceUrl: z.string() }),
  }),
  send: post({
    path: '/Statements/Send',
    effect: 'write',
    unaudited: 'each that goes out is audited with its customer; one that is refused changes nothing',
    can: ['create', 'Statements:Create'],
    message: 'Statements sent.',
    summary: 'Emails each of these customers the statement, with the PDF and the page to pay on',
    timeoutMs: 60_000,
    body: z.strictObject({
      customerGuids: z.array(guid).min(1, 'Choose a customer.').max(100),
      kind: z.enum(statementKinds),
      from: day.optional(),
      to: day.optional(),
    }),
    response: z.object({ results: z.array(sending) }),
  }),
}
