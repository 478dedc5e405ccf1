import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Invoice } from '../../contract/invoices.ts'
import type { Actors } from '../../test/support/actors.ts'
import { aCustomer, aLine, aSentQuote, ok, startStaffed } from '../../test/support/factories.ts'
import { keyed, type Running } from '../../test/support/start.ts'
import { sealBatch } from '../core/jobs/seals.ts'
import { openCtx, systemRun } from '../core/run.ts'
import { verifyLedger } from './verify.ts'

let app: Running
let actors: Actors
let root: pg.Client
const guids = { quote: '', order: '', deposit: '', progress: '', final: '', plain: '', voided: '', payment: '' }

beforeAll(async () => {
  ;({ app, actors } = await startStaffed())
  await aWorkingDay()
  root = new pg.Client(app.database.owner)
  await root.connect()
  // What follows is done by somebody who is above all triggers and privileges.
  await root.query('set session_replication_role = replica')
})
afterAll(async () => {
  await root.end()
  await app.stop()
})

const post = async <D = Record<string, unknown>>(path: string, body: unknown, status = 200) =>
  ok(await app.call<D>(actors.administrator, 'POST', path, body, keyed()), status)
const issue = async (guid: string) => {
  const { invoice } = ok(await app.call<{ invoice: Invoice }>(actors.administrator, 'GET', `/Invoices/${guid}`))
  return (await post<{ invoice: Invoice }>(`/Invoices/Issue/${guid}`, { version: invoice.version })).invoice
}
const pay = async (invoiceGuid: string, cents: number, amountCents = cents) =>
  (
    await post<{ payment: { guid: string } }>(
      '/Payments',
      { method: 'bank_transfer', receivedOn: '2026-07-01', amountCents, allocations: [{ invoiceGuid, cents }] },
      201,
    )
  ).payment.guid

/**
 * A quote with a deposit, invoiced in parts, paid and partly refunded; an invoice beside it, and one that was voided.
 */
async function aWorkingDay() {
  const customer = await aCustomer(app, actors.administrator)
  const lines = [
    aLine({ unitPriceCents: 33_333, quantity: '1.5' }),
    aLine({ name: 'Freight', quantity: '1', unitPriceCents: 777, gstCode: 'FREE' }),
    aLine({ name: 'Lights', isOptional: true, isSelected: false }),
  ]
  const quote = await aSentQuote(app, actors.administrator, customer.guid, {
    lines,
    discount: { type: 'percent', value: 333 },
    depositRule: { type: 'percent', value: 3000 },
  })
  const accepted = await post<{ order: { guid: string }; invoice: { guid: string } }>(`/Quotes/Accept/${quote.guid}`, {
    version: quote.version,
    name: 'Anna',
    method: 'phone',
  })
  Object.assign(guids, { quote: quote.guid, order: accepted.order.guid, deposit: accepted.invoice.guid })
  await pay(guids.deposit, 1000)
  for (const [name, wish] of [
    ['progress', { kind: 'progress', shareBp: 3333 }],
    ['final', { kind: 'final' }],
  ] as const) {
    const { order } = ok(
      await app.call<{ order: { version: number } }>(actors.administrator, 'GET', `/Orders/${guids.order}`),
    )
    guids[name] = (
      await post<{ invoice: { guid: string } }>(
        `/Orders/Invoice/${guids.order}`,
        { version: order.version, ...wish },
        201,
      )
    ).invoice.guid
    const { balanceCents } = await issue(guids[name])
    if (balanceCents > 0) guids.payment = await pay(guids[name], balanceCents, balanceCents + 500)
  }
  await post(
    '/Payments/Refunds',
    { paymentGuid: guids.payment, invoiceGuid: guids.final, amountCents: 1234, reasonCode: 'goodwill' },
    201,
  )
  const draft = async () =>
    (
      await post<{ invoice: Invoice }>(
        '/Invoices',
        { customerGuid: customer.guid, title: 'Repairs', lines: [aLine()] },
        201,
      )
    ).invoice.guid
  guids.plain = (await issue(await draft())).guid
  const wrong = await issue(await draft())
  guids.voided = wrong.guid
  await post(`/Invoices/Void/${wrong.guid}`, { version: wrong.version, reason: 'Twice' })
  await draft()
  const ctx = openCtx(systemRun(app.deps, 'test'))
  // Transactions of other databases on the same server hold the horizon back while they last.
  await vi.waitUntil(async () => (await sealBatch.step(ctx, () => true)).succeeded > 0, { timeout: 90_000 })
}

