import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCustomer, ok } from '../../test/support/factories.ts'
import { type Paying, startPaying } from '../../test/support/paying.ts'
import { verifyLedger } from '../ledger/verify.ts'

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
  const report = await verifyLedger(p.app.deps.db)
  expect(report.problems).toEqual([])
})
