import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Invoice } from '../../contract/invoices.ts'
import { aLine, ok } from '../../test/support/factories.ts'
import { type Paying, startPaying } from '../../test/support/paying.ts'

let p: Paying
let today: string
beforeAll(async () => {
  p = await startPaying()
  today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney' }).format(new Date())
})
afterAll(() => p.stop())

const deeds = ['pay', 'apply', 'forfeit', 'return', 'takeBack', 'dishonour', 'credit', 'void'] as const
type Deed = (typeof deeds)[number]
const life = fc.array(
  fc.record({ deed: fc.constantFrom(...deeds), cents: fc.integer({ min: 1, max: 60_000 }), which: fc.nat({ max: 9 }) }),
  { minLength: 4, maxLength: 14 },
)

/** What a security deposit is by the law, worked out without the product: money by where it came from and went. */
class Model {
  asked = 50_000
  isVoid = false
  payments: { guid: string; cents: number; returned: number; isOff: boolean }[] = []
  applied: { guid: string; cents: number; isOff: boolean }[] = []
  forfeited = 0
  gst = 0
  get received() {
    return this.payments.reduce((sum, one) => sum + (one.isOff ? 0 : one.cents), 0)
  }
  get returned() {
    return this.payments.reduce((sum, one) => sum + one.returned, 0)
  }
  get used() {
    return this.forfeited + this.applied.reduce((sum, one) => sum + (one.isOff ? 0 : one.cents), 0)
  }
  get held() {
    return this.received - this.returned - this.used
  }
  get owing() {
    return this.isVoid ? 0 : this.asked - this.received
  }
  /** What account 2250 has of it. */
  get account() {
    return this.isVoid ? 0 : this.asked - this.returned - this.used
  }
}

const office = () => p.actors.administrator
const post = (path: string, body: unknown) =>
  p.app.call<{ invoice: Invoice }>(office(), 'POST', path, body, { 'idempotency-key': randomUUID() })
const invoice = async (guid: string) =>
  ok(await p.app.call<{ invoice: Invoice }>(office(), 'GET', `/Invoices/${guid}`)).invoice

async function aDeposit(): Promise<string> {
  const facts = {
    customerGuid: p.customer.guid,
    title: 'Scaffold',
    priceMode: 'inclusive',
    lines: [aLine({ quantity: '1', unitPriceCents: 500_000 })],
  }
  const { order } = ok(
    await p.app.call<{ order: { guid: string; version: number } }>(office(), 'POST', '/Orders', facts),
    201,
  )
  const wish = {
    kind: 'deposit',
    cents: 50_000,
    depositNature: 'security',
    forfeitureClause: 'When it comes back late.',
  }
  const made = ok(await post(`/Orders/Invoice/${order.guid}`, { version: order.version, ...wish }), 201).invoice
  return ok(await post(`/Invoices/Issue/${made.guid}`, { version: 1 })).invoice.guid
}

