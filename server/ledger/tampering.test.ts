import { randomUUID } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { aLine, aSentQuote, ok } from '../../test/support/factories.ts'
import { cards, type Paying, startPaying } from '../../test/support/paying.ts'
import { withoutMoney } from '../../test/support/without-money.ts'
import { connect } from '../core/db/connect.ts'
import { ledgerSubjects } from '../core/db/ledger-log.ts'
import type { DB } from '../core/db/schema.ts'
import { lastAnchors } from '../core/jobs/anchor.ts'
import { sealBatch } from '../core/jobs/seals.ts'
import { signWebhook } from '../sandbox/webhooks.ts'
import { recordNames } from './records.ts'
import type { SealProof } from './seals.ts'
import { verifyLedger, verifyWithin } from './verify.ts'

const sealedTables = ['audit_log', 'ledger_log', 'audit_seals']
/** Left out of the digest, and proven otherwise. */
const provenOtherwise = ['quotes.snapshot', 'invoices.snapshot', 'number_counters.next']
/** Left out because they say nothing about money; the reasons stand with them. */
const meaningless = ledgerSubjects
  .flatMap((s) => (s.kind === 'rows' ? Object.keys(s.ignored).map((column) => `${s.table}.${column}`) : []))
  .filter((name) => !provenOtherwise.includes(name))

let p: Paying
let db: Kysely<DB>
let proof: SealProof

beforeAll(async () => {
  p = await startPaying()
  await aBusyDay()
  await sealAll()
  proof = { key: p.app.deps.keys.seal, anchors: lastAnchors(p.app.dataDir) }
  db = connect(p.app.database.owner, { poolSize: 1 })
}, 120_000)
afterAll(async () => {
  await db.destroy()
  await p.stop()
})

