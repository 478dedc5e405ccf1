import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Answer, Contender, Target } from './load.ts'
import { apiRoot } from './product.ts'

/** Rows the operations work on, spread over the whole database. */
export interface Material {
  businessGuid: string
  customers: string[]
  invoices: string[]
  links: string[]
  /** Drafts nobody has issued yet: a share for us and one for the reference. */
  drafts: string[]
  thinDrafts: string[]
  owing: { guid: string; customerGuid: string }[]
}

export interface Targets {
  ours: Target
  guest: Target
  thin: Target
}

export interface Operation {
  name: string
  title: string
  /** At most this many times the median of the reference, and this part of its throughput. */
  medianTimes: number
  throughputPart: number
  /** A write: its statements and its waits for locks are counted too. */
  isWrite?: true
  contenders(material: Material, targets: Targets): [ours: Contender, thin: Contender]
}

const draftsForUs = 15_000
const draftsForThin = 30_000

const column = async (db: pg.Client, sql: string): Promise<string[]> =>
  (await db.query<{ guid: string }>(sql)).rows.map((row) => row.guid)

/**
 * Drafts as the product makes them, of three lines each; `updated_by` remembers nobody,
 * which is how they are told apart.
 */
async function makeDrafts(db: pg.Client, count: number): Promise<string[]> {
  await db.query('begin; set local app.quiet = on')
  const { rows } = await db.query<{ guid: string }>(
    `with made as (
      insert into invoices (guid, business_guid, customer_guid, title, price_mode, rounding_rule,
        subtotal_cents, gst_cents, total_cents)
      select new_guid(), business_guid, guid, 'Bench', 'exclusive', 'total_invoice', 30000, 3000, 33000
      from (select guid, business_guid from customers order by guid limit $1) c returning guid
    ), lines as (
      insert into invoice_lines (guid, invoice_guid, position, kind, name, quantity, unit_price_cents,
        net_cents, gst_cents, total_cents)
      select new_guid(), guid, k, 'item', 'Line ' || k, 1, 10000, 10000, 1000, 11000 from made, generate_series(1, 3) k
    ) select guid from made`,
    [count],
  )
  await db.query('commit')
  return rows.map((row) => row.guid)
}

export async function gather(db: pg.Client): Promise<Material> {
  const spread = (rest: string) => `${rest} order by md5(guid::text) limit 5000`
  const owing = await db.query<{ guid: string; customerGuid: string }>(
    `select guid, customer_guid as "customerGuid" from invoices
      where status = 'issued' and paid_cents = 0 and archived_at is null order by md5(guid::text) limit 20000`,
  )
  return {
    businessGuid: (await column(db, 'select guid from businesses order by created_at limit 1'))[0] ?? '',
    customers: await column(db, spread('select guid from customers')),
    invoices: await column(db, spread(`select guid from invoices where status = 'issued'`)),
    links: await column(
      db,
      `select l.guid from service_links l join invoices i on i.guid = l.record_guid
        where l.kind = 'invoice' order by md5(l.guid::text) limit 5000`,
    ),
    drafts: await makeDrafts(db, draftsForUs),
    thinDrafts: await makeDrafts(db, draftsForThin),
    owing: owing.rows,
  }
}

const at = <T>(items: readonly T[], n: number): T => {
  const item = items[n % items.length]
  if (item === undefined) throw new Error('nothing to measure with')
  return item
}
const taken = new WeakMap<readonly unknown[], number>()
/** The next of rows that serve once only. */
const take = <T>(items: readonly T[]): T => {
  const n = taken.get(items) ?? 0
  taken.set(items, n + 1)
  if (n >= items.length) throw new Error('more was measured than there are rows to measure with')
  return at(items, n)
}
const has = (text: string) => (answer: Answer) => answer.body.includes(text)
const keyed = () => ({ 'idempotency-key': randomUUID() })
const lines = [
  { name: 'Hoarding panel hire', quantity: '12', unitPriceCents: 4550 },
  { name: 'Installation labour', quantity: '6.5', unitPriceCents: 9500 },
  { name: 'Delivery and collection', quantity: '1', unitPriceCents: 32_000 },
]
// Each matches about 150 of the 50,000 customers.
const parts = [
  'cia Buil',
  'ksia Constr',
  'tal Even',
  'more Faca',
  'gate Gro',
  'field Hom',
  'view Inter',
  'bour Joi',
  'bark Lands',
  'rah Maint',
]

const listedStatuses = ['draft', 'sent', 'viewed', 'partially_paid', 'overdue', 'paid'] as const
const listedSorts = ['createdAt', 'number', 'title', 'totalCents', 'balanceCents', 'issueOn', 'dueOn'] as const
/** Every status in every order, its first page and one as far back as pages go. */
export const listQueries = listedStatuses.flatMap((status) =>
  listedSorts.flatMap((field) =>
    ['', '-'].flatMap((sign) => [1, 80].map((page) => `status=${status}&sort=${sign}${field}&page=${page}`)),
  ),
)

