import { invalid, notFound } from '../../contract/core/errors.ts'
import { fillInstalments } from '../../contract/instalments.ts'
import { activityBegins, ageingOf, type Statement, type StatementRow } from '../../contract/statements.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { entitiesOf, reachOf } from '../core/reach.ts'
import { readableReference } from '../row-scope/row-scope.service.ts'
import { activityUpTo, type Books, creditOn, type Move, type OpenInvoice, openOn } from './receivables.queries.ts'

/** The books of the legal entity of the call's business, of it and its brands as far as the caller works there. */
export async function booksOf(ctx: Ctx): Promise<Books> {
  const [entity] = await entitiesOf(ctx, await reachOf(ctx))
  return { entityGuid: ctx.business.entityGuid, businesses: entity?.guids ?? [ctx.business.guid] }
}

/** The customer, where the caller may read them. */
export async function customerOf(ctx: Ctx, guid: string) {
  const found = await ctx.db
    .selectFrom('parties')
    .select(['guid', 'businessGuid', 'displayName', 'email', 'language'])
    .where('memberGuid', '=', guid)
    .executeTakeFirst()
  const customer = await readableReference(ctx, 'Customers', found ?? null)
  if (!customer) throw notFound()
  return customer
}

/** What of an invoice is due when: its instalments singly, the oldest filled first. */
export function dueParts({
  dueOn,
  cents,
  totalCents,
  instalments,
}: OpenInvoice): { dueOn: string | null; cents: number }[] {
  if (instalments.length === 0) return [{ dueOn, cents }]
  return fillInstalments(instalments, totalCents - cents).flatMap((part) =>
    part.cents > part.paidCents ? [{ dueOn: part.dueOn, cents: part.cents - part.paidCents }] : [],
  )
}

export type Told = Pick<
  Statement,
  'kind' | 'from' | 'to' | 'openingCents' | 'rows' | 'closingCents' | 'creditCents' | 'ageing'
>
export interface Asked {
  kind: Statement['kind']
  from?: string | undefined
  to: string
}

/** What is open on a day, each part that is due by itself; or what happened, from a balance to a balance. */
export async function tell(db: Db, books: Books & { familyGuid: string }, asked: Asked): Promise<Told> {
  const { kind, to } = asked
  const open = await openOn(db, books, to)
  const creditCents = (await creditOn(db, books, to)).reduce((sum, one) => sum + one.cents, 0)
  const common = { kind, to, creditCents, ageing: ageingOf(open.flatMap(dueParts), to) }
  if (kind === 'open') {
    const rows = withBalance(open.flatMap(openRows), 0)
    return { ...common, from: null, openingCents: 0, rows, closingCents: rows.at(-1)?.balanceCents ?? 0 }
  }
  const from = asked.from ?? activityBegins(to)
  if (from > to) throw invalid('from', 'Choose a day up to the last one.')
  const moves = await activityUpTo(db, books, to)
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
  const { guid, number, what, issueOn, instalments, totalCents, cents } = invoice
  const common = { on: issueOn, noun: 'Invoices' as const, guid, number }
  if (instalments.length === 0) return [{ ...common, dueOn: invoice.dueOn, what, text: null, ...sides(cents) }]
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