/** Something in every column: quotes, orders, all kinds of invoices, money by card and by hand, there and back. */
async function aBusyDay() {
  const post = async <D = Record<string, unknown>>(path: string, body: unknown, status = 200) =>
    ok(await p.app.call<D>(p.actors.administrator, 'POST', path, body, { 'idempotency-key': randomUUID() }), status)
  const issue = async (guid: string) => {
    const { invoice } = ok(
      await p.app.call<{ invoice: { version: number } }>(p.actors.administrator, 'GET', `/Invoices/${guid}`),
    )
    return (
      await post<{ invoice: { guid: string; version: number; balanceCents: number } }>(`/Invoices/Issue/${guid}`, {
        version: invoice.version,
      })
    ).invoice
  }
  const lines = [
    aLine({ unitPriceCents: 33_333, quantity: '1.5' }),
    aLine({ name: 'Freight', quantity: '1', unitPriceCents: 777, gstCode: 'FREE' }),
  ]
  const quote = await aSentQuote(p.app, p.actors.administrator, p.customer.guid, {
    lines,
    discount: { type: 'percent', value: 333 },
    depositRule: { type: 'percent', value: 3000 },
  })
  const accepted = await post<{ order: { guid: string }; invoice: { guid: string; balanceCents: number } }>(
    `/Quotes/Accept/${quote.guid}`,
    { version: quote.version, name: 'Anna', method: 'phone' },
  )
  ok(
    await p.byHand({
      amountCents: 1000,
      reference: 'Deposit',
      note: 'In part',
      allocations: [{ invoiceGuid: accepted.invoice.guid, cents: 1000 }],
    }),
    201,
  )
  for (const wish of [{ kind: 'progress', shareBp: 3333 }, { kind: 'final' }]) {
    const { order } = ok(
      await p.app.call<{ order: { version: number } }>(p.actors.administrator, 'GET', `/Orders/${accepted.order.guid}`),
    )
    await issue(
      (
        await post<{ invoice: { guid: string } }>(
          `/Orders/Invoice/${accepted.order.guid}`,
          { version: order.version, ...wish },
          201,
        )
      ).invoice.guid,
    )
  }
  const staged = await aSentQuote(p.app, p.actors.administrator, p.customer.guid, {
    lines,
    schedule: [
      { label: 'First', amount: { type: 'fixed', cents: 900 }, due: { type: 'day', on: '2026-01-05' } },
      { label: 'Rest', amount: { type: 'rest' }, due: { type: 'completion' } },
    ],
  })
  await post(`/Quotes/Accept/${staged.guid}`, { version: staged.version, name: 'Anna', method: 'phone' })
  await post(`/Orders/Costs/${accepted.order.guid}`, { on: '2026-01-05', text: 'Skip', cents: 4200 }, 201)
  await aHire(post)
  const changed = await p.app.call<{ order: { version: number } }>(
    p.actors.administrator,
    'GET',
    `/Orders/${accepted.order.guid}`,
  )
  const actions = [{ kind: 'add', line: { name: 'Gate', unitPriceCents: 2000 } }]
  const change = { version: changed.data.order.version, title: 'Gate', note: 'As agreed', actions }
  await post(`/Orders/Changes/${accepted.order.guid}`, change, 201)
  const invoice = await p.invoice(11_000)
  expect((await p.pay(invoice.link, 11_000, cards.declined)).status).toBe(402)
  const { payment } = ok(await p.pay(invoice.link, 6000), 201)
  const [booked] = await p.rows<{ guid: string }>('select guid from payments where attempt_guid = $1', [payment.guid])
  ok(await p.refund({ paymentGuid: booked?.guid, amountCents: 1500, note: 'A scratch' }), 201)
  ok(await p.refund({ paymentGuid: booked?.guid, amountCents: 500, effect: 'money_back' }), 201)
  const over = await p.invoice(2200)
  const paid = ok(
    await p.byHand({ amountCents: 5000, allocations: [{ invoiceGuid: over.guid, cents: 2200 }] }),
    201,
  ).payment
  ok(await p.refund({ paymentGuid: paid.guid, amountCents: 800, reasonCode: 'duplicate' }), 201)
  const wrong = await p.invoice(3300)
  await post(`/Invoices/Void/${wrong.guid}`, { version: wrong.version, reason: 'Twice' })
  await aRequest()
  await aSecurity(post)
  await aStatement(post)
  const parted = await p.invoice(800)
  const instalments = [
    { label: 'First', dueOn: '2099-01-01', cents: 300 },
    { label: 'Rest', dueOn: '2099-02-01', cents: 500 },
  ]
  await post(`/Invoices/Instalments/${parted.guid}`, { version: parted.version, instalments })
  const bad = await p.invoice(900)
  const givenUp = await post<{ invoice: { version: number } }>(`/Invoices/WriteOff/${bad.guid}`, {
    version: bad.version,
    reasonCode: 'bad_debt',
    note: 'Gone',
  })
  await post(`/Invoices/Recover/${bad.guid}`, { version: givenUp.invoice.version, cents: 300 })
  ok(await p.byHand({ amountCents: 400, allocations: [{ invoiceGuid: bad.guid, cents: 400 }] }), 201)
  const bounced = ok(await p.byHand({ amountCents: 200, allocations: [{ invoiceGuid: bad.guid, cents: 200 }] }), 201)
  await post(`/Payments/Reverse/${bounced.payment.guid}`, {
    reason: 'dishonoured',
    on: await p.today(),
    note: 'Bounced',
  })
  await p.rows(`insert into period_locks (guid, business_guid, locked_through, reason, reopens_until, created_by)
    select gen_random_uuid(), b.guid, '2025-06-30', x.reason, x.until, '${p.actors.accountant.userGuid}'
    from businesses b, (values (null, null), ('An invoice of June', now() + interval '1 day')) x (reason, until)`)
  await p.rows(`with books as (insert into businesses (guid, legal_name, gst_basis_from, archived_at)
      select new_guid(), 'Zulu Pty Ltd', '2024-07-01', now() returning guid),
      change as (insert into basis_changes (guid, business_guid, from_on, basis, created_by) select new_guid(), guid,
      '2024-07-01', 'accrual', '${p.actors.accountant.userGuid}' from books returning *)
    insert into journal_entries (guid, business_guid, posted_on, source, source_guid, narrative) select new_guid(),
      business_guid, from_on, 'basis_change', guid, 'GST on the accrual basis' from change`)
  const charge = (await p.charges(invoice.number)).find((c) => c.status === 'succeeded')
  await p.tell('disputes', { chargeId: charge?.providerPaymentId })
  await p.deliver(...notice('charge.disputed', charge?.providerPaymentId ?? ''))
  const lost = await p.invoice(700)
  const attempt = await p.attempt(lost.guid, 700)
  const other = await p.provider.charge({
    amountCents: 500,
    token: await p.token(cards.good),
    reference: lost.number,
    idempotencyKey: attempt,
    returnUrl: 'http://127.0.0.1',
  })
  await p.deliver(...notice('charge.succeeded', other.providerPaymentId ?? ''))
  await p.workOff()
  const { items } = ok(
    await p.app.call<{ items: { guid: string }[] }>(p.actors.accountant, 'GET', '/Payments/Quarantine'),
  )
  await post(`/Payments/Quarantine/${items[0]?.guid}`, { action: 'book', note: 'As it was taken' })
}

