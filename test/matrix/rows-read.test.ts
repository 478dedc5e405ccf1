import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fieldsOf, makeExplainer, nodesOf, rowsOf, valuesOf } from '../../bench/explain.ts'
import { operations as allOperations } from '../../contract/api.ts'
import type { Op } from '../../contract/core/op.ts'
import type { Actors } from '../support/actors.ts'
import { ok, startStaffed } from '../support/factories.ts'
import type { Running } from '../support/start.ts'

/*
 * How many rows a request reads, by what PostgreSQL says it did: a list reads what its page and its total take, a tile
 * what days there are. The bench asks the same of the whole reference data, of every filter in every order.
 */

const documents = 14_000
/** No list reads as many, whatever it is asked for. */
const maxOfAList = 10_000
/** What an order of the whole list takes, and what a page by one status does: the total and the page. */
const maxInOrder = 4700
/** A page of entries shows their lines, each with the name of its account; a few entries have more than two. */
const maxOfTheirLines = 550
/** Deposits and payments that something is held of. */
const held = { deposits: 35, payments: 6 }
/** Of each kind of record the newest, whatever is looked for, and what indexes find beside them. */
const maxOfASearch = 10_000
/** Twenty of each kind, their customers, and who asks. */
const maxOfOwn = 200
/** There are fewer days than documents, by far. */
const maxOfASum = 2500
/** The days, and the entries and lines of the few that a page shows. */
const maxOfALedger = 3000
/** The entries of a day, each with what it is about, what waits in suspense, and what is held with what moved it. */
const maxOfADay = 800 + 12 * (held.deposits + held.payments)
/** Three of ten invoices owe something, and each is read once; at the most all customers, with whom they belong to. */
const maxOfAged = 2.35 * documents