/** What is found while something is wrong; then it is put right again. */
async function foundWhile(wrong: string, right: string, values: unknown[]) {
  await root.query(wrong, values)
  try {
    const { ok: isOk, problems } = await verifyLedger(app.deps.db)
    expect(isOk).toBe(false)
    return problems
  } finally {
    await root.query(right, values)
  }
}

describe('the proof of the ledger', () => {
  it('finds nothing wrong after a working day', async () => {
    const { ok: isOk, problems, checked } = await verifyLedger(app.deps.db)
    expect(problems).toEqual([])
    expect(isOk).toBe(true)
    expect(checked).toMatchObject({ quotes: 1, orders: 1, invoices: 7, refunds: 1 })
    expect(checked['auditSeals']).toBeGreaterThan(0)
  })

  it('takes a day as it was where the business was then', async () => {
    // On one of both sides of the date line it is another day now.
    for (const timeZone of ['Pacific/Pago_Pago', 'Pacific/Kiritimati', 'Australia/Sydney']) {
      const { guid, version } = await app.deps.db
        .selectFrom('businesses')
        .select(['guid', 'version'])
        .executeTakeFirstOrThrow()
      ok(await app.call(actors.administrator, 'PATCH', `/Businesses/${guid}`, { timeZone, version }))
      expect([timeZone, (await verifyLedger(app.deps.db)).problems]).toEqual([timeZone, []])
    }
  })

  const moved = (table: string, column: string, by: number, where = 'guid = $1') =>
    [
      `update ${table} set ${column} = ${column} + ${by} where ${where}`,
      `update ${table} set ${column} = ${column} - ${by} where ${where}`,
    ] as const
  const cases: [name: string, code: string, change: readonly [string, string], guid: () => string][] = [
    [
      'a line of an invoice that was made dearer',
      'LINE_AMOUNTS',
      moved('invoice_lines', 'unit_price_cents', 100, 'invoice_guid = $1'),
      () => guids.plain,
    ],
    [
      'a total that was lowered',
      'TOTALS',
      [
        'update invoices set total_cents = total_cents - 100, subtotal_cents = subtotal_cents - 100 where guid = $1',
        'update invoices set total_cents = total_cents + 100, subtotal_cents = subtotal_cents + 100 where guid = $1',
      ],
      () => guids.plain,
    ],
    [
      'a total of an order',
      'TOTALS',
      [
        'update orders set total_cents = total_cents + 1 where guid = $1',
        'update orders set total_cents = total_cents - 1 where guid = $1',
      ],
      () => guids.order,
    ],
    [
      'a total of a quote',
      'TOTALS',
      [
        'update quotes set optional_total_cents = optional_total_cents + 1 where guid = $1',
        'update quotes set optional_total_cents = optional_total_cents - 1 where guid = $1',
      ],
      () => guids.quote,
    ],
    ['an invoice that was marked as paid', 'PAID_SUM', moved('invoices', 'paid_cents', 500), () => guids.plain],
    [
      'a refund that was forgotten',
      'REFUNDED_SUM',
      [
        'update invoices set refunded_cents = refunded_cents - 1, paid_cents = paid_cents - 1 where guid = $1',
        'update invoices set refunded_cents = refunded_cents + 1, paid_cents = paid_cents + 1 where guid = $1',
      ],
      () => guids.final,
    ],
    ['a credit from nowhere', 'CREDITED_SUM', moved('invoices', 'credited_cents', 1), () => guids.plain],
    [
      'a payment that is smaller than what it paid',
      'ALLOCATED_TOO_MUCH',
      moved('payments', 'amount_cents', -1000),
      () => guids.payment,
    ],
    [
      'a payment that was booked otherwise',
      'JOURNAL_PAYMENT',
      moved('payments', 'amount_cents', 1),
      () => guids.payment,
    ],
    [
      'a quantity that is invoiced on no invoice',
      'QUANTITY_INVOICED',
      [
        `update order_lines set quantity_invoiced = quantity_invoiced - 0.5
          where order_guid = $1 and name = 'Fence panels'`,
        `update order_lines set quantity_invoiced = quantity_invoiced + 0.5
          where order_guid = $1 and name = 'Fence panels'`,
      ],
      () => guids.order,
    ],
    [
      'an order that claims to be billed higher',
      'ORDER_INVOICED_SUM',
      moved('orders', 'invoiced_cents', 1),
      () => guids.order,
    ],
    [
      'a snapshot that was rewritten',
      'SNAPSHOT',
      [
        `update invoices set snapshot = jsonb_set(snapshot, '{title}', '"Other"') where guid = $1`,
        `update invoices set snapshot = jsonb_set(snapshot, '{title}', '"Repairs"') where guid = $1`,
      ],
      () => guids.plain,
    ],
    [
      'a void invoice that came back',
      'JOURNAL_ORPHAN',
      [`update invoices set status = 'issued' where guid = $1`, `update invoices set status = 'void' where guid = $1`],
      () => guids.voided,
    ],
    [
      'a deposit that is credited by word only',
      'DEPOSIT_APPLIED',
      moved('invoices', 'deposit_applied_cents', 1),
      () => guids.progress,
    ],
    [
      'a journal entry that does not balance',
      'JOURNAL_BALANCE',
      [
        `update journal_lines l set debit_cents = debit_cents + 1 from journal_entries e
          where e.guid = l.entry_guid and e.source_guid = $1 and l.account = '1100'`,
        `update journal_lines l set debit_cents = debit_cents - 1 from journal_entries e
          where e.guid = l.entry_guid and e.source_guid = $1 and l.account = '1100'`,
      ],
      () => guids.plain,
    ],
    [
      'an entry of somebody else',
      'JOURNAL_INVOICE',
      [
        `update journal_entries set source_guid = '00000000-0000-4000-8000-000000000001'
          where source_guid = $1 and source = 'invoice'`,
        `update journal_entries set source_guid = $1 where source_guid = '00000000-0000-4000-8000-000000000001'`,
      ],
      () => guids.plain,
    ],
  ]
  for (const [name, code, [wrong, right], guid] of cases) {
    it(`names ${name}`, async () => {
      const problems = await foundWhile(wrong, right, [guid()])
      const named = problems.find((p) => p.code === code)
      expect(problems.map((p) => p.code)).toContain(code)
      if (!['JOURNAL_BALANCE', 'JOURNAL_ORPHAN'].includes(code)) expect(named?.guid).toBe(guid())
    })
  }

  it('names a number that is on no document, and one that was never given', async () => {
    const problems = await foundWhile(
      `update invoices set number = replace(number, 'INV-1', 'INV-9') where guid = $1`,
      `update invoices set number = replace(number, 'INV-9', 'INV-1') where guid = $1`,
      [guids.plain],
    )
    expect(problems.map((p) => p.code)).toEqual(
      expect.arrayContaining(['NUMBER_MISSING', 'NUMBER_NOT_GIVEN', 'SNAPSHOT']),
    )
    const missing = problems.find((p) => p.code === 'NUMBER_MISSING')
    expect(missing).toMatchObject({
      entity: 'Invoices',
      number: expect.stringMatching(/^INV-1\d{3}$/),
      message: 'this number was given and no document wears it',
    })
  })

  it('names lines of the audit log that were changed or taken out after they were sealed', async () => {
    const changed = await foundWhile(
      `update audit_log set reason = reason || $1 where id = 2`,
      `update audit_log set reason = '' where id = 2 and $1 <> ''`,
      ['x'],
    )
    expect(changed).toMatchObject([
      { code: 'AUDIT_SEAL', message: expect.stringContaining('were changed after they were sealed') },
    ])
    await root.query('create temp table kept as select * from audit_log where id = 3')
    const removed = await foundWhile(
      'delete from audit_log where id = $1',
      'insert into audit_log overriding system value select * from kept where id = $1',
      [3],
    )
    expect(removed[0]?.message).toMatch(/covers \d+ lines, \d+ are there/)
  })

  it('is in order again when everything is put right', async () => {
    expect((await verifyLedger(app.deps.db)).problems).toEqual([])
  })
})
