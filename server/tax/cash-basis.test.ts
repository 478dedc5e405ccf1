import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCustomer, ok } from '../../test/support/factories.ts'
import { addDays } from '../../contract/core/dates.ts'
import type { Invoice } from '../../contract/invoices.ts'
import type { JournalEntry } from '../../contract/journal-entries.ts'
import { type Paying, startPaying } from '../../test/support/paying.ts'
import { keyed } from '../../test/support/start.ts'
import { noteStatements } from '../../test/support/statements.ts'
import { connect } from '../core/db/connect.ts'
import type { DB } from '../core/db/schema.ts'
import { verifyWithin } from '../ledger/verify.ts'

let p: Paying
let today: string
let customer: string
beforeAll(async () => {
  p = await startPaying()
  today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney' }).format(new Date())
  customer = (await aCustomer(p.app, p.actors.office, { displayName: 'Cash Pty Ltd', email: 'cash@example.com' })).guid
  await sql`update businesses set gst_basis = 'cash'`.execute(p.app.deps.db)
})
afterAll(() => p.stop())

/** What an account stands at of a document: credits less debits. */
async function credited(account: string, gstOf: string): Promise<number> {
  const { rows } = await sql<{ cents: number }>`select coalesce(sum(credit_cents - debit_cents), 0)::bigint as cents
    from journal_lines where account = ${account} and gst_of = ${gstOf}::uuid`.execute(p.app.deps.db)
  return Number(rows[0]?.cents)
}
const pay = async (invoiceGuid: string, cents: number, receivedOn = today) =>
  ok(
    await p.byHand({ customerGuid: customer, receivedOn, amountCents: cents, allocations: [{ invoiceGuid, cents }] }),
    201,
  )

test('GST waits with the invoice and is collected with each part of the money', async () => {
  const invoice = await p.invoice(11_000, customer)
  expect([await credited('2100', invoice.guid), await credited('2105', invoice.guid)]).toEqual([0, 1000])
  const collected = []
  for (const cents of [3333, 3333, 4334]) {
    await pay(invoice.guid, cents)
    collected.push(await credited('2100', invoice.guid))
  }
  expect(collected).toEqual([303, 606, 1000])
  expect(await credited('2105', invoice.guid)).toBe(0)
  expect(await p.problems()).toEqual([])
})

const shown = async (guid: string) =>
  ok(await p.app.call<{ invoice: Invoice }>(p.actors.accountant, 'GET', `/Invoices/${guid}`)).invoice
async function mixed() {
  const lines = [
    { name: 'Hoarding', unitPriceCents: 100_000 },
    { name: 'Permit', unitPriceCents: 50_000, gstCode: 'FREE' },
  ]
  const body = { customerGuid: customer, title: 'Hoarding', lines }
  const { invoice } = ok(await p.app.call<{ invoice: Invoice }>(p.actors.office, 'POST', '/Invoices', body), 201)
  const path = `/Invoices/Issue/${invoice.guid}`
  return ok(await p.app.call<{ invoice: Invoice }>(p.actors.office, 'POST', path, { version: invoice.version })).invoice
}

test('a write-off takes its share of what waits, and what is due stays', async () => {
  const { guid } = await mixed()
  await pay(guid, 50_000)
  expect([await credited('2100', guid), await credited('2105', guid)]).toEqual([3125, 6875])
  const given = { version: (await shown(guid)).version, reasonCode: 'bad_debt', cents: 27_500 }
  ok(await p.app.call(p.actors.accountant, 'POST', `/Invoices/WriteOff/${guid}`, given))
  expect([await credited('2100', guid), await credited('2105', guid)]).toEqual([3125, 6875 - 1719])
  const rest = { version: (await shown(guid)).version, reasonCode: 'bad_debt' }
  ok(await p.app.call(p.actors.accountant, 'POST', `/Invoices/WriteOff/${guid}`, rest))
  expect([await credited('2100', guid), await credited('2105', guid)]).toEqual([3125, 0])
  expect(await p.problems()).toEqual([])
})

