import { notFound } from '../../contract/core/errors.ts'
import type { Input, Output } from '../../contract/core/op.ts'
import { fillInstalments } from '../../contract/instalments.ts'
import {
  activityBegins,
  ageingOf,
  ageingSum,
  type AgedRow,
  noAgeing,
  type Statement,
  type StatementRow,
  type statementsApi,
} from '../../contract/statements.ts'
import { today } from '../businesses/businesses.service.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { entitiesOf, reachOf } from '../core/reach.ts'
import { readableReference } from '../row-scope/row-scope.service.ts'
import {
  activityUpTo,
  type Books,
  creditOn,
  ledgerOn,
  type Move,
  type OpenInvoice,
  openOn,
} from './receivables.queries.ts'

type Api = typeof statementsApi

/** The books of the legal entity of the call's business, of it and its brands as far as the caller works there. */
async function booksOf(ctx: Ctx): Promise<Books> {
  const [entity] = await entitiesOf(ctx, await reachOf(ctx))
  return { entityGuid: ctx.business.entityGuid, businesses: entity?.guids ?? [ctx.business.guid] }
}

/** What of an invoice is due when: its instalments singly, the oldest filled first. */
function dueParts({ dueOn, cents, totalCents, instalments }: OpenInvoice): { dueOn: string | null; cents: number }[] {
  if (instalments.length === 0) return [{ dueOn, cents }]
  return fillInstalments(instalments, totalCents - cents).flatMap((part) =>
    part.cents > part.paidCents ? [{ dueOn: part.dueOn, cents: part.cents - part.paidCents }] : [],
  )
}

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

/** The customer, where the caller may read them. */
async function customerOf(ctx: Ctx, guid: string) {
  const found = await ctx.db
    .selectFrom('parties')
    .select(['guid', 'businessGuid', 'displayName', 'email', 'language'])
    .where('memberGuid', '=', guid)
    .executeTakeFirst()
  const customer = await readableReference(ctx, 'Customers', found ?? null)
  if (!customer) throw notFound()
  return customer
}

/** What is open on a day, each part that is due by itself; or what happened, from a balance to a balance. */
async function statementOf(ctx: Ctx, input: Input<Api['get']>): Promise<Statement> {
  const customer = await customerOf(ctx, input.guid)
  const { kind } = input
  const to = input.to ?? today(ctx.business, ctx.now)
  const books = { ...(await booksOf(ctx)), familyGuid: customer.guid }
  const open = await openOn(ctx.db, books, to)
  const creditCents = (await creditOn(ctx.db, books, to)).reduce((sum, one) => sum + one.cents, 0)
  const common = {
    customer: { guid: customer.guid, name: customer.displayName, email: customer.email },
    kind,
    to,
    creditCents,
    ageing: ageingOf(open.flatMap(dueParts), to),
  }
  if (kind === 'open') {
    const rows = withBalance(open.flatMap(openRows), 0)
    return { ...common, from: null, openingCents: 0, rows, closingCents: rows.at(-1)?.balanceCents ?? 0 }
  }
  const from = input.from ?? activityBegins(to)
  const moves = await activityUpTo(ctx.db, books, to)
  const openingCents = moves.reduce((sum, { day, cents }) => sum + (day < from ? cents : 0), 0)
  const rows = withBalance(moves.filter(({ day }) => day >= from).map(moveRow), openingCents)
  return { ...common, from, openingCents, rows, closingCents: rows.at(-1)?.balanceCents ?? openingCents }
}

type Bare = Omit<StatementRow, 'balanceCents'>

function withBalance(rows: readonly Bare[], openingCents: number): StatementRow[] {
  let balanceCents = openingCents
  return rows.map((row) => {
    balanceCents += row.debitCents - row.creditCents
    return { ...row, balanceCents }
  })
}

const sides = (cents: number) => ({ debitCents: Math.max(cents, 0), creditCents: Math.max(-cents, 0) })

function openRows(invoice: OpenInvoice): Bare[] {
  const { guid, number, issueOn, instalments, totalCents, cents } = invoice
  const common = { on: issueOn, noun: 'Invoices' as const, guid, number }
  if (instalments.length === 0)
    return [{ ...common, dueOn: invoice.dueOn, what: 'invoice', text: null, ...sides(cents) }]
  return fillInstalments(instalments, totalCents - cents).flatMap(({ label, dueOn, cents: whole, paidCents }) =>
    whole > paidCents
      ? [{ ...common, dueOn, what: 'instalment' as const, text: label, ...sides(whole - paidCents) }]
      : [],
  )
}

const moveRow = ({ day, dueOn, what, noun, guid, number, cents }: Move): Bare => ({
  ...{ on: day, dueOn, what, noun, guid, number },
  text: null,
  ...sides(cents),
})

export const statements: Handlers<Api> = {
  aged,
  get: async (ctx, input) => ({ statement: await statementOf(ctx, input) }),
}