/** A refund that somebody else approved, and one that was declined. */
async function aRequest() {
  await p.rows('update businesses set refund_limit_cents = 500')
  const ask = async (what: 'Approve' | 'Decline', body: object) => {
    const invoice = await p.invoice(1200)
    const { payment } = ok(
      await p.byHand({ amountCents: 1200, allocations: [{ invoiceGuid: invoice.guid, cents: 1200 }] }),
      201,
    )
    const lineGuid = (
      await p.rows<{ guid: string }>('select guid from invoice_lines where invoice_guid = $1', [invoice.guid])
    )[0]?.guid
    const lines = [{ lineGuid, cents: 1100 }]
    const wish = { paymentGuid: payment.guid, invoiceGuid: invoice.guid, amountCents: 1100, note: 'Half', lines }
    const { refund } = ok(await p.refund({ ...wish, method: 'cash' }), 201)
    const path = `/Payments/Refunds/${what}/${refund.guid}`
    ok(await p.app.call(p.actors.administrator, 'POST', path, body, { 'idempotency-key': randomUUID() }))
  }
  await ask('Approve', {})
  await ask('Decline', { reason: 'Not agreed' })
  await p.rows('update businesses set refund_limit_cents = 100000000')
}

/** A security deposit of which a part was applied, a part kept and a part given back. */
async function aSecurity(post: <D>(path: string, body: unknown, status?: number) => Promise<D>) {
  type Made = { order: { guid: string; version: number } }
  const lines = [aLine({ unitPriceCents: 80_000 })]
  const { order } = await post<Made>('/Orders', { customerGuid: p.customer.guid, title: 'Bond', lines }, 201)
  const wish = { kind: 'deposit', cents: 9000, depositNature: 'security', forfeitureClause: 'When it is damaged.' }
  const path = `/Orders/Invoice/${order.guid}`
  const { invoice } = await post<{ invoice: { guid: string } }>(path, { version: order.version, ...wish }, 201)
  const { guid } = invoice
  let { version } = (await post<{ invoice: { version: number } }>(`/Invoices/Issue/${guid}`, { version: 1 })).invoice
  const { payment } = ok(await p.byHand({ amountCents: 9000, allocations: [{ invoiceGuid: guid, cents: 9000 }] }), 201)
  const bill = await p.invoice(5000)
  for (const deed of [
    { action: 'apply', invoiceGuid: bill.guid, cents: 1000 },
    { action: 'forfeit', cents: 2200, reason: 'Damaged' },
  ])
    version = (await post<{ invoice: { version: number } }>(`/Invoices/Deposit/${guid}`, { version, ...deed })).invoice
      .version
  ok(await p.refund({ paymentGuid: payment.guid, amountCents: 800, reasonCode: 'deposit_return' }), 201)
}

/** A statement that was sent, and two invoices of it paid in one go. */
async function aStatement(post: <D>(path: string, body: unknown, status?: number) => Promise<D>) {
  const both = [await p.invoice(600), await p.invoice(400)]
  await post('/Statements/Send', { customerGuids: [p.customer.guid], kind: 'activity' })
  const { serviceUrl } = await post<{ serviceUrl: string }>(`/Statements/Link/${p.customer.guid}`, {})
  const body = {
    invoices: both.map(({ link: guid, totalCents: cents }) => ({ guid, cents })),
    paymentMethodToken: await p.token(cards.good),
  }
  const path = `/Service/Statements/Pay/${serviceUrl.split('/').at(-1)}`
  ok(await p.app.call(p.actors.guest, 'POST', path, body, { 'idempotency-key': randomUUID() }), 201)
}