/** Does a deed and says what the model makes of it: whether it had to go through. */
async function live(guid: string, model: Model, deed: Deed, cents: number, which: number): Promise<boolean | null> {
  const { version } = await invoice(guid)
  const did = (answer: { status: number }) => {
    expect(answer.status, `${deed} ${cents}`).toBeLessThan(500)
    return answer.status < 300
  }
  switch (deed) {
    case 'pay': {
      const answer = await p.byHand({
        receivedOn: today,
        amountCents: cents,
        allocations: [{ invoiceGuid: guid, cents }],
      })
      const may = !model.isVoid && cents <= model.owing
      if (may) model.payments.push({ guid: ok(answer, 201).payment.guid, cents, returned: 0, isOff: false })
      return did(answer) === may
    }
    case 'apply': {
      const bill = await p.invoice(60_000)
      const answer = await post(`/Invoices/Deposit/${guid}`, {
        version,
        action: 'apply',
        invoiceGuid: bill.guid,
        cents,
      })
      const may = !model.isVoid && cents <= model.held
      if (may) {
        const paid = (await invoice(bill.guid)).related.payments[0]
        model.applied.push({ guid: paid?.guid ?? '', cents, isOff: false })
        expect((await invoice(bill.guid)).balanceCents).toBe(60_000 - cents)
      }
      return did(answer) === may
    }
    case 'forfeit': {
      const answer = await post(`/Invoices/Deposit/${guid}`, { version, action: 'forfeit', cents, reason: 'Late' })
      const may = !model.isVoid && cents <= model.held
      if (may) {
        model.forfeited += cents
        model.gst += Math.floor((2 * cents + 11) / 22)
      }
      return did(answer) === may
    }
    case 'return': {
      const from = model.payments.filter((one) => !one.isOff)[which % Math.max(model.payments.length, 1)]
      if (!from) return null
      const answer = await p.refund({ paymentGuid: from.guid, amountCents: cents, reasonCode: 'deposit_return' })
      const may = cents <= Math.min(model.held, from.cents - from.returned)
      if (may) from.returned += cents
      return did(answer) === may
    }
    case 'takeBack': {
      const one = model.applied[which % Math.max(model.applied.length, 1)]
      if (!one) return null
      const answer = await post(`/Payments/Reverse/${one.guid}`, { reason: 'wrong_entry', on: today })
      const may = !one.isOff
      one.isOff = true
      return did(answer) === may
    }
    case 'dishonour': {
      const one = model.payments[which % Math.max(model.payments.length, 1)]
      if (!one) return null
      const answer = await post(`/Payments/Reverse/${one.guid}`, { reason: 'dishonoured', on: today })
      const may = !one.isOff && one.returned === 0 && one.cents <= model.held
      if (may) one.isOff = true
      return did(answer) === may
    }
    case 'credit': {
      const lines = [{ gstCode: 'FREE', cents, text: 'Less' }]
      const answer = await post('/Invoices/Notes', { invoiceGuid: guid, lines, reason: 'Less to hold' })
      const may = !model.isVoid && cents <= model.owing
      if (may) model.asked -= cents
      return did(answer) === may
    }
    case 'void': {
      const answer = await post(`/Invoices/Void/${guid}`, { version, reason: 'Not needed' })
      const may = !model.isVoid && model.received === 0 && model.asked === 50_000
      if (may) model.isVoid = true
      return did(answer) === may
    }
  }
}

async function kept(guid: string) {
  const [row] = await p.rows<{ account: number; gst: number }>(
    `select coalesce(sum(l.credit_cents - l.debit_cents) filter (where l.account = '2250'), 0)::int as account,
      coalesce(sum(l.credit_cents - l.debit_cents) filter (where l.account = '2100'), 0)::int as gst
    from journal_entries e join journal_lines l on l.entry_guid = e.guid
    where e.source_guid in (select $1::uuid union select guid from invoices where forfeits_guid = $1
      or adjusts_invoice_guid = $1 union select guid from payments where deposit_guid = $1
      union select guid from refunds where invoice_guid = $1
      union select v.guid from payment_reversals v join payments y on y.guid = v.payment_guid
        where y.deposit_guid = $1)`,
    [guid],
  )
  return row
}

test('lives of security deposits go as the model says, and the books hold the same', async () => {
  await fc.assert(
    fc.asyncProperty(life, async (steps) => {
      const guid = await aDeposit()
      const model = new Model()
      for (const { deed, cents, which } of steps)
        expect([deed, cents, await live(guid, model, deed, cents, which)]).not.toContain(false)
      const { balanceCents, security } = await invoice(guid)
      expect({ balanceCents, security, ...(await kept(guid)) }).toEqual({
        balanceCents: model.owing,
        security: {
          heldCents: model.held,
          appliedCents: model.used - model.forfeited,
          forfeitedCents: model.forfeited,
          returnedCents: model.returned,
        },
        account: model.account,
        gst: model.gst,
      })
    }),
    { numRuns: process.env.PROVE ? 60 : 8 },
  )
  const { agrees } = ok(await p.app.call<{ agrees: boolean }>(office(), 'GET', '/Journal/DepositsHeld'))
  const bas = ok(await p.app.call<{ agrees: boolean }>(office(), 'GET', `/Tax/Bas?from=${today}&to=${today}`))
  const aged = ok(await p.app.call<{ agrees: boolean }>(office(), 'GET', '/Journal/AgedReceivables'))
  expect([agrees, bas.agrees, aged.agrees]).toEqual([true, true, true])
  expect(await p.problems()).toEqual([])
})
