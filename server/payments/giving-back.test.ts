import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCustomer, ok } from '../../test/support/factories.ts'
import { type Paying, startPaying } from '../../test/support/paying.ts'
import type { Answer } from '../../test/support/start.ts'

let p: Paying
let today: string
beforeAll(async () => {
  p = await startPaying()
  today = await p.today()
})
afterAll(() => p.stop())

/** What may happen to two invoices and their money; what is not possible just then is refused, and that is fine. */
const deeds = ['pay', 'price_reduced', 'money_back', 'take off', 'note', 'apply', 'write off'] as const
interface Step {
  deed: (typeof deeds)[number]
  which: number
  /** Of what there is, in hundredths. */
  part: number
}
const step: fc.Arbitrary<Step> = fc.record({
  deed: fc.constantFrom(...deeds),
  which: fc.nat(3),
  part: fc.constantFrom(1, 33, 50, 100),
})

interface Standing {
  guid: string
  version: number
  totals: { totalCents: number }
  creditedCents: number
  writtenOffCents: number
  paidCents: number
  refundedCents: number
  balanceCents: number
}
/** What was taken in, given back and noted, as the answers said. */
interface Told {
  inCents: number
  backCents: number
  noteGstCents: number
}
const post = <D>(path: string, body: object) =>
  p.app.call<D>(p.actors.accountant, 'POST', path, body, { 'idempotency-key': randomUUID() })
const standings = async (guids: readonly string[]): Promise<Standing[]> => {
  const found = guids.map(async (guid) =>
    ok(await p.app.call<{ invoice: Standing }>(p.actors.accountant, 'GET', `/Invoices/${guid}`)),
  )
  return (await Promise.all(found)).map(({ invoice }) => invoice)
}
const refused = (answer: Answer<unknown>) => {
  expect(answer.status).toBeLessThan(500)
  return answer.status >= 300
}

async function take(one: Step, customerGuid: string, guids: readonly string[], told: Told): Promise<void> {
  const all = await standings(guids)
  const invoice = all[one.which % all.length]
  if (!invoice) return
  const partOf = (cents: number) => Math.max(Math.floor((cents * one.part) / 100), 1)
  const paid = await p.rows<{ guid: string; allocation: string; cents: number }>(
    `select a.payment_guid as guid, a.guid as allocation, a.cents::int as cents from payment_allocations a
      where a.invoice_guid = $1 and a.reverses_guid is null
      and not exists (select from payment_allocations b where b.reverses_guid = a.guid) order by a.created_at, a.guid`,
    [invoice.guid],
  )
  const money = paid[one.which % Math.max(paid.length, 1)]
  switch (one.deed) {
    case 'pay': {
      const amountCents = partOf(invoice.balanceCents)
      const allocations = [{ invoiceGuid: invoice.guid, cents: amountCents }]
      if (!refused(await p.byHand({ amountCents, receivedOn: today, allocations }))) told.inCents += amountCents
      return
    }
    case 'price_reduced':
    case 'money_back': {
      if (!money) return
      const amountCents = partOf(money.cents)
      const wish = { paymentGuid: money.guid, invoiceGuid: invoice.guid, amountCents, effect: one.deed }
      const answer = await p.refund(wish)
      if (refused(answer)) return
      told.backCents += amountCents
      told.noteGstCents += answer.data.refund.gstCents
      expect(answer.data.adjustmentNote === null).toBe(one.deed === 'money_back')
      return
    }
    case 'take off': {
      if (!money) return
      const body = { allocationGuid: money.allocation, cents: partOf(money.cents) }
      refused(await post(`/Payments/Unallocate/${money.guid}`, body))
      return
    }
    case 'note': {
      const lines = [{ gstCode: 'GST', cents: partOf(invoice.totals.totalCents - invoice.creditedCents), text: 'Less' }]
      const answer = await post<{ invoice: { totals: { gstCents: number } } }>('/Invoices/Notes', {
        invoiceGuid: invoice.guid,
        reason: 'Less was built',
        lines,
      })
      if (!refused(answer)) told.noteGstCents += answer.data.invoice.totals.gstCents
      return
    }
    case 'apply':
      refused(await post(`/Customers/Credit/Apply/${customerGuid}`, {}))
      return
    case 'write off': {
      const { guid, version, balanceCents } = invoice
      const body = { version, cents: partOf(balanceCents), reasonCode: 'bad_debt' }
      refused(await post(`/Invoices/WriteOff/${guid}`, body))
    }
  }
}

/** What the worksheet and the aged list say, and whether the ledger agrees. */
async function reports() {
  const read = async <D>(path: string) => ok(await p.app.call<D>(p.actors.accountant, 'GET', path))
  const bas = await read<{ agrees: boolean; accountCents: number }>(`/Tax/Bas?from=${today}&to=${today}&basis=accrual`)
  type Aged = { agrees: boolean; rows: { customerGuid: string; creditCents: number }[] }
  const aged = await read<Aged>(`/Journal/AgedReceivables?on=${today}`)
  return { bas, aged }
}

test('whatever is given back, in whatever order, documents, ledger, aged receivables and worksheet agree', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      const customer = await aCustomer(p.app, p.actors.office, { displayName: `Given back ${randomUUID()}` })
      const before = (await reports()).bas.accountCents
      const guids = []
      for (const cents of [110_000, 33_333]) guids.push((await p.invoice(cents, customer.guid)).guid)
      const told: Told = { inCents: 0, backCents: 0, noteGstCents: 0 }
      for (const one of steps) await take(one, customer.guid, guids, told)
      expect(await p.problems()).toEqual([])
      const { bas, aged } = await reports()
      expect([bas.agrees, aged.agrees]).toEqual([true, true])
      const all = await standings(guids)
      for (const one of all)
        expect(one.balanceCents).toBe(
          one.totals.totalCents - one.creditedCents - one.writtenOffCents - (one.paidCents - one.refundedCents),
        )
      // The GST of both invoices, less that of the notes; what was written off takes its share along.
      const [off] = await p.rows<{ gst: number }>(
        `select coalesce(sum(case when reverses_guid is null then gst_cents else -gst_cents end), 0)::int as gst
          from write_offs where invoice_guid = any($1)`,
        [guids],
      )
      expect(bas.accountCents - before).toBe(10_000 + 3_030 - told.noteGstCents - (off?.gst ?? 0))
      // Money is what came less what went: it pays invoices, or is the customer's credit.
      const row = aged.rows.find((one) => one.customerGuid === customer.guid)
      const pays = all.reduce((sum, one) => sum + one.paidCents - one.refundedCents, 0)
      expect(pays + (row?.creditCents ?? 0)).toBe(told.inCents - told.backCents)
    }),
    { numRuns: process.env.PROVE ? 100 : 3, seed: 13 },
  )
})
