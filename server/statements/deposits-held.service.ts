import type { depositsApi } from '../../contract/deposits.ts'
import type { Input, Output } from '../../contract/core/op.ts'
import { today } from '../businesses/businesses.service.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { inCents, tableFile } from '../core/http/table-file.ts'
import { depositsOnLedger, heldOn } from './deposits-held.queries.ts'
import { booksOf } from './statements.told.ts'

type Api = typeof depositsApi

/** Deposits of the books of the call's business that waited at the end of a day, and whether the ledger agrees. */
async function held(ctx: Ctx, input: Input<Api['held']>): Promise<Output<Api['held']>> {
  const on = input.on ?? today(ctx.business, ctx.now)
  const books = await booksOf(ctx)
  const rows = await heldOn(ctx.db, books, on)
  const ledgerCents = await depositsOnLedger(ctx.db, books, on)
  const sum = (of: typeof rows) => of.reduce((total, row) => total + row.cents, 0)
  const totalCents = sum(rows)
  return {
    on,
    rows,
    totals: {
      partPaymentCents: sum(rows.filter((row) => row.nature === 'part_payment')),
      securityCents: sum(rows.filter((row) => row.nature === 'security')),
      totalCents,
      unpaidCents: rows.reduce((total, row) => total + row.unpaidCents, 0),
    },
    ledgerCents,
    agrees: totalCents === ledgerCents,
  }
}

const natures = { part_payment: 'Part payment', security: 'Security deposit' } as const

/** As the page shows it, its totals in the last row. */
async function heldFile(ctx: Ctx, input: Input<Api['heldFile']>) {
  const { on, rows, totals } = await held(ctx, input)
  return tableFile(
    `deposits-held-${on}.csv`,
    ['Customer', 'Document', 'Order', 'Type', 'Since', 'Not yet paid', 'Balance'],
    [
      ...rows.map((row) => [
        ...[row.customerName, row.number, row.orderNumber, natures[row.nature], row.since],
        ...[row.unpaidCents, row.cents].map(inCents),
      ]),
      ['Total', '', '', '', '', ...[totals.unpaidCents, totals.totalCents].map(inCents)],
    ],
  )
}

export const heldDeposits: Pick<Handlers<Api>, 'held' | 'heldFile'> = { held, heldFile }
