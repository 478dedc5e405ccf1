import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '../../contract/core/dates.ts'
import type { CustomerMoney } from '../../contract/customers.ts'
import type { AgedRow } from '../../contract/statements.ts'
import { type Actor, aPerson, aRole, logIn } from '../../test/support/actors.ts'
import { aCustomer, ok } from '../../test/support/factories.ts'
import { type Paying, startPaying } from '../../test/support/paying.ts'
import { type Caller, keyed } from '../../test/support/start.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { makeDice } from '../sample/random.ts'

const seed = Number(process.env['AGREEMENT_SEED'] ?? 11)
const dice = makeDice(seed)
let p: Paying
let customers: string[]
/** Sees all rows by a condition that each meets: his sums are added up row by row. */
let counting: Actor

const at = async (days: number) => {
  p.clock.aheadMs += days * 86_400_000
  for (const who of [p.actors.administrator, p.actors.accountant, p.actors.office, counting])
    who.headers = await logIn(p.app, who.authId)
}
const today = () =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney' }).format(new Date(Date.now() + p.clock.aheadMs))

beforeAll(async () => {
  p = await startPaying()
  const conditions = { amountBelowCents: 1_000_000_000_000 }
  const rules = [
    { subject: 'Dashboards', action: 'manage' as const },
    { subject: 'Invoices', action: 'manage' as const, conditions },
  ]
  counting = await aPerson(p.app, 'counting', await aRole(p.app, 'counting', rules))
  customers = []
  for (const name of ['Alpha', 'Beta', 'Gamma'])
    customers.push((await aCustomer(p.app, p.actors.office, { displayName: name, email: `${name}@example.com` })).guid)
})
afterAll(() => p.stop())

interface Board {
  money: { outstandingCents: number; overdueCents: number }
  ageing: { bucket: string; cents: number }[]
  months: { month: string; collectedCents: number }[]
}
const get = async <D>(path: string, who: Caller = p.actors.administrator) => ok(await p.app.call<D>(who, 'GET', path))
/** A deed that may be refused, but never by a fault of ours. */
const attempt = async <D>(path: string, body: unknown) => {
  const answer = await p.app.call<D>(p.actors.administrator, 'POST', path, body, keyed())
  if (answer.status >= 500) throw new Error(`${path}: ${answer.body}`)
  return answer.status < 300 ? answer.data : null
}

/** What the board shows, what the reports have, and what the ledger says, each in cents. */
async function figures() {
  const board = await get<Board>('/Dashboards/Ecommerce')
  const { totals, agrees } = await get<{ totals: AgedRow; agrees: boolean }>('/Journal/AgedReceivables')
  const [ledger] = await p.rows<{ owing: number }>(
    `select coalesce(sum(debit_cents - credit_cents), 0)::int as owing from journal_lines where account = '1100'`,
  )
  const rows = await p.rows<{ month: string; moved: number }>(
    `select to_char(e.posted_on, 'YYYY-MM') as month, coalesce(sum(l.debit_cents - l.credit_cents), 0)::int as moved
      from journal_entries e join journal_lines l on l.entry_guid = e.guid and l.account in ('1000', '1010')
      where e.source in ('payment', 'payment_reversal', 'refund') group by 1 order by 1`,
  )
  const aged = [totals.currentCents, totals.d30Cents, totals.d60Cents, totals.d90Cents, totals.olderCents]
  return {
    agrees,
    board: {
      outstanding: board.money.outstandingCents,
      overdue: board.money.overdueCents,
      ageing: board.ageing.map(({ cents }) => cents),
      collected: board.months
        .filter(({ collectedCents }) => collectedCents !== 0)
        .map((one) => [one.month, one.collectedCents]),
    },
    books: {
      outstanding: ledger?.owing ?? 0,
      overdue: aged.slice(1).reduce((sum, cents) => sum + cents, 0),
      ageing: aged,
      collected: rows.filter(({ moved }) => moved !== 0).map(({ month, moved }) => [month, moved]),
    },
  }
}
const sumOf = <Row>(rows: readonly Row[], centsOf: (row: Row) => number) =>
  rows.reduce((sum, row) => sum + centsOf(row), 0)

