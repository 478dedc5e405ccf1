import { type RawBuilder, sql } from 'kysely'
import type { Action } from '../../contract/core/op.ts'
import type { SearchKind } from '../../contract/nouns.ts'
import { orderAmounts } from '../../contract/orders.ts'
import { invoiceDisplayStatus, quoteDisplayStatus } from '../lines/display-status.ts'
import type { RowNoun } from '../row-scope/row-scope.ts'

/** How one kind of record is found. Whatever joins the search adds an entry here, and an index for each expression. */
export interface Source {
  kind: SearchKind
  /** The right to list them, whose rows are searched. */
  subject: string
  /** The noun whose row filter holds, and the alias it stands on. */
  rows: { noun: RowNoun; alias: string }
  from: RawBuilder<unknown>
  guid: RawBuilder<unknown>
  /** The alias its business stands on. */
  business: string
  /** The columns of a hit. */
  openGuid: RawBuilder<unknown>
  label: RawBuilder<unknown>
  detail: RawBuilder<unknown>
  /** The word it wears on a day of the business. */
  status: (today: string) => RawBuilder<unknown>
  amount: RawBuilder<unknown>
  /** The amount with its sign, where it is found without one. */
  amountShown?: RawBuilder<unknown>
  hasAmount?: true
  /** The right that its amount asks for, where seeing the record is not enough. */
  amountFor?: readonly [Action, string]
  /** Lower-cased text, exactly as its trigram index has it. */
  text: RawBuilder<unknown>
  /** Has numbers that people quote. */
  isNumbered?: true
  /** Digits of phone numbers, as their index has them. */
  phone?: RawBuilder<unknown>
  /** The customer it is made for: found by his name, too. */
  customer?: RawBuilder<unknown>
  isLive: RawBuilder<unknown>
  newest: RawBuilder<unknown>
  /** A text that this many of the thousand newest records have is common: then the newest ones are the answer. */
  commonFrom: number
}

const customerOf = (d: string) =>
  sql`(select m.display_name from customers m where m.guid = ${sql.ref(`${d}.customer_guid`)})`
const document = (table: string, d: string, status: Source['status']) => ({
  openGuid: sql.ref(`${d}.guid`),
  label: sql`coalesce(${sql.ref(`${d}.number`)}, ${sql.ref(`${d}.title`)})`,
  detail: sql`concat_ws(' · ', case when ${sql.ref(`${d}.number`)} is not null then ${sql.ref(`${d}.title`)} end, ${customerOf(d)})`,
  status,
  amount: sql.ref(`${d}.total_cents`),
  hasAmount: true as const,
  isNumbered: true as const,
  customer: sql.ref(`${d}.customer_guid`),
  isLive: sql`${sql.ref(`${d}.archived_at`)} is null`,
  newest: sql.ref(`${d}.created_at`),
  from: sql`${sql.table(table)} ${sql.ref(d)}`,
  guid: sql.ref(`${d}.guid`),
  business: d,
  commonFrom: 10,
})

const none: Source['status'] = () => sql`null::text`
const digits = (column: string) => sql`regexp_replace(coalesce(${sql.ref(column)}, ''), '\\D', '', 'g')`

export const sources: readonly Source[] = [
  {
    kind: 'customers',
    subject: 'Customers:Preview:All',
    rows: { noun: 'Customers', alias: 'c' },
    from: sql`customers c`,
    guid: sql.ref('c.guid'),
    business: 'c',
    openGuid: sql.ref('c.guid'),
    label: sql.ref('c.display_name'),
    detail: sql`concat_ws(' · ', c.email, c.phone, c.abn)`,
    status: none,
    amount: sql`null::bigint`,
    text: sql.ref('c.search_text'),
    phone: digits('c.phone'),
    isLive: sql`c.archived_at is null`,
    newest: sql.ref('c.created_at'),
    commonFrom: 50,
  },
  {
    kind: 'contacts',
    subject: 'Contacts:Preview:All',
    rows: { noun: 'Customers', alias: 'c' },
    from: sql`contacts p join customers c on c.guid = p.customer_guid`,
    guid: sql.ref('p.guid'),
    business: 'c',
    openGuid: sql.ref('c.guid'),
    label: sql.ref('p.name'),
    detail: sql`concat_ws(' · ', c.display_name, p.email, p.phone)`,
    status: none,
    amount: sql`null::bigint`,
    text: sql.ref('p.search_text'),
    phone: digits('p.phone'),
    isLive: sql`p.archived_at is null and c.archived_at is null`,
    newest: sql.ref('p.created_at'),
    commonFrom: 50,
  },
  {
    kind: 'quotes',
    subject: 'Quotes:Preview:All',
    rows: { noun: 'Quotes', alias: 'q' },
    ...document('quotes', 'q', (today) => quoteDisplayStatus('q', today)),
    text: sql`lower(q.title || ' ' || coalesce(q.number, ''))`,
  },
  {
    kind: 'orders',
    subject: 'Orders:Preview:All',
    rows: { noun: 'Orders', alias: 'o' },
    ...document('orders', 'o', () => sql.ref('o.status')),
    amountFor: orderAmounts,
    text: sql`lower(o.title || ' ' || o.number || ' ' || coalesce(o.customer_reference, ''))`,
  },
  {
    kind: 'invoices',
    subject: 'Invoices:Preview:All',
    rows: { noun: 'Invoices', alias: 'i' },
    ...document('invoices', 'i', (today) => invoiceDisplayStatus('i', today)),
    amountShown: sql`case when i.kind = 'adjustment_note' then -i.total_cents else i.total_cents end`,
    text: sql`lower(i.title || ' ' || coalesce(i.number, '') || ' ' || coalesce(i.reference, ''))`,
  },
  {
    kind: 'payments',
    subject: 'Payments:Preview:All',
    rows: { noun: 'Payments', alias: 'p' },
    from: sql`payments p`,
    guid: sql.ref('p.guid'),
    business: 'p',
    openGuid: sql.ref('p.guid'),
    label: sql.ref('p.number'),
    detail: sql`concat_ws(' · ', ${customerOf('p')}, p.reference)`,
    status: none,
    amount: sql.ref('p.amount_cents'),
    hasAmount: true,
    text: sql`lower(p.number || ' ' || coalesce(p.reference, ''))`,
    isNumbered: true,
    isLive: sql`true`,
    newest: sql.ref('p.created_at'),
    commonFrom: 10,
  },
  {
    kind: 'products',
    subject: 'Products:Preview:All',
    rows: { noun: 'Products', alias: 'p' },
    from: sql`products p`,
    guid: sql.ref('p.guid'),
    business: 'p',
    openGuid: sql.ref('p.guid'),
    label: sql.ref('p.name'),
    detail: sql`concat_ws(' · ', p.sku, left(p.description, 80))`,
    status: none,
    amount: sql.ref('p.price_cents'),
    hasAmount: true,
    text: sql.ref('p.search_text'),
    isLive: sql`p.archived_at is null`,
    newest: sql.ref('p.created_at'),
    commonFrom: 50,
  },
]
