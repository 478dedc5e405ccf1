import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fieldsOf, makeExplainer, nodesOf, rowsOf, valuesOf } from '../../bench/explain.ts'
import { operations as allOperations } from '../../contract/api.ts'
import type { Op } from '../../contract/core/op.ts'
import { type Actors, seedActors } from '../support/actors.ts'
import { aBusiness, ok } from '../support/factories.ts'
import { type Running, startApp } from '../support/start.ts'

/*
 * How many rows a request reads, by what PostgreSQL says it did: a list reads what its page and its total take, a tile what days
 * there are. The bench asks the same of the whole reference data, of every filter in every order.
 */

const documents = 14_000
/** Up to 10,000 are counted; those of a filter no index has in order are read again to be sorted. */
const maxOfAList = 24_500
/** What an order of the whole list takes, and what a page by one status does: the total and the page. */
const maxInOrder = 10_700
/** There are fewer days than documents, by far. */
const maxOfASum = 2500

let app: Running
let actors: Actors
let explainer: ReturnType<typeof makeExplainer>
beforeAll(async () => {
  app = await startApp()
  actors = await seedActors(app)
  await aBusiness(app)
  await fill()
  explainer = makeExplainer(app)
}, 240_000)
afterAll(() => app.stop())

/** Many of everything, written past the triggers: only what lists and tiles look at has to be right. */
async function fill() {
  const owner = new pg.Client({ ...app.database.owner, statement_timeout: 0 })
  await owner.connect()
  const many = `generate_series(1, ${documents}) n, (select guid from businesses) b(business)`
  const of = (kind: string) => `overlay(overlay(md5('${kind}' || n) placing '7' from 13) placing '8' from 17)::uuid`
  const at = `timestamptz '2026-10-31' - make_interval(mins => n * 37)`
  const day = `date '2026-10-31' - n % 400`
  const priced = `'exclusive', 'total_invoice', 1000 * (1 + n % 900), 100 * (1 + n % 900), 1100 * (1 + n % 900)`
  const statements = [
    `begin; set local session_replication_role = replica`,
    `insert into customers (guid, business_guid, display_name, email, phone, created_at) select ${of('c')}, business, (array['Harbour', 'Jarrah', 'Quarry'])[1 + n % 3] || ' Builders ' || n, 'accounts' || n || '@customer.example', '02 5550 ' || n, ${at} from ${many}`,
    `insert into contacts (guid, customer_guid, listed_in, name, email, created_at) select ${of('p')}, ${of('c')}, business, 'Alex ' || n, 'alex' || n || '@customer.example', ${at} from ${many}`,
    `insert into quotes (guid, business_guid, number, title, customer_guid, status, valid_until, sent_at, price_mode, rounding_rule, subtotal_cents, gst_cents, total_cents, created_at)
      select ${of('q')}, business, 'Q-' || n, 'Hoarding hire ' || n % 50, ${of('c')}, (array['sent', 'sent', 'accepted', 'declined', 'converted', 'cancelled'])[1 + n % 6], ${day} + 30, ${at}, ${priced}, ${at} from ${many}`,
    `insert into orders (guid, business_guid, number, title, customer_guid, status, invoice_status, scheduled_on, price_mode, rounding_rule, subtotal_cents, gst_cents, total_cents, created_at)
      select ${of('o')}, business, 'SO-' || n, 'Hoarding hire ' || n % 50, ${of('c')}, (array['confirmed', 'in_progress', 'completed', 'closed', 'closed'])[1 + n % 5], (array['to_invoice', 'invoiced', 'invoiced'])[1 + n % 3], ${day}, ${priced}, ${at} from ${many}`,
    `insert into invoices (guid, business_guid, number, title, customer_guid, status, issue_on, due_on, paid_cents, price_mode, rounding_rule, subtotal_cents, gst_cents, total_cents, created_at)
      select ${of('i')}, business, 'INV-' || n, 'Hoarding hire ' || n % 50, ${of('c')}, 'issued', ${day}, ${day} + 14, case when n % 10 < 7 then 1100 * (1 + n % 900) when n % 10 = 7 then 100 else 0 end, ${priced}, ${at} from ${many}`,
    `insert into payments (guid, business_guid, number, customer_guid, method, amount_cents, received_on, reference, created_at) select ${of('m')}, business, 'PAY-' || n, ${of('c')}, (array['bank_transfer', 'card', 'cash'])[1 + n % 3], 100 * (1 + n % 900), ${day}, 'INV-' || n, ${at} from ${many}`,
    `insert into journal_entries (guid, business_guid, posted_on, source, source_guid, narrative, created_at) select ${of('j')}, business, ${day}, 'payment', ${of('m')}, 'Payment of INV-' || n || ' by ' || (array['Harbour', 'Jarrah', 'Quarry'])[1 + n % 3], ${at} from ${many}`,
    `insert into messages (guid, business_guid, owner_type, owner_guid, customer_guid, sender, recipients, subject, body_html, body_text, status, message_id, sent_at, created_at) select ${of('e')}, business, 'invoice', ${of('i')}, ${of('c')}, 'a@b.example', array['accounts' || n || '@customer.example'], 'Tax invoice INV-' || n, '', '', 'sent', '<' || n || '@b.example>', ${at}, ${at} from ${many}`,
    'select rebuild_figures()',
    'commit',
    'vacuum analyze',
  ]
  for (const statement of statements) await owner.query(statement)
  await owner.end()
}

