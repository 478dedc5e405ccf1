import { afterAll, beforeAll, expect, test } from 'vitest'
import { ok } from '../../test/support/factories.ts'
import { type Paying, startPaying } from '../../test/support/paying.ts'
import { type Caller, keyed } from '../../test/support/start.ts'

/** A brand and a second company: whose name, ABN and bank account stand on what their customers get. */
interface Company {
  guid: string
  name: string
  legal: string
  abn: string
  bsb: string
}

let p: Paying
let companies: Company[]
beforeAll(async () => {
  p = await startPaying()
  const make = async (facts: object) =>
    ok(await p.app.call<{ business: { guid: string } }>(p.actors.administrator, 'POST', '/Businesses', facts), 201)
      .business.guid
  const [own] = await p.rows<{ guid: string; version: number }>(`select guid, version from businesses`)
  const account = (bsb: string) => ({ accountName: 'Ours', bsb, accountNumber: '12345678' })
  ok(
    await p.app.call(p.actors.administrator, 'PATCH', `/Businesses/${own?.guid}`, {
      version: own?.version,
      bankAccount: account('062-000'),
    }),
  )
  const legal = 'Brolga Fencing Pty Ltd'
  const brand = await make({ parentGuid: own?.guid, tradingName: 'Lantern Marquees', customersOf: own?.guid })
  const second = await make({
    legalName: 'Kookaburra Site Services Pty Ltd',
    abn: '88666333000',
    gstRegistered: true,
    beganOn: '2020-07-01',
    bankAccount: account('083-999'),
  })
  companies = [
    {
      guid: brand,
      name: 'Lantern Marquees',
      legal: `Lantern Marquees, a business name of ${legal}`,
      abn: '53 004 085 616',
      bsb: '062-000',
    },
    {
      guid: second,
      name: 'Kookaburra Site Services Pty Ltd',
      legal: 'Kookaburra Site Services Pty Ltd',
      abn: '88 666 333 000',
      bsb: '083-999',
    },
  ]
})
afterAll(() => p.stop())

test('mails, pages and receipts of a brand and of a second company say who they are before the law', async () => {
  for (const { guid, name, legal, abn, bsb } of companies) {
    const here: Caller = { headers: { ...p.actors.administrator.headers, 'x-business-guid': guid } }
    const post = async <D>(path: string, body: object, status = 200) =>
      ok(await p.app.call<D>(here, 'POST', path, body, keyed()), status)
    const { customer } = await post<{ customer: { guid: string } }>(
      '/Customers',
      { displayName: 'Reed Cafe', email: 'reed@cafe.example' },
      201,
    )
    type Bill = { invoice: { guid: string; version: number; serviceGuid: string; balanceCents: number } }
    const sale = { customerGuid: customer.guid, title: 'Tents', lines: [{ name: 'Tent', unitPriceCents: 5000 }] }
    const made = await post<Bill>('/Invoices', sale, 201)
    const { invoice } = await post<Bill>(`/Invoices/Send/${made.invoice.guid}`, { version: made.invoice.version })
    await post(
      '/Payments',
      {
        method: 'bank_transfer',
        receivedOn: '2026-01-15',
        amountCents: 9900,
        allocations: [{ invoiceGuid: invoice.guid, cents: invoice.balanceCents }],
      },
      201,
    )
    // Money that no invoice took is acknowledged in the business's name, too.
    await post(
      '/Payments',
      { customerGuid: customer.guid, method: 'cash', receivedOn: '2026-01-15', amountCents: 500, allocations: [] },
      201,
    )
    await p.tellAll()
    const mails = await p.rows<{ text: string; html: string; sender: string }>(
      `select body_text as text, body_html as html, sender from messages where business_guid = $1`,
      [guid],
    )
    expect(mails).toHaveLength(3)
    for (const { text, html, sender } of mails) {
      expect(text).toContain(`${legal} · ABN ${abn}`)
      expect(html).toContain(legal)
      expect(sender).toContain(`"${name}"`)
    }
    const page = ok(
      await p.app.call<{
        business: { name: string; isBrand: boolean; abn: string; bankAccount: { bsb: string } | null }
      }>(p.actors.guest, 'GET', `/Service/Invoices/${invoice.serviceGuid}`),
    )
    expect(page.business).toMatchObject({
      name,
      isBrand: name === 'Lantern Marquees',
      abn: abn.replaceAll(' ', ''),
      bankAccount: { bsb },
    })
  }
})