/** A panel out since the third, one of two back, billed through the ninth. */
async function aHire(post: <D>(path: string, body: unknown, status?: number) => Promise<D>) {
  const hire = { dayCents: 4500, weekCents: 18_000, fourWeekCents: 54_000 }
  const facts = { name: 'Panel', kind: 'hire', unit: 'each', priceCents: 4500, hire }
  const { product } = await post<{ product: { guid: string } }>('/Products', facts, 201)
  const days = { hireFrom: '2026-01-03', hireTo: '2026-01-30' }
  const lines = [{ productGuid: product.guid, name: 'Panel', kind: 'hire', quantity: '2', ...days }]
  type Made = { order: { guid: string; version: number; lines: { guid: string }[] } }
  const { order } = await post<Made>('/Orders', { customerGuid: p.customer.guid, title: 'Fence', lines }, 201)
  const at = { lineGuid: order.lines[0]?.guid }
  const items = [
    { ...at, on: '2026-01-03' },
    { ...at, off: '2026-01-05', units: '1' },
  ]
  const { order: out } = await post<Made>(`/Orders/Hire/${order.guid}`, { version: order.version, items })
  await post(`/Orders/HireBill/${order.guid}`, { version: out.version, through: '2026-01-09' })
}

function notice(type: string, chargeId: string): [string, Record<string, string>] {
  const text = JSON.stringify({
    id: `evt_${randomUUID()}`,
    type,
    createdAt: new Date().toISOString(),
    data: { charge: { id: chargeId, amountCents: 1 } },
  })
  return [text, { 'brolga-signature': signWebhook(p.webhookSecret, text, Math.floor(Date.now() / 1000)) }]
}

/** Seals to the end. Transactions of other databases on the same server hold the horizon back while they last. */
async function sealAll() {
  const isSealed = async () => {
    await sealBatch.step(p.system(), () => true)
    const [open] = await p.rows<{
      n: number
    }>(`with sealed as (select log, max(to_id) as id from audit_seals group by log)
      select ((select count(*) from audit_log
          where id > coalesce((select s.id from sealed s where log = 'audit'), 0))
        + (select count(*) from ledger_log
          where id > coalesce((select s.id from sealed s where log = 'ledger'), 0)))::int as n`)
    return open?.n === 0
  }
  await vi.waitUntil(isSealed, { timeout: 90_000 })
}

interface ColumnFacts {
  table: string
  column: string
  type: string
}

const all = async (): Promise<ColumnFacts[]> =>
  p.rows<ColumnFacts>(`select t.table_name as table, c.column_name as column, c.udt_name as type
    from information_schema.tables t join information_schema.columns c using (table_schema, table_name)
    where t.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER'
    order by 1, c.ordinal_position`)

/** Another value of the same type. */
const other: Record<string, (column: string) => string> = {
  text: (c) => `coalesce(${c}, '') || 'x'`,
  uuid: () => 'gen_random_uuid()',
  int4: (c) => `coalesce(${c}, 0) + 1000`,
  int8: (c) => `coalesce(${c}, 0) + 100000`,
  numeric: (c) => `coalesce(${c}, 0) + 1`,
  bool: (c) => `not coalesce(${c}, false)`,
  date: (c) => `coalesce(${c}, '2026-01-01') + 1`,
  timestamptz: (c) => `coalesce(${c}, '2026-01-01') + interval '1 second'`,
  jsonb: (c) => `case when jsonb_typeof(${c}) = 'object' then ${c} || '{"x":1}' else '{"x":1}' end`,
  datemultirange: (c) => `${c} + '{[2020-01-01,2020-01-03)}'`,
  bytea: (c) => `coalesce(${c}, '') || '\\x00'::bytea`,
}

/** Takes away what would refuse a change: as an owner of the database can. */
async function unguard(tx: Transaction<DB>, tables: readonly string[]) {
  await sql`set local session_replication_role = replica`.execute(tx)
  for (const table of tables) {
    const constraints = await sql<{
      name: string
    }>`select conname as name from pg_constraint where conrelid = ${table}::regclass and contype in ('c', 'f')`.execute(
      tx,
    )
    for (const { name } of constraints.rows)
      await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(tx)
    const identities = await sql<{
      name: string
    }>`select column_name as name from information_schema.columns where table_schema = 'public'
      and table_name = ${table} and is_identity = 'YES'`.execute(tx)
    for (const { name } of identities.rows)
      await sql`alter table ${sql.table(table)} alter column ${sql.ref(name)} drop identity`.execute(tx)
  }
}