/** The rows the statements of one request took from tables, by request. */
async function rowsReadBy(path: string): Promise<number> {
  explainer.plans.length = 0
  explainer.state.isOn = true
  const answer = await app.call(actors.administrator, 'GET', path)
  explainer.state.isOn = false
  // A list may say that what is asked for lies too far back.
  if (answer.status !== 400) ok(answer)
  return explainer.plans.flatMap(nodesOf).reduce((sum, node) => sum + rowsOf(node), 0)
}

/** The list by each filter, and in each order: both together are for the bench. */
function queriesOf(op: Op): string[] {
  const asked: Record<string, readonly string[]> = {
    search: ['INV-139', 'Harbour', 'Hoarding', 'accounts1234@', 'zzzz'],
    status: valuesOf(op, 'status'),
    kind: valuesOf(op, 'kind'),
    method: valuesOf(op, 'method'),
    invoiceStatus: valuesOf(op, 'invoiceStatus'),
    owing: ['any', 'overdue'],
  }
  const days = fieldsOf(op).filter((field) => /On\.(gte|lte)$/.test(field))
  const filters = [
    ...Object.entries(asked).flatMap(([field, values]) =>
      fieldsOf(op).includes(field) ? values.map((value) => `${field}=${encodeURIComponent(value)}`) : [],
    ),
    ...days.map((field) => `${field}=2026-06-01`),
  ]
  const sorts = valuesOf(op, 'sort').flatMap((field) => [`sort=${field}`, `sort=-${field}`])
  return ['', ...filters, ...sorts].map((query) => `${op.path}?size=50${query && `&${query}`}`)
}

const lists = [
  '/Customers',
  '/Contacts',
  '/Quotes',
  '/Orders',
  '/Invoices',
  '/Payments',
  '/Messages',
  '/Dev/BankingJournals',
]

test.each(lists)('%s reads no more than its page and its total, whatever is asked', async (path) => {
  const op = allOperations.find((one) => one.op.path === path && one.op.method === 'GET')?.op
  if (!op) throw new Error(`there is no list ${path}`)
  const over: [string, number][] = []
  for (const query of queriesOf(op)) {
    const rows = await rowsReadBy(query)
    const isPlain = /^[^?]*\?size=50(&(sort|status|method)=[^&]*)?$/.test(query)
    if (rows > (isPlain ? maxInOrder : maxOfAList)) over.push([query, rows])
  }
  expect(over).toEqual([])
})

test.each([
  '/Quotes/Metrics/StatusMetrics',
  '/Orders/Metrics/StatusMetrics',
  '/Invoices/Metrics/StatusMetrics',
  '/Dashboards/Ecommerce',
])('%s reads days, not records', async (path) => {
  const rows = await rowsReadBy(path)
  expect(rows).toBeGreaterThan(0)
  expect(rows).toBeLessThan(maxOfASum)
})
