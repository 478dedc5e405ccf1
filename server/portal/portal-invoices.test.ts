import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ServiceInvoice } from '../../contract/service.ts'
import { aCustomer, ok } from '../../test/support/factories.ts'
import { aGuest } from '../../test/support/actors.ts'
import { cards, type Paying, startPaying } from '../../test/support/paying.ts'
import { keyed } from '../../test/support/start.ts'

let p: Paying
beforeAll(async () => void (p = await startPaying()))
afterAll(() => p.stop())

interface Page {
  invoice: Record<string, unknown> & { lines: Record<string, unknown>[] }
  business: Record<string, unknown>
}
const open = (link: string) => p.app.call<Page>(p.actors.guest, 'GET', `/Service/Invoices/${link}`)

describe('the page of an invoice', () => {
  test('shows what the customer needs to pay it, and nothing of the inside', async () => {
    const address = { line1: '12 Smith Street', suburb: 'Marrickville', state: 'NSW', postcode: '2204' }
    const customer = await aCustomer(p.app, p.actors.office, {
      displayName: 'Anna Hartmann',
      abn: '51824753556',
      internalNotes: 'pays late',
      sites: [{ name: 'Yard', address }],
    })
    const body = {
      customerGuid: customer.guid,
      siteGuid: customer.sites[0]?.guid,
      title: 'Hoarding',
      reference: 'PO 7',
      notes: 'Thank you',
      internalNotes: 'margin is thin',
      termsDays: 7,
      lines: [{ name: 'Panel', quantity: '2.5', unitPriceCents: 10_000 }],
    }
    const draft = ok(
      await p.app.call<{ invoice: { guid: string; version: number } }>(p.actors.office, 'POST', '/Invoices', body),
      201,
    ).invoice
    const { invoice } = ok(
      await p.app.call<{ invoice: { serviceGuid: string; number: string } }>(
        p.actors.office,
        'POST',
        `/Invoices/Issue/${draft.guid}`,
        { version: draft.version },
      ),
    )
    const answer = await open(invoice.serviceGuid)
    const page = ok(answer)
    expect(page.invoice).toMatchObject({
      number: invoice.number,
      kind: 'standard',
      isTaxInvoice: true,
      status: 'issued',
      paymentStatus: 'unpaid',
      customer: { name: 'Anna Hartmann' },
      billTo: { name: 'Anna Hartmann', abn: '51824753556' },
      siteLabel: 'Yard, 12 Smith Street, Marrickville NSW 2204',
      reference: 'PO 7',
      isOverdue: false,
      notes: 'Thank you',
      totals: { subtotalCents: 25_000, discountCents: 0, gstCents: 2_500, totalCents: 27_500 },
      balanceCents: 27_500,
      payments: [],
      openAttempt: null,
      order: null,
      canPayByCard: true,
    })
    expect(page.invoice.lines).toMatchObject([{ name: 'Panel', quantity: '2.5', totalCents: 27_500 }])
    expect(page.invoice.lines[0]).not.toHaveProperty('productGuid')
    expect(page.business).toMatchObject({ name: 'Brolga Fencing Pty Ltd', abn: '53004085616' })
    for (const inside of ['pays late', 'margin is thin', draft.guid, customer.guid])
      expect(answer.body).not.toContain(inside)
    p.clock.aheadMs = 9 * 86_400_000
    const later = await p.app.call<Page>(await aGuest(p.app), 'GET', `/Service/Invoices/${invoice.serviceGuid}`)
    p.clock.aheadMs = 0
    expect(ok(later).invoice.isOverdue).toBe(true)
  })

  test('shows each payment with the last figures of its card, and that nothing is owing any more', async () => {
    const invoice = await p.invoice(5_000)
    ok(await p.pay(invoice.link, 2_000), 201)
    ok(
      await p.byHand({
        method: 'cash',
        amountCents: 3_000,
        allocations: [{ invoiceGuid: invoice.guid, cents: 3_000 }],
      }),
      201,
    )
    expect(ok(await open(invoice.link)).invoice).toMatchObject({
      paidCents: 5_000,
      balanceCents: 0,
      paymentStatus: 'paid',
      canPayByCard: false,
      payments: [
        { method: 'card', cents: 2_000, card: { brand: 'visa', last4: '4242' } },
        { method: 'cash', cents: 3_000, card: null },
      ],
    })
  })

  test('adds up to the cent, whatever came and went', async () => {
    const some = async (totalCents: number, paidCents: number) => {
      const invoice = await p.invoice(totalCents)
      const { payment } = ok(
        await p.byHand({ amountCents: paidCents, allocations: [{ invoiceGuid: invoice.guid, cents: paidCents }] }),
        201,
      )
      return {
        invoice,
        refund: async (amountCents: number, reasonCode: string) =>
          ok(await p.refund({ paymentGuid: payment.guid, invoiceGuid: invoice.guid, amountCents, reasonCode }), 201),
      }
    }
    const [part, twice, all, lowered] = [
      await some(110_000, 40_000),
      await some(33_333, 33_333),
      await some(9_999, 9_999),
      await some(5_005, 5_005),
    ]
    await part.refund(10_001, 'price_adjustment')
    await twice.refund(3_333, 'duplicate')
    await all.refund(9_999, 'cancelled')
    await lowered.refund(1_003, 'price_adjustment')
    const shown = async ({ invoice }: typeof part) => {
      const { invoice: page } = ok(
        await p.app.call<{ invoice: ServiceInvoice }>(p.actors.guest, 'GET', `/Service/Invoices/${invoice.link}`),
      )
      const { totals, paidCents, refundedCents, creditedCents, balanceCents, paymentStatus, payments, refunds } = page
      expect(totals.totalCents - paidCents + refundedCents - creditedCents).toBe(balanceCents)
      expect([
        payments.reduce((sum, one) => sum + one.cents, 0),
        refunds.reduce((sum, one) => sum + one.cents, 0),
      ]).toEqual([paidCents, refundedCents])
      return [paidCents, refundedCents, creditedCents, balanceCents, paymentStatus]
    }
    expect(await shown(part)).toEqual([40_000, 10_001, 10_001, 70_000, 'partially_paid'])
    expect(await shown(twice)).toEqual([33_333, 3_333, 0, 3_333, 'partially_paid'])
    expect(await shown(all)).toEqual([9_999, 9_999, 9_999, 0, 'refunded'])
    expect(await shown(lowered)).toEqual([5_005, 1_003, 1_003, 0, 'partially_refunded'])
  })

  test('needs guest credentials and a link that is open', async () => {
    const invoice = await p.invoice(5_000)
    expect((await p.app.call(null, 'GET', `/Service/Invoices/${invoice.link}`)).status).toBe(401)
    expect((await open(invoice.guid)).status).toBe(404)
    ok(await p.app.call(p.actors.office, 'POST', `/Invoices/Link/${invoice.guid}`, { version: invoice.version }))
    expect((await open(invoice.link)).status).toBe(404)
    expect((await p.pay(invoice.link, 5_000)).status).toBe(404)
    expect((await p.app.call(p.actors.guest, 'GET', `/Service/Payments/Token/${invoice.link}`)).status).toBe(404)
  })

  test('takes money only for the invoice that was shown', async () => {
    const [invoice, other] = [await p.invoice(5_000), await p.invoice(7_000)]
    const pay = async (named: Record<string, unknown>) =>
      p.app.call<{ invoice: Record<string, unknown> }>(
        p.actors.guest,
        'POST',
        `/Service/Invoices/Pay/${invoice.link}`,
        { ...named, paymentMethodToken: await p.token(cards.good), amountCents: 5_000 },
        keyed(),
      )
    for (const named of [{}, { documentSha256: null }, { documentSha256: other.documentSha256 }]) {
      const refused = await pay(named)
      expect([
        refused.status,
        refused.error,
        refused.data.invoice['documentSha256'],
        refused.data.invoice['number'],
      ]).toEqual([409, 'STALE_VERSION', invoice.documentSha256, invoice.number])
    }
    expect(await p.charges(invoice.number)).toEqual([])
    expect(
      ok(await pay({ documentSha256: ok(await open(invoice.link)).invoice['documentSha256'] }), 201),
    ).toMatchObject({ invoice: { balanceCents: 0 } })
  })

  test('of a voided invoice says so and takes no money', async () => {
    const invoice = await p.invoice(5_000)
    ok(
      await p.app.call(p.actors.office, 'POST', `/Invoices/Void/${invoice.guid}`, {
        version: invoice.version,
        reason: 'made twice',
      }),
    )
    expect(ok(await open(invoice.link)).invoice).toMatchObject({ status: 'void', balanceCents: 0, canPayByCard: false })
  })

  test('comes as PDF, too', async () => {
    const invoice = await p.invoice(5_000)
    const answer = await p.app.fastify.inject({
      method: 'GET',
      url: `/api/v2/Service/Invoices/Pdf/${invoice.link}`,
      headers: p.actors.guest.headers,
    })
    expect([answer.statusCode, answer.headers['content-type'], answer.rawPayload.subarray(0, 5).toString()]).toEqual([
      200,
      'application/pdf',
      '%PDF-',
    ])
    expect(answer.headers['content-disposition']).toContain(invoice.number)
  })
})