/** What is overdue by every list, tile and page that says so, in cents. */
async function overdueBy() {
  const tileOf = async (who: Caller) =>
    (await get<{ items: { status: string; totalCents: number }[] }>('/Invoices/Metrics/StatusMetrics', who)).items.find(
      ({ status }) => status === 'overdue',
    )?.totalCents
  const { items: invoices } = await get<{ items: { overdueCents: number }[] }>('/Invoices?status=overdue&size=100')
  const { items: all } = await get<{ items: { overdueCents: number }[] }>('/Invoices?size=100')
  const { items: listed } = await get<{ items: { guid: string; overdueCents: number }[] }>('/Customers?size=100')
  const pages: Pick<CustomerMoney, 'overdueCents' | 'byBusiness'>[] = []
  const statements: AgedRow[] = []
  for (const { guid } of listed) {
    pages.push((await get<{ customer: { money: CustomerMoney } }>(`/Customers/${guid}`)).customer.money)
    statements.push((await get<{ statement: { ageing: AgedRow } }>(`/Statements/${guid}`)).statement.ageing)
  }
  return {
    tile: await tileOf(p.actors.administrator),
    addedTile: await tileOf(counting),
    addedBoard: (await get<Board>('/Dashboards/Ecommerce', counting)).money.overdueCents,
    list: sumOf(invoices, ({ overdueCents }) => overdueCents),
    allInvoices: sumOf(all, ({ overdueCents }) => overdueCents),
    customers: sumOf(listed, ({ overdueCents }) => overdueCents),
    pages: sumOf(pages, ({ overdueCents }) => overdueCents),
    byBusiness: sumOf(pages, ({ byBusiness }) => sumOf(byBusiness, ({ overdueCents }) => overdueCents)),
    statements: sumOf(statements, (row) => row.d30Cents + row.d60Cents + row.d90Cents + row.olderCents),
  }
}
async function expectAgreement() {
  const { agrees, board, books } = await figures()
  expect(agrees).toBe(true)
  expect(board).toEqual(books)
  const { overdue } = books
  const each = {
    tile: overdue,
    addedTile: overdue,
    addedBoard: overdue,
    list: overdue,
    allInvoices: overdue,
    customers: overdue,
    pages: overdue,
  }
  expect(await overdueBy()).toEqual({ ...each, byBusiness: overdue, statements: overdue })
}

interface Owed {
  guid: string
  version: number
  balance: number
  total: number
}
const owed = async (): Promise<Owed | undefined> => {
  const open = await p.rows<Owed>(
    `select guid, version, balance_cents::int as balance, total_cents::int as total from invoices
      where status = 'issued' and kind <> 'adjustment_note' order by guid`,
  )
  return open.length === 0 ? undefined : dice.pick(open)
}
const payment = async () => {
  const all = await p.rows<{ guid: string; credit: number; invoice: string | null; paid: number }>(
    `select p.guid, (p.amount_cents
      - coalesce((select sum(cents) from payment_allocations where payment_guid = p.guid), 0)
      - coalesce((select sum(amount_cents) from refunds where payment_guid = p.guid and invoice_guid is null), 0))::int
        as credit, (select a.invoice_guid from payment_allocations a where a.payment_guid = p.guid and a.cents > 0
        order by a.guid limit 1) as invoice, p.amount_cents::int as paid
      from payments p order by p.guid`,
  )
  return all.length === 0 ? undefined : dice.pick(all)
}