export const operations: readonly Operation[] = [
  {
    name: 'get',
    title: 'get an invoice with lines',
    medianTimes: 8,
    throughputPart: 8,
    contenders: ({ invoices }, { ours, thin }) => [
      { target: ours, call: (n) => ({ path: `${apiRoot}/Invoices/${at(invoices, n)}`, check: has('"lines":[{') }) },
      { target: thin, call: (n) => ({ path: `/invoice?guid=${at(invoices, n)}`, check: has('"lines":[{') }) },
    ],
  },
  {
    name: 'list',
    title: 'list 50, filter, sort, total',
    medianTimes: 3,
    throughputPart: 3,
    contenders: (_material, { ours, thin }) => [
      {
        target: ours,
        call: () => ({ path: `${apiRoot}/Invoices?status=paid&sort=-issueOn&size=50`, check: has('"total":{') }),
      },
      { target: thin, call: () => ({ path: '/list', check: has('"total":') }) },
    ],
  },
  {
    name: 'search',
    title: 'search by part of a name',
    medianTimes: 5,
    throughputPart: 6,
    contenders: (_material, { ours, thin }) => [
      {
        target: ours,
        call: (n) => ({
          path: `${apiRoot}/Customers?search=${encodeURIComponent(at(parts, n))}&size=25`,
          check: has('"displayName":'),
        }),
      },
      {
        target: thin,
        call: (n) => ({
          path: `/search?q=${encodeURIComponent(at(parts, n).toLowerCase())}`,
          check: has('"display_name":'),
        }),
      },
    ],
  },
  {
    name: 'create',
    title: 'create an invoice with 3 lines',
    medianTimes: 15,
    throughputPart: 15,
    isWrite: true,
    contenders: ({ customers, businessGuid }, { ours, thin }) => [
      {
        target: ours,
        call: (n) => ({
          method: 'POST',
          path: `${apiRoot}/Invoices`,
          headers: keyed(),
          body: {
            customerGuid: at(customers, n),
            title: 'Bench',
            lines: lines.map((l) => ({ ...l, kind: 'item', unit: 'each', gstCode: 'GST' })),
          },
          check: has('"totalCents"'),
        }),
      },
      {
        target: thin,
        call: (n) => ({
          method: 'POST',
          path: '/create',
          body: { businessGuid, customerGuid: at(customers, n), lines },
        }),
      },
    ],
  },
  {
    name: 'issue',
    title: 'issue (number, journal, snapshot)',
    medianTimes: 20,
    throughputPart: 15,
    isWrite: true,
    contenders: ({ drafts, thinDrafts, businessGuid }, { ours, thin }) => [
      {
        target: ours,
        call: () => ({
          method: 'POST',
          path: `${apiRoot}/Invoices/Issue/${take(drafts)}`,
          headers: keyed(),
          body: { version: 1 },
          check: has('"status":"issued"'),
        }),
      },
      {
        target: thin,
        call: () => ({ method: 'POST', path: '/issue', body: { businessGuid, guid: take(thinDrafts) } }),
      },
    ],
  },
  {
    name: 'pay',
    title: 'pay by hand',
    medianTimes: 20,
    throughputPart: 20,
    isWrite: true,
    contenders: ({ owing, businessGuid }, { ours, thin }) => [
      {
        target: ours,
        call: (n) => ({
          method: 'POST',
          path: `${apiRoot}/Payments`,
          headers: keyed(),
          body: {
            method: 'bank_transfer',
            receivedOn: '2026-10-31',
            amountCents: 100,
            allocations: [{ invoiceGuid: at(owing, 2 * n).guid, cents: 100 }],
          },
          check: has('"number"'),
        }),
      },
      {
        target: thin,
        call: (n) => ({
          method: 'POST',
          path: '/pay',
          body: {
            businessGuid,
            customerGuid: at(owing, 2 * n + 1).customerGuid,
            guid: at(owing, 2 * n + 1).guid,
            cents: 100,
          },
        }),
      },
    ],
  },
  {
    name: 'guest',
    title: 'guest page',
    medianTimes: 10,
    throughputPart: 10,
    contenders: ({ links }, { guest, thin }) => [
      {
        target: guest,
        call: (n) => ({ path: `${apiRoot}/Service/Invoices/${at(links, n)}`, check: has('"lines":[{') }),
      },
      { target: thin, call: (n) => ({ path: `/guest?guid=${at(links, n)}`, check: has('"lines":[{') }) },
    ],
  },
]