/** Changes one value of one row that is in the books, one that has a value if there is such a row. */
async function tamper(tx: Transaction<DB>, { table, column, type }: ColumnFacts) {
  const value = other[type]
  if (!value) throw new Error(`${table}.${column} is of the type ${type}, of which this test knows no other value`)
  const subject = ledgerSubjects.find((s) => s.table === table)
  const isBooked =
    subject?.kind === 'rows'
      ? subject.isBooked('t')
      : subject
        ? `exists (select 1 from ledger_log n where n.subject = '${table}' and n.record = t.${subject.parentKey})`
        : 'true'
  const changed = await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sql.raw(value(column))}
    where ctid = (select t.ctid from ${sql.table(table)} t where ${sql.raw(isBooked)}
    order by (t.${sql.ref(column)} is not null) desc, t.ctid limit 1)`.execute(tx)
  if (changed.numAffectedRows !== 1n) throw new Error(`${table} is empty: the busy day must fill it`)
}

/** How a problem names each of the tables that are proven. */
const names = new Map([
  ...Object.entries(recordNames),
  ['audit_log', 'of the audit log'],
  ['ledger_log', 'of the log of the books'],
  ['audit_seals', 'of the'],
])
/** What the proof says after some statements, all of which are taken back. */
async function after(work: (tx: Transaction<DB>) => Promise<unknown>) {
  const tx = await db.startTransaction().execute()
  try {
    await work(tx)
    return (await verifyWithin(tx, proof)).problems
  } finally {
    await tx.rollback().execute()
  }
}
const run =
  (...statements: string[]) =>
  async (tx: Transaction<DB>) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    for (const statement of statements) await sql.raw(statement).execute(tx)
  }
const codes = async (...statements: string[]) => [
  ...new Set((await after(run(...statements))).map((problem) => problem.code)),
]

describe('whoever owns the database', () => {
  it('finds the books in order before', async () => {
    expect((await verifyLedger(p.app.deps.db, proof)).problems).toEqual([])
  })

  it('changes no column of money without being found out', async () => {
    const columns = await all()
    const proven = [...ledgerSubjects.map((s) => s.table), ...sealedTables]
    expect(
      [...new Set(columns.map((c) => c.table))].filter((table) => !(table in withoutMoney) && !proven.includes(table)),
    ).toEqual([])
    // One column of every table at a time; each table has to be named for itself.
    const byTable = Map.groupBy(
      columns.filter((c) => proven.includes(c.table) && !meaningless.includes(`${c.table}.${c.column}`)),
      (c) => c.table,
    )
    const apart = [...byTable.values()]
      .flat()
      .filter((c) => c.table === 'audit_seals' || provenOtherwise.includes(`${c.table}.${c.column}`))
    const rounds: ColumnFacts[][] = apart.map((facts) => [facts])
    for (const facts of byTable.values())
      for (const [i, one] of facts.filter((c) => !apart.includes(c)).entries())
        (rounds[apart.length + i] ??= []).push(one)
    const unnoticed: string[] = []
    const tx = await db.startTransaction().execute()
    try {
      await unguard(tx, proven)
      for (const round of rounds) {
        const point = await tx.savepoint('before').execute()
        const isApart = round.some((facts) => apart.includes(facts))
        for (const facts of round) await tamper(point, facts)
        const { problems } = await verifyWithin(point, proof)
        for (const { table, column } of round)
          if (!problems.some(({ message }) => isApart || message.startsWith(names.get(table) ?? table)))
            unnoticed.push(`${table}.${column}`)
        await point.rollbackToSavepoint('before').execute()
      }
    } finally {
      await tx.rollback().execute()
    }
    expect(unnoticed).toEqual([])
    // Only what moves with every look at a page.
    expect(meaningless.toSorted()).toEqual([
      'invoices.last_viewed_at',
      'invoices.view_count',
      'quotes.last_viewed_at',
      'quotes.view_count',
    ])
  }, 300_000)

  const entryOf = (source: string) =>
    `(select guid from journal_entries where source = '${source}' order by created_at, guid limit 1)`

  it('neither holds more of a security deposit than there is, nor earns it unseen', async () => {
    const security = `(select guid from invoices where kind = 'deposit' and deposit_nature = 'security' limit 1)`
    for (const [statement, code] of [
      [
        `update invoices set deposit_used_cents = deposit_used_cents - 100 where guid = ${security}`,
        'DEPOSIT_USED_SUM',
      ],
      [`update invoices set deposit_nature = 'part_payment' where guid = ${security}`, 'JOURNAL_INVOICE'],
      [`update invoices set forfeits_guid = null where forfeits_guid is not null`, 'JOURNAL_INVOICE'],
      [`update invoices set forfeits_guid = gen_random_uuid() where forfeits_guid is not null`, 'SUBLEDGER_2250'],
      [`update payments set deposit_guid = null where deposit_guid is not null`, 'JOURNAL_PAYMENT'],
      [`update journal_lines set account = '2200' where account = '2250' and debit_cents > 0`, 'SUBLEDGER_2250'],
      [`delete from journal_lines where entry_guid = ${entryOf('deposit_forfeited')}`, 'JOURNAL_FORFEIT'],
    ] as const)
      expect([statement, await codes('alter table payments drop constraint payment_of_deposit', statement)]).toEqual([
        statement,
        expect.arrayContaining([code]),
      ])
  })

  it('neither swaps accounts nor adds what cancels out', async () => {
    expect(
      await codes(
        `update journal_lines
          set account = case account when '1000' then '1010' when '1010' then '1000' else account end
          where account in ('1000', '1010')`,
      ),
    ).toEqual(expect.arrayContaining(['JOURNAL_ACCOUNT', 'RECORD_CHANGED']))
    expect(
      await codes(
        `insert into journal_lines (entry_guid, business_guid, position, account, debit_cents, credit_cents)
          select e.guid, e.entity_guid, 90 + n, '4000', case n when 1 then 700 else 0 end,
          case n when 2 then 700 else 0 end
          from journal_entries e, generate_series(1, 2) n where e.guid = ${entryOf('invoice')}`,
      ),
    ).toEqual(['FIGURES', 'RECORD_CHANGED'])
    for (const hidden of [`update held_money set until_on = '2000-01-01'`, 'delete from held_money'])
      expect(await codes(hidden)).toEqual(['HELD'])
    const pair = `insert into journal_entries (guid, business_guid, entity_guid, posted_on, source, source_guid,
        narrative)
      select gen_random_uuid(), business_guid, entity_guid, posted_on, 'payment', gen_random_uuid(), 'Payment'
      from journal_entries limit 2`
    expect(await codes(pair)).toEqual(expect.arrayContaining(['JOURNAL_ORPHAN', 'RECORD_NOT_NOTED']))
    expect(await codes(`update journal_lines set account = '2200' where account = '2300'`)).toEqual(
      expect.arrayContaining(['SUBLEDGER_2200', 'SUBLEDGER_2300']),
    )
  })

  it('neither moves GST that was brought forward nor takes it back', async () => {
    const forwards = `select guid from journal_entries where source = 'gst_forward'`
    expect(await codes(`update gst_forwards set cents = cents + 100`)).toEqual(
      expect.arrayContaining(['JOURNAL_FORWARD', 'SUBLEDGER_2106', 'GST_MOVEMENT', 'RECORD_CHANGED']),
    )
    const moved = [
      `update gst_forwards set on_day = on_day - 40 where cents > 0`,
      `update journal_entries set posted_on = posted_on - 40
        where source_guid in (select guid from gst_forwards where cents > 0)`,
    ]
    expect(await codes(...moved)).toEqual(expect.arrayContaining(['GST_FORWARD', 'RECORD_CHANGED']))
    const gone = await codes(
      `delete from journal_lines where entry_guid in (${forwards})`,
      `delete from journal_entries where source = 'gst_forward'`,
      `delete from gst_forwards`,
    )
    expect(gone).toEqual(expect.arrayContaining(['FIGURES', 'RECORD_GONE']))
    const more = `update order_supplies set gst_cents = gst_cents + 1100, total_cents = total_cents + 12100`
    expect(await codes(more)).toEqual(expect.arrayContaining(['GST_FORWARD', 'RECORD_CHANGED']))
  })

  it('neither moves days nor hands a document to somebody else', async () => {
    expect(
      await codes(`update invoices set issue_on = issue_on - 1, due_on = due_on + 400 where number is not null`),
    ).toEqual(expect.arrayContaining(['SNAPSHOT', 'JOURNAL_DAY', 'RECORD_CHANGED']))
    expect(await codes(`update payments set received_on = received_on - 40`)).toEqual(
      expect.arrayContaining(['JOURNAL_DAY', 'RECORD_CHANGED']),
    )
    expect(
      await codes(`update invoices set bill_to = bill_to || '{"name":"Somebody else"}' where number is not null`),
    ).toEqual(expect.arrayContaining(['SNAPSHOT', 'RECORD_CHANGED']))
    expect(await codes(`update payments set customer_guid = gen_random_uuid()`)).toEqual(
      expect.arrayContaining(['PARTIES', 'RECORD_CHANGED']),
    )
    const unbound = `alter table refunds drop constraint refund_effect, drop constraint refund_reopens`
    expect(await codes(unbound, `update refunds set adjustment_note_guid = null`)).toEqual(
      expect.arrayContaining(['REFUND_WITHOUT_NOTE', 'RECORD_CHANGED']),
    )
    const effects = [`set effect = 'money_back' where invoice_guid is not null`, `set reopens_guid = null`]
    for (const change of effects)
      expect(await codes(unbound, `update refunds ${change}`)).toEqual(
        expect.arrayContaining(['REFUND_OTHERWISE', 'RECORD_CHANGED']),
      )
    expect(
      await codes(
        `update invoices set refunded_cents = paid_cents + 1
          where refunded_cents > 0 and deposit_nature = 'part_payment'`,
      ),
    ).toEqual(expect.arrayContaining(['REFUNDED_SUM', 'BALANCE_BELOW_ZERO']))
  })

  it('takes no document away with all that belongs to it', async () => {
    const payment = '(select guid from payments where attempt_guid is null order by created_at desc limit 1)'
    const gone = await codes(
      `delete from journal_lines where entry_guid in (select guid from journal_entries where source_guid = ${payment})`,
      `delete from journal_entries where source_guid = ${payment}`,
      `delete from payment_allocations where payment_guid = ${payment}`,
      `delete from payments where guid = ${payment}`,
    )
    expect(gone).toEqual(expect.arrayContaining(['RECORD_GONE', 'LOGGED_OTHERWISE', 'NUMBER_MISSING']))
  })

  it('rewrites no issued invoice in every place at once, with hashes, logs and seals made anew', async () => {
    const invoice = `(select guid from invoices where kind = 'standard' and status = 'issued' order by number limit 1)`
    const rewritten = [
      `update invoices set title = 'Other', snapshot = jsonb_set(snapshot, '{title}', '"Other"')
        where guid = ${invoice}`,
      `update audit_log set after = jsonb_set(after, '{title}', '"Other"')
        where action = 'invoice.issued' and entity_guid = ${invoice}`,
    ]
    expect(await codes(...rewritten)).toEqual(expect.arrayContaining(['AUDIT_SEAL', 'RECORD_CHANGED', 'SNAPSHOT']))
    // With triggers on, the log says that it was written again; and what is written once is never written again.
    expect(
      await codes(
        `set local session_replication_role = origin; alter table payments disable trigger payments_append_only`,
        `update payments set reference = 'Other' where reference is not null`,
      ),
    ).toEqual(['RECORD_REWRITTEN'])
    const forged = await after(
      run(
        `delete from ledger_log where subject = 'payments'`,
        `update audit_seals s
          set line_count = (select count(*) from ledger_log l where l.id > s.after_id and l.id <= s.to_id)
          where log = 'ledger'`,
      ),
    )
    expect(forged.map((f) => f.message)).toContainEqual(expect.stringContaining('were changed after they were sealed'))
    const resealed = await after(
      run(`update audit_seals set hash = repeat('0', 64), previous_hash = previous_hash where log = 'ledger'`),
    )
    expect(resealed.map((f) => f.code)).toContain('AUDIT_SEAL')
  })

  it('cuts off no end of the logs: how far they were sealed stands outside the database', async () => {
    const cut = (log: string, table: string) => [
      `delete from ${table} where id > (select max(after_id) from audit_seals where log = '${log}')`,
      `delete from audit_seals
        where log = '${log}' and after_id = (select max(after_id) from audit_seals where log = '${log}')`,
    ]
    for (const [log, table] of [
      ['audit', 'audit_log'],
      ['ledger', 'ledger_log'],
    ] as const)
      expect(await codes(...cut(log, table))).toContain('ANCHOR')
    const { problems } = await verifyLedger(p.app.deps.db, { ...proof, anchors: null })
    expect(problems.map((problem) => problem.code)).toEqual(['ANCHOR_MISSING', 'ANCHOR_MISSING'])
    const otherKey = await verifyLedger(p.app.deps.db, { ...proof, key: Buffer.alloc(32) })
    expect(
      otherKey.problems.every((problem) => problem.message.endsWith('was not made with the key of this installation')),
    ).toBe(true)
    expect(otherKey.ok).toBe(false)
  })
})