const deeds: (() => Promise<unknown>)[] = [
  async () => {
    const made = await attempt<{ invoice: { guid: string; version: number } }>('/Invoices', {
      customerGuid: dice.pick(customers),
      title: 'Fence',
      termsDays: dice.between(0, 40),
      lines: [{ name: 'Fence', unitPriceCents: dice.between(100, 50_000) }],
    })
    if (made) await attempt(`/Invoices/Issue/${made.invoice.guid}`, { version: made.invoice.version })
  },
  async () => {
    const invoice = await owed()
    if (!invoice) return
    const count = dice.between(2, 4)
    const each = Math.floor(invoice.total / count)
    const instalments = Array.from({ length: count }, (_, i) => ({
      label: `Part ${i + 1}`,
      dueOn: addDays(today(), dice.between(0, 8) + i * 25),
      cents: i === count - 1 ? invoice.total - each * (count - 1) : each,
    })).toSorted((a, b) => (a.dueOn < b.dueOn ? -1 : 1))
    await attempt(`/Invoices/Instalments/${invoice.guid}`, { version: invoice.version, instalments })
  },
  async () => {
    const invoice = await owed()
    if (!invoice || invoice.balance === 0) return
    const cents = dice.between(1, invoice.balance)
    await attempt('/Payments', {
      method: dice.pick(['bank_transfer', 'cash']),
      receivedOn: addDays(today(), -dice.between(0, 5)),
      amountCents: cents + dice.between(0, 500),
      allocations: [{ invoiceGuid: invoice.guid, cents }],
      customerGuid: undefined,
    })
  },
  async () =>
    attempt('/Payments', {
      method: 'bank_transfer',
      receivedOn: today(),
      amountCents: dice.between(100, 9000),
      customerGuid: dice.pick(customers),
      allocations: [],
    }),
  async () => attempt(`/Customers/Credit/Apply/${dice.pick(customers)}`, {}),
  async () => {
    const found = await payment()
    if (found) await attempt(`/Payments/Reverse/${found.guid}`, { reason: 'dishonoured', on: today() })
  },
  async () => {
    const found = await payment()
    if (!found) return
    const ofInvoice = found.invoice && dice.chance(70)
    await attempt('/Payments/Refunds', {
      paymentGuid: found.guid,
      ...(ofInvoice ? { invoiceGuid: found.invoice } : {}),
      amountCents: dice.between(1, ofInvoice ? found.paid : Math.max(found.credit, 1)),
      reasonCode: dice.pick(['price_adjustment', 'duplicate']),
      ...(ofInvoice ? { effect: dice.pick(['price_reduced', 'money_back']) } : {}),
    })
  },
  async () => {
    const invoice = await owed()
    if (!invoice || invoice.balance === 0) return
    const lines = [{ gstCode: 'GST', cents: dice.between(1, invoice.balance), text: 'Scratched' }]
    await attempt('/Invoices/Notes', { invoiceGuid: invoice.guid, lines, reason: 'Scratched' })
  },
  async () => {
    const invoice = await owed()
    if (invoice)
      await attempt(`/Invoices/WriteOff/${invoice.guid}`, {
        version: invoice.version,
        reasonCode: 'bad_debt',
        ...(dice.chance(50) ? { cents: dice.between(1, Math.max(invoice.balance, 1)) } : {}),
      })
  },
  async () => {
    const [row] = await p.rows<{ guid: string; version: number }>(
      `select guid, version from invoices where written_off_cents > 0 order by guid limit 1`,
    )
    if (row) await attempt(`/Invoices/Recover/${row.guid}`, { version: row.version })
  },
  async () => {
    const invoice = await owed()
    if (invoice) await attempt(`/Invoices/Void/${invoice.guid}`, { version: invoice.version, reason: 'Twice' })
  },
]

test(`the tiles say what aged receivables and the ledger say, whatever happens (seed ${seed})`, async () => {
  const rounds = process.env['PROVE'] ? 40 : 8
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < 8; i++) await (dice.chance(30) ? deeds[0] : dice.pick(deeds))?.()
    await expectAgreement()
    await at(dice.between(1, 9))
    await expectAgreement()
  }
  const { board } = await figures()
  expect(board.overdue).toBeGreaterThan(0)
  const [happened] = await p.rows<Record<string, number>>(
    `select (select count(*) from invoice_instalments)::int as planned, (select count(*) from write_offs)::int as "off",
      (select count(*) from payment_reversals)::int as reversed, (select count(*) from refunds)::int as refunded,
      (select count(*) from invoices where kind = 'adjustment_note')::int as notes,
      (select count(*) from journal_entries where source = 'allocation')::int as applied`,
  )
  for (const [what, count] of Object.entries(happened ?? {})) expect([what, count > 0]).toEqual([what, true])
  expect((await verifyLedger(p.app.deps.db)).problems).toEqual([])
}, 180_000)

test('of an invoice in parts, only those past their day are overdue', async () => {
  const { guid } = await p.invoice(30_000, customers[0])
  const [{ version } = { version: 0 }] = await p.rows<{ version: number }>(
    'select version from invoices where guid = $1',
    [guid],
  )
  const issued = today()
  const instalments = [3, 40, 70].map((days, i) => ({
    label: `Part ${i + 1}`,
    dueOn: addDays(issued, days),
    cents: 10_000,
  }))
  ok(await p.app.call(p.actors.administrator, 'POST', `/Invoices/Instalments/${guid}`, { version, instalments }))
  await at(45)
  const whole = (await figures()).board
  ok(
    await p.byHand({ receivedOn: today(), amountCents: 12_000, allocations: [{ invoiceGuid: guid, cents: 12_000 }] }),
    201,
  )
  // The first part was 42 days late, the second is 5.
  const { board } = await figures()
  expect(board.overdue - whole.overdue).toBe(-12_000)
  expect(board.ageing.map((cents, i) => cents - (whole.ageing[i] ?? 0))).toEqual([0, -2000, -10_000, 0, 0])
  await expectAgreement()
})
