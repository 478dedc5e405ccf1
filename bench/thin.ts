/**
 * The lower bound the product is measured against: bare node:http and pg with named statements on the same database and
 * the same rows; what it writes goes to tables of its own, which have indexes and no triggers. No rights, no
 * validation, no audit, no framework. Prints its address, then answers until it is told to stop.
 */
import http from 'node:http'
import pg from 'pg'
import { randomUUID } from 'node:crypto'

const pool = new pg.Pool({
  host: process.env['THIN_HOST'],
  port: Number(process.env['THIN_PORT'] ?? 5432),
  user: process.env['THIN_USER'],
  database: process.env['THIN_DATABASE'],
  max: 10,
})
const run = (name: string, text: string, values: unknown[]) => pool.query({ name, text, values })

const invoiceSql =
  'select i.*, c.display_name from invoices i join customers c on c.guid = i.customer_guid where i.guid = $1'
const linesSql = 'select * from invoice_lines where invoice_guid = $1 order by position'

async function invoice(guid: string) {
  const [head, lines] = await Promise.all([run('invoice', invoiceSql, [guid]), run('lines', linesSql, [guid])])
  return { ...head.rows[0], lines: lines.rows }
}

async function inTransaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

interface Sent {
  businessGuid: string
  customerGuid: string
  guid: string
  cents: number
  lines: { name: string; quantity: string; unitPriceCents: number }[]
}

const insertLine = `insert into bare.invoice_lines (guid, invoice_guid, position, kind, name, quantity,
    unit_price_cents, net_cents, gst_cents, total_cents)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`

async function create(body: Sent) {
  return inTransaction(async (client) => {
    const guid = randomUUID()
    const nets = body.lines.map((l) => Math.round(Number(l.quantity) * l.unitPriceCents))
    const net = nets.reduce((a, b) => a + b, 0)
    const gst = Math.round(net / 10)
    await client.query({
      name: 'create',
      text: `insert into bare.invoices (guid, business_guid, customer_guid, title, status, price_mode, rounding_rule,
        subtotal_cents, gst_cents, total_cents, paid_cents, balance_cents, created_at)
        values ($1, $2, $3, 'Bench', 'draft', 'exclusive', 'total_invoice', $4, $5, $6, 0, $6, now())`,
      values: [guid, body.businessGuid, body.customerGuid, net, gst, net + gst],
    })
    for (const [i, l] of body.lines.entries()) {
      const n = nets[i] ?? 0
      await client.query({
        name: 'create-line',
        text: insertLine,
        values: [
          randomUUID(),
          guid,
          i,
          'item',
          l.name,
          l.quantity,
          l.unitPriceCents,
          n,
          Math.round(n / 10),
          n + Math.round(n / 10),
        ],
      })
    }
    return { guid }
  })
}

const nextNumber = (kind: string) =>
  `(update bare.number_counters set next = next + 1
    where business_guid = $2 and kind = '${kind}' returning prefix || (next - 1))`
const lockInvoice = { name: 'lock', text: 'select * from bare.invoices where guid = $1 for update' }

async function issue(body: Sent) {
  return inTransaction(async (client) => {
    await client.query({ ...lockInvoice, values: [body.guid] })
    await client.query({
      name: 'issue',
      text: `with given (number) as ${nextNumber('invoice')}
        update bare.invoices set status = 'issued', issue_on = current_date, due_on = current_date + 14,
        number = given.number from given where guid = $1`,
      values: [body.guid, body.businessGuid],
    })
    return { guid: body.guid }
  })
}

async function pay(body: Sent) {
  return inTransaction(async (client) => {
    const guid = randomUUID()
    await client.query({ ...lockInvoice, values: [body.guid] })
    await client.query({
      name: 'allocate',
      text: `insert into bare.payment_allocations (guid, payment_guid, invoice_guid, cents, created_at)
        values ($1, $2, $3, $4, now())`,
      values: [randomUUID(), guid, body.guid, body.cents],
    })
    await client.query({
      name: 'sum',
      text: 'update bare.invoices set paid_cents = paid_cents + $2, balance_cents = balance_cents - $2 where guid = $1',
      values: [body.guid, body.cents],
    })
    await client.query({
      name: 'pay',
      text: `with given (number) as ${nextNumber('payment')}
        insert into bare.payments (guid, business_guid, number, customer_guid, method, amount_cents, received_on,
        created_at)
        select $1, $2, number, $3, 'bank_transfer', $4, current_date, now() from given`,
      values: [guid, body.businessGuid, body.customerGuid, body.cents],
    })
    return { guid }
  })
}

const wearing: Record<string, string> = {
  draft: "base_status = 'draft'",
  paid: "base_status = 'paid'",
  sent: "base_status = 'sent' and due_on >= current_date",
  viewed: "base_status = 'viewed' and due_on >= current_date",
  partially_paid: "base_status = 'partially_paid' and due_on >= current_date",
  overdue: "base_status = any('{sent,viewed,partially_paid}') and due_on < current_date",
}
const orders: Record<string, string> = {
  createdAt: 'created_at',
  number: 'number',
  title: 'title',
  totalCents: 'total_cents',
  balanceCents: 'balance_cents',
  issueOn: 'issue_on',
  dueOn: 'due_on',
}

async function list(query: URLSearchParams) {
  const status = query.get('status') ?? 'paid'
  const sort = query.get('sort') ?? '-issueOn'
  const column = orders[sort.replace('-', '')] ?? 'issue_on'
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  const offset = (Number(query.get('page') ?? 1) - 1) * 50
  const where = `business_guid = (select guid from businesses limit 1) and ${wearing[status] ?? ''}
    and archived_at is null`
  const found = `select i.guid from invoices i
    where ${where} order by i.${column} ${direction}, i.guid ${direction} limit 50 offset ${offset}`
  const [rows, count] = await Promise.all([
    run(
      `list ${status} ${sort} ${offset}`,
      `select i.guid, i.number, i.kind, i.title, i.issue_on, i.due_on, i.total_cents, i.balance_cents, c.display_name
        from invoices i join customers c on c.guid = i.customer_guid
        where i.guid = any(array(${found})) order by i.${column} ${direction}, i.guid ${direction}`,
      [],
    ),
    run(`count ${status}`, `select count(*) from (select 1 from invoices where ${where} limit 10001) counted`, []),
  ])
  return { items: rows.rows, total: count.rows[0]?.count }
}

async function answer(request: http.IncomingMessage): Promise<unknown> {
  const url = new URL(request.url ?? '/', 'http://thin')
  if (request.method === 'POST') {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as Sent
    return url.pathname === '/create' ? create(body) : url.pathname === '/issue' ? issue(body) : pay(body)
  }
  if (url.pathname === '/list') return list(url.searchParams)
  if (url.pathname === '/search')
    return (
      await run(
        'search',
        `select guid, display_name, email, phone from customers
          where search_text like '%' || $1 || '%' and archived_at is null order by display_name limit 25`,
        [url.searchParams.get('q')],
      )
    ).rows
  if (url.pathname === '/guest') {
    const link = await run(
      'link',
      "select record_guid from service_links where guid = $1 and kind = 'invoice' and revoked_at is null",
      [url.searchParams.get('guid')],
    )
    return invoice(link.rows[0]?.record_guid)
  }
  return invoice(url.searchParams.get('guid') ?? '')
}

const server = http.createServer((request, response) => {
  answer(request).then(
    (value) => {
      const text = JSON.stringify(value)
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
        .end(text)
    },
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') process.stdout.write(`thin http://127.0.0.1:${address.port}\n`)
})
process.on('SIGTERM', () => process.exit(0))
