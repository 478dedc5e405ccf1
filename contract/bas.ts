import { z } from 'zod'
import { gstBases } from './businesses.ts'
import { cents, day, guid, pageOf } from './core/common.ts'
import { get } from './core/op.ts'
import { salesLabels } from './gst-state.ts'
import { accounting } from './places.ts'

/** Labels of the activity statement that sales fill: sales by kind, GST on them, and GST that fell. */
export const basLabels = [...salesLabels, '1A', '1B'] as const
export type BasLabel = (typeof basLabels)[number]

const asked = {
  from: day,
  to: day,
  /** The business's own where it is left out. */
  basis: z.enum(gstBases).optional(),
}
const decreases = z.object({ G1: cents, G2: cents, G3: cents, G4: cents })
const basLine = z.object({
  /**
   * An order tells of the GST of all its invoices where some of it was brought forward; a payment is money that came
   * for an order before an invoice, on the cash basis.
   */
  noun: z.enum(['Invoices', 'Orders', 'Payments']),
  guid,
  number: z.string(),
  customerName: z.string(),
  /** The day it was issued or received, or GST of the order first counted. */
  on: day,
  beforeCents: cents,
  afterCents: cents,
  cents,
})
export type BasLine = z.infer<typeof basLine>

/** What of a label's documents one page has. */
export const basPageSize = 100

/** Of the orders that brought GST forward, those that are named. */
export const forwardsShown = 20

/** The worksheet of the activity statement: what documents moved in a period, and each figure's documents. */
export const basApi = {
  bas: get({
    path: '/Tax/Bas',
    effect: 'read',
    can: accounting.bas.can,
    timeoutMs: 20_000,
    summary: 'The GST worksheet of a period: each label in cents and in the whole dollars that the form takes',
    query: z.strictObject(asked),
    response: z.object({
      from: day,
      to: day,
      basis: z.enum(gstBases),
      /** Nothing of it can be posted any more. */
      isLocked: z.boolean(),
      labels: z.array(z.object({ label: z.enum(basLabels), cents, dollars: z.int(), documents: z.int() })),
      /** Sales that fell below what an earlier period reported; not deducted from the labels. */
      decreases,
      /** What the account of GST collected moved in the period, credits less debits. */
      accountCents: cents,
      /** Whether it is 1A less 1B; null on the basis that is not the business's. */
      agrees: z.boolean().nullable(),
      /**
       * What 1A less 1B has of orders beyond the GST of their sales in the period: brought forward by a deposit, a
       * prepayment or a first invoice, or below zero turned back as later invoices came. The largest first.
       */
      forward: z.object({
        cents,
        orders: z.array(z.object({ guid, number: z.string(), cents })).max(forwardsShown),
      }),
      /** How much there is to look at before it is reported. */
      oddities: z.int(),
    }),
  }),
  lines: get({
    path: '/Tax/Bas/Lines',
    effect: 'read',
    can: accounting.bas.can,
    timeoutMs: 20_000,
    summary: 'The documents behind a label of the worksheet, oldest first',
    query: z.strictObject({
      ...asked,
      label: z.enum(basLabels),
      page: z.coerce.number().int().min(1).max(10_000).optional(),
    }),
    response: pageOf(basLine),
  }),
  detail: get({
    path: '/Tax/Bas/Lines/Export',
    effect: 'read',
    can: accounting.bas.can,
    cost: 'costly',
    timeoutMs: 60_000,
    produces: 'text/csv',
    summary: 'All documents that moved the worksheet of a period, with what each moved; or those of one label, as CSV',
    query: z.strictObject({ ...asked, label: z.enum(basLabels).optional() }),
    response: z.any(),
  }),
}
