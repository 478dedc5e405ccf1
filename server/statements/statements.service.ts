import type { Input, Output } from '../../contract/core/op.ts'
import {
  ageingOf,
  ageingSum,
  type AgedRow,
  noAgeing,
  type Statement,
  type statementsApi,
} from '../../contract/statements.ts'
import { today } from '../businesses/businesses.service.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { inCents, tableFile } from '../core/http/table-file.ts'
import { customerRecipients } from '../documents/document-messages.service.ts'
import { serviceUrl } from '../service-links/service-links.service.ts'
import { creditOn, ledgerOn, openOn } from './receivables.queries.ts'
import { linkOfPage } from './statement-pages.queries.ts'
import { copyLink, sendStatements, statementPdf } from './statements.sending.ts'
import { booksOf, customerOf, dueParts, tell } from './statements.told.ts'

export { documentName } from './receivables.queries.ts'
export { creditOfPage, drawPage, type StatementPage } from './statements.guest.ts'

type Api = typeof statementsApi

async function aged(ctx: Ctx, input: Input<Api['aged']>): Promise<Output<Api['aged']>> {
  const on = input.on ?? today(ctx.business, ctx.now)
  const books = await booksOf(ctx)
  const [open, credits, ledger] = [
    await openOn(ctx.db, books, on),
    await creditOn(ctx.db, books, on),
    await ledgerOn(ctx.db, books, on),
  ]
  const rows = new Map<string, AgedRow>()
  const rowOf = ({ customerGuid, customerName }: Pick<AgedRow, 'customerGuid' | 'customerName'>): AgedRow => {
    const row = rows.get(customerGuid) ?? { customerGuid, customerName, ...noAgeing(), creditCents: 0, totalCents: 0 }
    rows.set(customerGuid, row)
    return row
  }
  for (const [, invoices] of Map.groupBy(open, ({ customerGuid }) => customerGuid))
    if (invoices[0]) Object.assign(rowOf(invoices[0]), ageingOf(invoices.flatMap(dueParts), on))
  for (const credit of credits) rowOf(credit).creditCents += credit.cents
  const totals = { ...noAgeing(), creditCents: 0, totalCents: 0 }
  for (const row of rows.values()) {
    row.totalCents = ageingSum(row) - row.creditCents
    for (const name of Object.keys(totals) as (keyof typeof totals)[]) totals[name] += row[name]
  }
  return {
    on,
    rows: [...rows.values()].toSorted((a, b) => a.customerName.localeCompare(b.customerName)),
    totals,
    ledgerCents: ledger.owingCents - ledger.creditCents,
    agrees: ageingSum(totals) === ledger.owingCents && totals.creditCents === ledger.creditCents,
  }
}

const agedColumns = {
  currentCents: 'Current',
  d30Cents: '1–30 days',
  d60Cents: '31–60 days',
  d90Cents: '61–90 days',
  olderCents: 'Over 90 days',
  creditCents: 'Credit',
  totalCents: 'Total',
} as const

/** As the page shows it, credit below zero and its totals in the last row. */
async function agedFile(ctx: Ctx, input: Input<Api['agedFile']>) {
  const { on, rows, totals } = await aged(ctx, input)
  const columns = Object.keys(agedColumns) as (keyof typeof agedColumns)[]
  const amounts = (row: typeof totals) =>
    columns.map((column) => inCents(column === 'creditCents' ? 0 - row[column] : row[column]))
  return tableFile(
    `aged-receivables-${on}.csv`,
    ['Customer', ...Object.values(agedColumns)],
    [...rows.map((row) => [row.customerName, ...amounts(row)]), ['Total', ...amounts(totals)]],
  )
}

async function statementOf(ctx: Ctx, { guid, kind, from, to }: Input<Api['get']>): Promise<Statement> {
  const customer = await customerOf(ctx, guid)
  const books = { ...(await booksOf(ctx)), familyGuid: customer.guid }
  const told = await tell(ctx.db, books, { kind, from, to: to ?? today(ctx.business, ctx.now) })
  const shown = { businessGuid: ctx.business.guid, customerGuid: customer.guid, covers: books.businesses }
  const page = await linkOfPage(ctx.db, shown)
  return {
    ...told,
    customer: { guid: customer.guid, name: customer.displayName, email: customer.email },
    sendsTo: await customerRecipients(ctx.db, customer.guid, 'l.receivesInvoices'),
    serviceUrl: page ? serviceUrl(ctx.deps.settings, 'statement', page.link) : null,
    seenAt: page?.seenAt ?? null,
  }
}

export const statements: Handlers<Api> = {
  aged,
  agedFile,
  get: async (ctx, input) => ({ statement: await statementOf(ctx, input) }),
  pdf: statementPdf,
  link: copyLink,
  send: sendStatements,
}
