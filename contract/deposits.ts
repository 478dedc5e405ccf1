import { z } from 'zod'
import { cents, day, guid, maybe, positiveCents, text, version } from './core/common.ts'
import { get, post } from './core/op.ts'
import { depositNatures } from './deposit-natures.ts'
import { oneInvoice } from './invoices.ts'
import { depositsHeld } from './places.ts'

const depositUse = z.strictObject({
  version,
  action: z.enum(['apply', 'forfeit']),
  cents: positiveCents,
  /** Which invoice it is to pay. */
  invoiceGuid: guid.optional(),
  /** Why it is kept: printed on the tax invoice. */
  reason: maybe(text(400)),
})

const heldRow = z.object({
  customerGuid: guid,
  customerName: z.string(),
  orderGuid: guid.nullable(),
  orderNumber: z.string().nullable(),
  invoiceGuid: guid,
  number: z.string(),
  nature: z.enum(depositNatures),
  /** The day it was asked for. */
  since: day,
  /** What of it waits on the account: part payments without their GST. */
  cents,
  /** What of the document the customer still owes, with GST. */
  unpaidCents: cents,
})
export type HeldDeposit = z.infer<typeof heldRow>

/** Deposits: those that are held, and what becomes of them. */
export const depositsApi = {
  use: post({
    path: '/Invoices/Deposit/:guid',
    effect: 'write',
    can: ['update', 'Invoices:Update:Guid'],
    needsKey: true,
    message: 'Deposit updated.',
    summary:
      'Lets a security deposit that was received pay another invoice of the customer, or keeps a part of it: what is ' +
      'forfeited is billed by a tax invoice, with a GST of 1/11',
    body: depositUse,
    response: oneInvoice,
  }),
  held: get({
    path: '/Journal/DepositsHeld',
    effect: 'read',
    can: depositsHeld.can,
    timeoutMs: 20_000,
    summary: 'Deposits that wait on a day, of both natures, and whether they agree with the ledger',
    query: z.strictObject({ on: day.optional() }),
    response: z.object({
      on: day,
      rows: z.array(heldRow),
      totals: z.object({ partPaymentCents: cents, securityCents: cents, totalCents: cents, unpaidCents: cents }),
      /** What the ledger says of both accounts. */
      ledgerCents: cents,
      agrees: z.boolean(),
    }),
  }),
  heldFile: get({
    path: '/Journal/DepositsHeld/Export',
    effect: 'read',
    can: depositsHeld.can,
    cost: 'costly',
    timeoutMs: 60_000,
    produces: 'text/csv',
    summary: 'Deposits that wait on a day as CSV, with their totals',
    query: z.strictObject({ on: day.optional() }),
    response: z.any(),
  }),
}
