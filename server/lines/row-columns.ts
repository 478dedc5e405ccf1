import { sql } from 'kysely'
import { invoiceStatuses } from '../../contract/invoices.ts'
import { messageStatuses } from '../../contract/messages.ts'
import { orderStatuses } from '../../contract/orders.ts'
import { quoteStatuses } from '../../contract/quotes.ts'
import type { CatalogueSubject } from '../../contract/roles.ts'
import { userStatuses } from '../../contract/users.ts'
import type { Ctx } from '../core/ctx.ts'
import { applyRows, type RowColumns } from '../core/db/rows.ts'
import { factsOf } from '../core/http/permission.ts'
import { userOf } from '../core/records.ts'
import { accessFor } from '../core/rights.ts'

/**
 * Where each noun keeps what conditions speak of, on the alias a query uses. There is no other place that says it: lists, single
 * records, tiles, exports, search and live events are filtered by the same columns.
 */
const owned = (d: string): RowColumns => ({ business: `${d}.businessGuid`, owner: `${d}.createdBy` })
const document = (d: string): RowColumns => ({ business: `${d}.businessGuid`, owner: `${d}.ownerGuid`, status: `${d}.status`, amount: `${d}.totalCents` })
/** Whoever does the work of an order is assigned to its customer, its quote and its invoices, too. */
const byOrder = (column: string, record: string, user: string | null) => sql<boolean>`exists (select from orders work where ${sql.ref(`work.${column}`)} = ${sql.ref(record)} and work.assigned_guid = ${user}::uuid)`

const columns = {
  Customers: (d: string, user: string | null): RowColumns => ({ ...owned(d), assigned: byOrder('customer_guid', `${d}.guid`, user) }),
  Products: (d: string): RowColumns => ({ ...owned(d), amount: `${d}.priceCents` }),
  Quotes: (d: string, user: string | null): RowColumns => ({ ...document(d), assigned: byOrder('quote_guid', `${d}.guid`, user) }),
  Orders: (d: string): RowColumns => ({ ...document(d), assigned: `${d}.assignedGuid` }),
  Invoices: (d: string, user: string | null): RowColumns => ({ ...document(d), assigned: byOrder('guid', `${d}.order_guid`, user) }),
  Payments: (d: string): RowColumns => ({ ...owned(d), amount: `${d}.amountCents` }),
  Refunds: (d: string): RowColumns => ({ ...owned(d), amount: `${d}.amountCents` }),
  Messages: (d: string): RowColumns => ({ ...owned(d), status: `${d}.status` }),
} as const
export type RowNoun = keyof typeof columns

export const rowColumns = (ctx: Pick<Ctx, 'actor'>, noun: RowNoun, alias: string): RowColumns => columns[noun](alias, userOf(ctx))

const tables = { Customers: 'customers', Products: 'products', Quotes: 'quotes', Orders: 'orders', Invoices: 'invoices', Payments: 'payments', Refunds: 'refunds', Messages: 'messages' } as const satisfies Record<RowNoun, string>
export const isRowNoun = (noun: string): noun is RowNoun => Object.hasOwn(tables, noun)

/** Which of these records are among some rows of their noun. */
export async function within(ctx: Pick<Ctx, 'actor' | 'db'>, rows: Ctx['rows'], noun: RowNoun, guids: readonly string[]): Promise<Set<string>> {
  if (guids.length === 0) return new Set()
  const all = ctx.db.selectFrom(`${tables[noun]} as d` as 'quotes as d').select('d.guid').where('d.guid', 'in', guids)
  const found = await applyRows({ actor: ctx.actor, rows }, all, rowColumns(ctx, noun, 'd')).execute()
  return new Set(found.map((row) => row.guid))
}

/** Those of some records, named as the audit log names them, that the caller may read: what stands beside a record must not tell of others. */
export async function readable<S extends { entity: string; guid: string }>(ctx: Ctx, subjects: readonly S[]): Promise<S[]> {
  const { actor } = ctx
  if (actor.kind === 'system') return [...subjects]
  const kept = new Set<S>()
  for (const [entity, some] of Map.groupBy(subjects, (s) => s.entity)) {
    const access = accessFor(actor.ability, 'read', `${entity === 'Refunds' ? 'Payments' : entity}:Preview:Guid`, factsOf(actor, true))
    if (access === 'none') continue
    const seen = access === 'all' || !isRowNoun(entity) ? null : await within(ctx, access, entity, some.map((s) => s.guid))
    for (const subject of some) if (!seen || seen.has(subject.guid)) kept.add(subject)
  }
  return subjects.filter((subject) => kept.has(subject))
}

/** The same for the references that stand on a record. */
export async function readableOf<R extends { guid: string }>(ctx: Ctx, entity: string, references: readonly R[]): Promise<R[]> {
  const kept = new Set((await readable(ctx, references.map(({ guid }) => ({ entity, guid })))).map(({ guid }) => guid))
  return references.filter(({ guid }) => kept.has(guid))
}
export const readableOne = async <R extends { guid: string }>(ctx: Ctx, entity: string, reference: R | null): Promise<R | null> => (reference ? ((await readableOf(ctx, entity, [reference]))[0] ?? null) : null)

type Known = Pick<CatalogueSubject, 'conditions' | 'statuses'>
const statuses: Readonly<Record<string, readonly string[]>> = { Quotes: quoteStatuses, Orders: orderStatuses, Invoices: invoiceStatuses, Messages: messageStatuses, Users: userStatuses }

/** The conditions that mean something for a noun, from the very columns above. */
export function meaningfulConditions(parent: string): Known {
  const noun = parent === 'Contacts' ? 'Customers' : parent
  const own: RowColumns = isRowNoun(noun) ? columns[noun]('d', null) : parent === 'Businesses' ? owned('d') : parent === 'Users' ? { owner: 'd.guid', status: 'd.status' } : {}
  const names = { business: 'business', owner: 'scope:own', assigned: 'scope:assigned', status: 'statusIn', amount: 'amountBelowCents' } as const
  return { conditions: (Object.keys(names) as (keyof RowColumns)[]).filter((key) => own[key] !== undefined).map((key) => names[key]), statuses: [...(statuses[parent] ?? [])] }
}