let app: Running
let actors: Actors
let explainer: ReturnType<typeof makeExplainer>
beforeAll(async () => {
  ;({ app, actors } = await startStaffed())
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
    `insert into customers (guid, business_guid, display_name, email, phone, created_at)
      select ${of('c')}, business, (array['Harbour', 'Jarrah', 'Quarry'])[1 + n % 3] || ' Builders ' || n,
      'accounts' || n || '@customer.example', '02 5550 ' || n, ${at} from ${many}`,
    `insert into contacts (guid, customer_guid, listed_in, name, email, created_at)
      select ${of('p')}, ${of('c')}, business, 'Alex ' || n, 'alex' || n || '@customer.example', ${at} from ${many}`,
    `insert into contact_links (guid, contact_guid, customer_guid, is_primary, created_at)
      select ${of('l')}, ${of('p')}, ${of('c')}, true, ${at} from ${many}`,
    // One whose contact alone has the text.
    `update contacts set name = 'Harbour Pilot' where guid = (select ${of('p')} from (values (2)) v(n))`,
    `insert into products (guid, business_guid, name, sku, kind, price_cents, created_at)
      select ${of('k')}, business, (array['Harbour', 'Jarrah', 'Quarry'])[1 + n % 3] || ' panel ' || n, 'P-' || n,
      (array['goods', 'service', 'goods', 'hire'])[1 + n % 4], 100 * (1 + n % 900), ${at} from ${many}`,
    `insert into quotes (guid, business_guid, number, title, customer_guid, status, valid_until, sent_at, price_mode,
      rounding_rule, subtotal_cents, gst_cents, total_cents, created_at)
      select ${of('q')}, business, 'Q-' || n, 'Hoarding hire ' || n % 50, ${of('c')},
      (array['sent', 'sent', 'accepted', 'declined', 'converted', 'cancelled'])[1 + n % 6], ${day} + 30, ${at},
      ${priced}, ${at} from ${many}`,
    `insert into orders (guid, business_guid, number, title, customer_guid, status, invoice_status, scheduled_on,
      price_mode, rounding_rule, subtotal_cents, gst_cents, total_cents, created_at)
      select ${of('o')}, business, 'SO-' || n, 'Hoarding hire ' || n % 50, ${of('c')},
      (array['confirmed', 'in_progress', 'completed', 'closed', 'closed'])[1 + n % 5],
      (array['to_invoice', 'invoiced', 'invoiced'])[1 + n % 3], ${day}, ${priced}, ${at} from ${many}`,
    `insert into invoices (guid, business_guid, entity_guid, number, title, kind, customer_guid, status, issue_on,
      due_on, paid_cents, price_mode, rounding_rule, subtotal_cents, gst_cents, total_cents, created_at)
      select ${of('i')}, business, business, 'INV-' || n, 'Hoarding hire ' || n % 50,
      case n % 4 when 1 then 'deposit' else 'standard' end, ${of('c')}, 'issued', ${day}, ${day} + 14,
      case when n % 10 < 7 then 1100 * (1 + n % 900) when n % 10 = 7 then 100 else 0 end,
      ${priced}, ${at} from ${many}`,
    `insert into payments (guid, business_guid, entity_guid, number, customer_guid, method, amount_cents, received_on,
        reference, created_at)
      select ${of('m')}, business, business, 'PAY-' || n, ${of('c')},
      (array['bank_transfer', 'card', 'cash'])[1 + n % 3],
      100 * (1 + n % 900), ${day}, 'INV-' || n, ${at} from ${many}`,
    // Each pays an invoice, whole or in part.
    `insert into payment_allocations (guid, payment_guid, invoice_guid, cents, effective_on, created_at)
      select ${of('a')}, ${of('m')}, ${of('i')}, case when n % 10 < 7 then 1100 * (1 + n % 900) else 100 end,
      ${day}, ${at} from ${many} where n % 10 <= 7`,
    `insert into journal_entries (guid, business_guid, entity_guid, posted_on, source, source_guid, narrative,
        created_at)
      select ${of('j')}, business, business, ${day}, 'payment', ${of('m')}, 'Payment of INV-' || n || ' by '
      || (array['Harbour', 'Jarrah', 'Quarry'])[1 + n % 3], ${at} from ${many}`,
    `insert into journal_lines (entry_guid, business_guid, position, account, debit_cents, credit_cents)
      select ${of('j')}, business, s.position, s.account, s.debit * (1 + n % 900), s.credit * (1 + n % 900)
      from ${many}, (values (1, '1000', 100, 0), (2, '1100', 0, 100)) s(position, account, debit, credit)`,
    // The next invoice credits each deposit, but for some of the oldest. What came as credit was used, but for a few.
    `insert into invoice_lines (guid, invoice_guid, deposit_invoice_guid, position, kind, name, total_cents)
      select ${of('d')}, (select ${of('i')} from (values (n + 1)) v(n)), ${of('i')}, 1, 'deposit_credit', 'Deposit',
      -1100 * (1 + n % 900) from ${many} where n % 4 = 1 and n % 400 <> 381`,
    `insert into journal_lines (entry_guid, business_guid, position, account, debit_cents, credit_cents)
      select ${of('j')}, business, s.position, '2300', s.debit, s.credit
      from ${many}, (values (4, 0, 100), (5, 100, 0)) s(position, debit, credit)
      where n % 11 = 0 and (s.position = 4 or n % 2002 <> 0)`,
    // Something waits to be sorted, and something did.
    `insert into journal_lines (entry_guid, business_guid, position, account, debit_cents, credit_cents)
      select ${of('j')}, business, 3, '2900', 100, 0 from ${many} where n % 1000 = 0`,
    `insert into messages (guid, business_guid, owner_type, owner_guid, customer_guid, sender, recipients, subject,
      body_html, body_text, status, message_id, sent_at, created_at)
      select ${of('e')}, business, 'invoice', ${of('i')}, ${of('c')}, 'a@b.example',
      array['accounts' || n || '@customer.example'], 'Tax invoice INV-' || n, '', '', 'sent',
      '<' || n || '@b.example>', ${at}, ${at} from ${many}`,
    // Whoever asks made every fifth document himself.
    ...['quotes', 'orders', 'invoices'].map(
      (table) =>
        `update ${table} set owner_guid = '${actors.administrator.userGuid}' where right(number, 1) in ('3', '8')`,
    ),
    'select rebuild_figures()',
    'select rebuild_held()',
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
  '/Products',
  '/Products/BookingOptions',
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
    const rows = (await rowsReadBy(query)) - (path === '/Dev/BankingJournals' ? maxOfTheirLines : 0)
    const isPlain = /^[^?]*\?size=50(&(sort|status|method)=[^&]*)?$/.test(query)
    if (rows > (isPlain ? maxInOrder : maxOfAList)) over.push([query, rows])
  }
  expect(over).toEqual([])
})

test('a message among many is found by the name of its customer, which it does not say itself', async () => {
  const { items } = ok(
    await app.call<{ items: { subject: string }[] }>(
      actors.administrator,
      'GET',
      `/Messages?search=${encodeURIComponent('Jarrah Builders 1234')}`,
    ),
  )
  expect(items.map(({ subject }) => subject)).toContain('Tax invoice INV-1234')
})

