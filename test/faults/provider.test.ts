import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  asGuest,
  cardToken,
  clearAway,
  type Headers,
  type Product,
  startProduct,
  shownDocument,
} from '../support/process.ts'
import { chargesOf, compareMoney, inDatabase, ledgerProblems, letLeasesRunOut } from '../support/reconcile.ts'

/** The provider takes the money with each of these, and says so late, wrongly or never. */
const troubles = {
  neverAnswers: '4000000000000341',
  fails: '4000000000000119',
  hangsUp: '4000000000006975',
  answersNothing: '4000000000009235',
  settlesLater: '4000000000000077',
}
const amountCents = 4_000

let dataDir: string
let product: Product
let staff: Headers
let guest: Headers
beforeAll(async () => {
  ;({ dataDir, product, staff } = await startProduct())
  guest = await asGuest(product)
}, 60_000)
afterAll(() => clearAway([product], dataDir))

interface Invoice {
  guid: string
  version: number
  serviceGuid: string
}
const issued = async (): Promise<Invoice> => {
  const { customer } = (
    await product.call<{ customer: { guid: string } }>(staff, 'POST', '/Customers', {
      displayName: 'Hartmann Builders',
      email: 'anna@hartmann.example',
    })
  ).data
  const draft = (
    await product.call<{ invoice: Invoice }>(staff, 'POST', '/Invoices', {
      customerGuid: customer.guid,
      title: 'Hire',
      lines: [{ name: 'Panels', unitPriceCents: 10_000 }],
    })
  ).data.invoice
  return (
    await product.call<{ invoice: Invoice }>(staff, 'POST', `/Invoices/Issue/${draft.guid}`, { version: draft.version })
  ).data.invoice
}
const tell = (what: string, body: unknown) =>
  fetch(`${product.sandboxUrl}/v1/test/${what}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const pay = async (invoice: Invoice, paymentMethodToken: string, key: string) => {
  const documentSha256 = await shownDocument(product, guest, 'Invoices', invoice.serviceGuid)
  return product.call<{ payment: { status: string } }>(
    guest,
    'POST',
    `/Service/Invoices/Pay/${invoice.serviceGuid}`,
    { documentSha256, paymentMethodToken, amountCents },
    { 'idempotency-key': key },
  )
}
const paidOf = async (invoice: Invoice) =>
  (
    await inDatabase(dataDir, (rows) =>
      rows<{ paid: number; n: number }>(
        `select paid_cents::int as paid,
          (select count(*) from payment_allocations a where a.invoice_guid = i.guid)::int as n
          from invoices i where guid = $1`,
        [invoice.guid],
      ),
    )
  )[0]
async function untilPaid(invoices: Invoice[]) {
  await expect
    .poll(() => Promise.all(invoices.map(async (invoice) => (await paidOf(invoice))?.paid)))
    .toEqual(invoices.map(() => amountCents))
}

test('a payment taken without a word is booked once, whatever comes twice, late or after a kill', async () => {
  await tell('webhooks', { mode: 'hold' })
  const paying = await Promise.all(
    Object.values(troubles).map(async (card) => ({
      invoice: await issued(),
      key: randomUUID(),
      token: await cardToken(product, card),
    })),
  )
  const answers = paying.map(({ invoice, token, key }) => pay(invoice, token, key))
  await expect
    .poll(() => chargesOf(product, dataDir), { message: 'the provider has been asked for all' })
    .toHaveLength(paying.length)
  await product.kill()
  const before = await Promise.all(answers)
  await product.start()
  await tell('webhooks', { mode: 'duplicate' })
  await tell('flush', {})
  await tell('webhooks', { mode: 'shuffle' })
  await untilPaid(paying.map((p) => p.invoice))
  // The payer asks again, as a browser does that had no answer: the same key, the same effect. Who had
  // an answer hears it once more.
  await letLeasesRunOut(dataDir)
  const again = await Promise.all(paying.map(({ invoice, token, key }) => pay(invoice, token, key)))
  expect(again.map((a) => a.status)).toEqual(paying.map(() => 201))
  const heardAgain = again.filter((_, i) => before[i]?.status === 201).map((a) => a.data.payment.status)
  expect(heardAgain).toEqual(before.filter((a) => a.status === 201).map((a) => a.data.payment.status))
  // The answer may have been kept when the kill came before it left, and then says what was known at that time.
  const firstHeard = again.filter((_, i) => before[i]?.status !== 201).map((a) => a.data.payment.status)
  expect(firstHeard.filter((status) => !['processing', 'succeeded'].includes(status))).toEqual([])
  expect(await Promise.all(paying.map(({ invoice }) => paidOf(invoice)))).toEqual(
    paying.map(() => ({ paid: amountCents, n: 1 })),
  )
  expect(await compareMoney(product, dataDir)).toEqual([])
  expect(await ledgerProblems(dataDir)).toEqual([])
})

test('a page that waits for a silent provider is answered in time, and others are not kept waiting', async () => {
  const invoice = await issued()
  const silent = pay(invoice, await cardToken(product, troubles.neverAnswers), randomUUID())
  const others = await Promise.all(Array.from({ length: 20 }, () => product.call(staff, 'GET', '/Customers?size=10')))
  // Had they waited for the provider, it would have been for all of the server's patience with it.
  expect(new Set(others.map((o) => o.status))).toEqual(new Set([200]))
  expect(Math.max(...others.map((o) => o.ms))).toBeLessThan(8000)
  // Processing, unless the provider's notice was quicker than the page's patience.
  const answer = await silent
  expect([answer.status, answer.data.payment.status === 'failed']).toEqual([201, false])
  expect(answer.ms).toBeLessThan(30_000)
  await untilPaid([invoice])
  expect(await paidOf(invoice)).toEqual({ paid: amountCents, n: 1 })
})