test('money that is taken off, refunded or reversed takes its GST back, and a void invoice has none', async () => {
  const { guid } = await p.invoice(22_000, customer)
  const first = (await pay(guid, 11_000)).payment
  const second = (await pay(guid, 5500)).payment
  const off = { allocationGuid: second.allocations[0]?.guid }
  ok(await p.app.call(p.actors.accountant, 'POST', `/Payments/Unallocate/${second.guid}`, off, keyed()))
  expect([await credited('2100', guid), await credited('2105', guid)]).toEqual([1000, 1000])
  ok(await p.refund({ paymentGuid: first.guid, invoiceGuid: guid, amountCents: 5500, reasonCode: 'duplicate' }), 201)
  expect([await credited('2100', guid), await credited('2105', guid)]).toEqual([500, 1500])
  const voided = await p.invoice(11_000, customer)
  const wrong = (await pay(voided.guid, 4400)).payment
  const bounced = { reason: 'dishonoured', on: today }
  ok(await p.app.call(p.actors.accountant, 'POST', `/Payments/Reverse/${wrong.guid}`, bounced, keyed()))
  expect([await credited('2100', voided.guid), await credited('2105', voided.guid)]).toEqual([0, 1000])
  const why = { version: (await shown(voided.guid)).version, reason: 'Twice' }
  ok(await p.app.call(p.actors.accountant, 'POST', `/Invoices/Void/${voided.guid}`, why))
  expect([await credited('2100', voided.guid), await credited('2105', voided.guid)]).toEqual([0, 0])
  expect(await p.problems()).toEqual([])
})

test('GST that a late payment moves on another day names that payment', async () => {
  p.clock.aheadMs = -5 * 86_400_000
  const { guid } = await p.invoice(11_000, customer)
  p.clock.aheadMs = 0
  await pay(guid, 3337)
  const { payment } = await pay(guid, 3337, addDays(today, -3))
  // 303.4 for each, and 606.7 for both.
  expect(await credited('2100', guid)).toBe(607)
  const path = '/Dev/BankingJournals?source=gst_due'
  const { items } = ok(await p.app.call<{ items: JournalEntry[] }>(p.actors.accountant, 'GET', path))
  const document = { noun: 'Payments', guid: payment.guid, number: payment.number }
  expect(items).toMatchObject([{ postedOn: today, narrative: `GST due: Payment ${payment.number}`, document }])
  expect(await p.problems()).toEqual([])
})

test('the proof names GST that is collected too early, waits too long, or is no document’s', async () => {
  const db: Kysely<DB> = connect(p.app.database.owner, { poolSize: 1 })
  const codes = async (statement: string) => {
    const tx = await db.startTransaction().execute()
    try {
      await sql`set local session_replication_role = replica`.execute(tx)
      await sql.raw(statement).execute(tx)
      return [...new Set((await verifyWithin(tx)).problems.map(({ code }) => code))]
    } finally {
      await tx.rollback().execute()
    }
  }
  const due = `select entry_guid from journal_lines where account = '2100' and gst_of is not null`
  expect(await codes(`update journal_lines set account = '2100' where account = '2105'`)).toEqual(
    expect.arrayContaining(['GST_DUE', 'GST_WAITING']),
  )
  expect(await codes(`update journal_entries set posted_on = posted_on - 100 where guid in (${due})`)).toEqual(
    expect.arrayContaining(['GST_DUE']),
  )
  expect(await codes(`update journal_lines set gst_of = null where account = '2100'`)).toEqual(
    expect.arrayContaining(['GST_DUE', 'GST_OF_NOTHING']),
  )
  expect(await codes(`update businesses set gst_basis = 'accrual'`)).toEqual(expect.arrayContaining(['GST_MOVEMENT']))
  await db.destroy()
})

test('a payment of an accrual business takes no statement more, one on the cash basis four', async () => {
  const noting = noteStatements(p.app.deps.db)
  const count = async () => {
    const { guid } = await p.invoice(11_000, customer)
    return (await noting(() => pay(guid, 11_000))).length
  }
  const onCash = await count()
  const back = await sql`update businesses set gst_basis = 'accrual'`.execute(p.app.deps.db).then(() => count())
  await sql`update businesses set gst_basis = 'cash'`.execute(p.app.deps.db)
  expect(onCash - back).toBe(4)
})