test.each([
  'Harbour',
  'Hoarding',
  'zzqxv',
  'INV-0100',
  'INV-139',
  'ma',
  '1234',
  '02 5550 1234',
  '1100',
  'accounts1234@',
])('the search of everything reads a bounded part for %s', async (text) => {
  expect(await rowsReadBy(`/Search?q=${encodeURIComponent(text)}`)).toBeLessThan(maxOfASearch)
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

const bank = async () =>
  (await app.deps.db.selectFrom('accounts').select('guid').where('code', '=', '1000').executeTakeFirstOrThrow()).guid

test('balances of accounts are read from their days', async () => {
  const rows = await rowsReadBy('/Journal/TrialBalance')
  expect(rows).toBeGreaterThan(0)
  expect(rows).toBeLessThan(maxOfASum)
})

test('a page of a ledger reads its own days, near and far', async () => {
  const path = `/Journal/Ledger/${await bank()}`
  for (const query of ['', '?page=2', '?page=70', '?from=2026-01-01&to=2026-06-30&page=3'])
    expect(await rowsReadBy(`${path}${query}`)).toBeLessThan(maxOfALedger)
})

test.each(['', '&basis=cash', '&basis=accrual'])(
  'an activity statement reads its days, however long the books are%s',
  async (basis) => {
    const rows = await rowsReadBy(`/Tax/Bas?from=2026-10-01&to=2026-10-01${basis}`)
    expect(rows).toBeGreaterThan(documents / 400)
    expect(rows).toBeLessThan(maxOfADay)
  },
)

test('what is held is found, however much was', async () => {
  const path = '/Tax/Oddities?from=2026-10-31&to=2026-10-31'
  const { items } = ok(await app.call<{ items: { code: string }[] }>(actors.administrator, 'GET', path))
  const found = (code: string) => items.filter((one) => one.code === code).length
  expect({ deposits: found('deposit_held'), payments: found('untagged_money') }).toEqual(held)
})

test('aged receivables read what owes, however much was paid', async () => {
  const rows = await rowsReadBy('/Journal/AgedReceivables?on=2026-10-31')
  expect(rows).toBeGreaterThan(0.3 * documents)
  expect(rows).toBeLessThan(maxOfAged)
})

test('the documents of a person are read as far as they are shown', async () => {
  expect(await rowsReadBy('/Kernal/Users/Documents')).toBeLessThan(maxOfOwn)
})

interface Shown {
  items: { guid: string; customerName: string }[]
  page: { total: { value: number; isExact: boolean }; next: string | null }
}
const shown = async (path: string) => ok(await app.call<Shown>(actors.administrator, 'GET', path))

/** What is done while the database believes that a table is longer. */
async function asIfThereWere<T>(rows: number, table: string, work: () => Promise<T>): Promise<T> {
  const owner = new pg.Client(app.database.owner)
  await owner.connect()
  try {
    await owner.query('update pg_class set reltuples = $1 where relname = $2', [rows, table])
    return await work()
  } finally {
    await owner.query(`analyze ${table}`)
    await owner.end()
  }
}

describe('a search', () => {
  const isHarbour = ({ customerName }: Shown['items'][number]) => /^Harbour |^Quarry Builders 2$/.test(customerName)

  test.each(['/Quotes', '/Orders', '/Invoices', '/Payments'])('finds %s of very many customers', async (path) => {
    const first = await shown(`${path}?search=Harbour&size=50`)
    const second = await shown(`${path}?search=Harbour&size=50&after=${first.page.next ?? ''}`)
    const items = [...first.items, ...second.items]
    expect([items.length, new Set(items.map((item) => item.guid)).size]).toEqual([100, 100])
    expect(items.filter((item) => !isHarbour(item))).toEqual([])
    expect(first.page.total.isExact).toBe(false)
    expect((await shown(`${path}?search=Harbour&size=50&page=2`)).items).toEqual(second.items)
    expect((await shown(`${path}?search=Builders%201234`)).page.total).toEqual({ value: 11, isExact: true })
  })

  test('counts to the last row and shows it, sorted by anything', async () => {
    for (const sort of ['-createdAt', 'number', '-totalCents', 'dueOn']) {
      const query = `/Invoices?search=Hoarding%20hire%207&size=50&sort=${sort}`
      expect((await shown(query)).page.total).toEqual({ value: documents / 50, isExact: true })
      const last = await shown(`${query}&page=6`)
      expect([last.items.length, last.page.next]).toEqual([30, null])
      const fifth = await shown(`${query}&page=5`)
      expect((await shown(`${query}&after=${fifth.page.next ?? ''}`)).items).toEqual(last.items)
    }
  })

  test('together with a status looks through the documents of that status', async () => {
    const { items, page } = await shown('/Quotes?search=Harbour&status=declined&size=50')
    expect([items.length, items.filter((item) => !isHarbour(item)).length]).toEqual([50, 0])
    expect(page.total.isExact).toBe(false)
    // The last page that the total names is there.
    const last = Math.ceil(page.total.value / 50)
    expect((await shown(`/Quotes?search=Harbour&status=declined&size=50&page=${last}`)).items.length).toBeGreaterThan(0)
    expect(await rowsReadBy('/Quotes?search=Harbour&status=declined&size=50')).toBeLessThan(maxOfAList)
  })

  test('that very many of the newest customers have is not looked up among all', async () => {
    const query = '/Orders?search=Harbour&size=50'
    const among14000 = await rowsReadBy(query)
    const amongMany = await asIfThereWere(250_000, 'customers', () => rowsReadBy(query))
    expect(among14000 - amongMany).toBeGreaterThan(2000)
  })

  test('that a part of a long list has is not looked up, where the first of them fill the page', async () => {
    const query = '/Invoices?search=Hoarding%20hire%201&size=50'
    expect((await shown(query)).page.total).toEqual({ value: (documents * 11) / 50, isExact: true })
    // A list of which the same part would be more than are counted.
    const { items, page } = await asIfThereWere(1_000_000, 'invoices', () => shown(query))
    expect([items.length, page.total.isExact]).toEqual([50, false])
  })

  test('that most rows have is answered with as many as are counted', async () => {
    const { items, page } = await shown('/Invoices?search=Hoarding&size=50&page=80')
    expect([items.length, page.total]).toEqual([50, { value: 4000, isExact: false }])
  })
})
