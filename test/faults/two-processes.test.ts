import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  asGuest,
  cardToken,
  clearAway,
  type Headers,
  makeProduct,
  postmasterOf,
  type Product,
  productFolder,
  type Reply,
  setUpProduct,
  shownDocument,
} from '../support/process.ts'
import { compareMoney, inDatabase, ledgerProblems } from '../support/reconcile.ts'

const issues = process.env['FAULTS'] === 'full' ? 500 : 120

interface Known {
  guid: string
  version: number
  number: string
  serviceGuid: string
  balanceCents: number
}
interface Records {
  customer: Known
  quote: Known
  invoice: Known
  payment: Known
  refund: Known
  order: Known
}

let dataDir: string
let products: [Product, Product]
let staff: Headers
let guests: Headers[]
let customerGuid: string
beforeAll(async () => {
  dataDir = productFolder()
  const first = await makeProduct(dataDir)
  await first.start()
  staff = await setUpProduct(first)
  // One provider for both, as two servers behind a proxy have.
  const second = await makeProduct(dataDir, { PAYMENT_SANDBOX_URL: first.sandboxUrl })
  await second.start()
  products = [first, second]
  guests = await Promise.all(Array.from({ length: 6 }, (_, i) => asGuest(at(i))))
  customerGuid = (
    await must(post(0, staff, '/Customers', { displayName: 'Hartmann Builders', email: 'anna@hartmann.example' }))
  ).customer.guid
}, 90_000)
afterAll(() => clearAway(products, dataDir))

const at = (i: number): Product => products[i % 2 === 0 ? 0 : 1]
const guest = (i: number): Headers => guests[i % guests.length] ?? {}
const post = (i: number, who: Headers, path: string, body: unknown, key: string = randomUUID()) =>
  at(i).call<Records>(who, 'POST', path, body, { 'idempotency-key': key })
const times = <T>(count: number, make: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => make(i)))

/** The answer of a call that must succeed; one that is too busy is asked again, as its answer says. */
async function must(first: Promise<Reply<Records>>, again?: () => Promise<Reply<Records>>): Promise<Records> {
  let reply = await first
  for (let tries = 0; tries < 60 && reply.status === 503 && again; tries++) {
    await sleep(200 + Math.random() * 800)
    reply = await again()
  }
  if (reply.status !== 200 && reply.status !== 201) throw new Error(`${reply.status} ${reply.error} ${reply.message}`)
  return reply.data
}

const one = async <R extends object>(text: string, values: unknown[] = []): Promise<R> => {
  const [row] = await inDatabase(dataDir, (rows) => rows<R>(text, values))
  if (!row) throw new Error(`nothing found by ${text}`)
  return row
}

const line = { name: 'Fence panels', quantity: '2', unitPriceCents: 12_500 }
const sentQuote = async () => {
  const { quote } = await must(
    post(0, staff, '/Quotes', {
      customerGuid,
      title: 'Pool fence',
      depositRule: { type: 'percent', value: 3000 },
      lines: [line],
    }),
  )
  return (await must(post(0, staff, `/Quotes/Send/${quote.guid}`, { version: quote.version }))).quote
}
const draftInvoice = async (i: number) => {
  const key = randomUUID()
  const draft = () => post(i, staff, '/Invoices', { customerGuid, title: 'Hire', lines: [line] }, key)
  return (await must(draft(), draft)).invoice
}
/** Of $275. */
const issuedInvoice = async () => {
  const { guid, version } = await draftInvoice(0)
  return (await must(post(0, staff, `/Invoices/Issue/${guid}`, { version }))).invoice
}

describe('two server processes on one database', () => {
  test('make one order and one deposit invoice of fifty acceptances at the same moment', async () => {
    const quote = await sentQuote()
    const documentSha256 = await shownDocument(at(0), guest(0), 'Quotes', quote.serviceGuid)
    const replies = await times(50, (i) =>
      i % 10 === 9
        ? post(i, staff, `/Quotes/Accept/${quote.guid}`, { version: quote.version, name: 'Anna', method: 'phone' })
        : post(i, guest(i), `/Service/Quotes/Accept/${quote.serviceGuid}`, { documentSha256, name: 'Anna' }),
    )
    expect(replies.filter((r) => r.status === 200)).toHaveLength(1)
    expect(replies.filter((r) => ![200, 409, 503].includes(r.status)).map((r) => `${r.status} ${r.message}`)).toEqual(
      [],
    )
    const made = await one(
      `select (select count(*) from orders where quote_guid = $1)::int as orders,
        (select count(*) from invoices where quote_guid = $1 and kind = 'deposit')::int as deposits,
        (select count(*) from messages where owner_guid = $1 and template = 'quote_accepted')::int as letters`,
      [quote.guid],
    )
    expect(made).toEqual({ orders: 1, deposits: 1, letters: 1 })
  })

  test('take of fifty payments, by card and by hand, as many as the balance allows and no more', async () => {
    const invoice = await issuedInvoice()
    const documentSha256 = await shownDocument(at(0), guest(0), 'Invoices', invoice.serviceGuid)
    const tokens = await times(25, () => cardToken(at(0)))
    const replies = await times(50, (i) =>
      i % 2 === 0
        ? post(i / 2, guest(i), `/Service/Invoices/Pay/${invoice.serviceGuid}`, {
            documentSha256,
            paymentMethodToken: tokens[i / 2],
            amountCents: 8_000,
          })
        : post((i - 1) / 2, staff, '/Payments', {
            method: 'bank_transfer',
            receivedOn: '2026-01-15',
            amountCents: 8_000,
            allocations: [{ invoiceGuid: invoice.guid, cents: 8_000 }],
          }),
    )
    expect(
      replies.filter((r) => ![201, 402, 409, 503].includes(r.status)).map((r) => `${r.status} ${r.message}`),
    ).toEqual([])
    // Three times $80 go into $275.
    const booked = await one<{ n: number; cents: number }>(
      `select count(*)::int as n, sum(cents)::int as cents from payment_allocations where invoice_guid = $1`,
      [invoice.guid],
    )
    expect(replies.filter((r) => r.status === 201)).toHaveLength(booked.n)
    expect(booked).toEqual({ n: 3, cents: 24_000 })
    expect(await one(`select balance_cents::int as balance from invoices where guid = $1`, [invoice.guid])).toEqual({
      balance: 3_500,
    })
    expect(await compareMoney(at(0), dataDir)).toEqual([])
  })

  test(`give ${issues} invoices issued at once numbers without a gap`, async () => {
    const drafts: Known[] = []
    for (let i = 0; i < issues; i += 20) drafts.push(...(await times(Math.min(20, issues - i), draftInvoice)))
    const issued = await Promise.all(
      drafts.map((draft, i) => {
        const key = randomUUID()
        const issue = () => post(i, staff, `/Invoices/Issue/${draft.guid}`, { version: draft.version }, key)
        return must(issue(), issue)
      }),
    )
    expect(new Set(issued.map(({ invoice }) => invoice.number)).size).toBe(issues)
    const { numbers } = await one<{ numbers: number[] }>(
      `select array_agg(substring(number from '\\d+$')::int order by 1) as numbers
        from (select number from invoices where number like 'INV-%') i`,
    )
    expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_, i) => 1001 + i))
  })

  test('do what twenty requests with one key ask for once, whichever process they reach', async () => {
    const quote = (await must(post(0, staff, '/Quotes', { customerGuid, title: 'Side fence', lines: [line] }))).quote
    const draft = await draftInvoice(0)
    const owing = await issuedInvoice()
    const token = await cardToken(at(0))
    const twenty = async (who: Headers, path: string, body: unknown) => {
      const key = randomUUID()
      const replies = await times(20, (i) => post(i, who, path, body, key))
      expect(
        replies.filter((r) => r.status !== 200 && r.status !== 201).map((r) => `${path} ${r.status} ${r.message}`),
      ).toEqual([])
      expect(new Set(replies.map((r) => JSON.stringify(r.data))).size).toBe(1)
      return (replies[0] as Reply<Records>).data
    }
    await twenty(staff, '/Customers', { displayName: 'Twenty times' })
    expect(await one(`select count(*)::int as n from customers where display_name = 'Twenty times'`)).toEqual({ n: 1 })
    await twenty(staff, `/Quotes/Send/${quote.guid}`, { version: quote.version })
    expect(await one(`select count(*)::int as n from messages where owner_guid = $1`, [quote.guid])).toEqual({ n: 1 })
    await twenty(staff, `/Invoices/Issue/${draft.guid}`, { version: draft.version })
    const documentSha256 = await shownDocument(at(0), guest(0), 'Invoices', owing.serviceGuid)
    const paid = await twenty(guest(0), `/Service/Invoices/Pay/${owing.serviceGuid}`, {
      documentSha256,
      paymentMethodToken: token,
      amountCents: 5_000,
    })
    await twenty(staff, '/Payments', {
      method: 'cash',
      receivedOn: '2026-01-15',
      amountCents: 5_000,
      allocations: [{ invoiceGuid: owing.guid, cents: 5_000 }],
    })
    const { guid } = await one<{ guid: string }>(`select guid::text from payments where attempt_guid = $1`, [
      paid.payment.guid,
    ])
    await twenty(staff, '/Payments/Refunds', { paymentGuid: guid, amountCents: 2_000, reasonCode: 'goodwill' })
    expect(
      await one(
        `select paid_cents::int as paid, refunded_cents::int as refunded, balance_cents::int as balance
          from invoices where guid = $1`,
        [owing.guid],
      ),
    ).toEqual({ paid: 10_000, refunded: 2_000, balance: 17_500 })
    expect(await compareMoney(at(0), dataDir)).toEqual([])
  })

  test('tell each other’s open screens what changed', async () => {
    const heard = await fetch(`http://127.0.0.1:${at(1).port}/api/v2/Live`, {
      headers: staff,
      signal: AbortSignal.timeout(10_000),
    })
    const reader = heard.body?.pipeThrough(new TextDecoderStream()).getReader()
    await reader?.read()
    const { customer } = await must(post(0, staff, '/Customers', { displayName: 'Heard of' }))
    let text = ''
    while (!text.includes(customer.guid)) text += (await reader?.read())?.value ?? ''
    await reader?.cancel()
    expect(text).toContain('Customers')
  })

  test('and a port that is taken is told before a database is made', async () => {
    const folder = productFolder()
    const late = await makeProduct(folder, { PORT: String(at(0).port) })
    try {
      await expect(late.start()).rejects.toThrow('is in use by another program')
      expect(existsSync(join(folder, 'postgres'))).toBe(false)
    } finally {
      await clearAway([late], folder)
    }
  })

  test('leave a ledger in order', async () => {
    expect(await ledgerProblems(dataDir)).toEqual([])
  })

  test('do without each other: when one is killed the other goes on, and ends the database with itself', async () => {
    const [first, second] = products
    await first.kill()
    expect(
      (await must(second.call(staff, 'POST', '/Customers', { displayName: 'Afterwards' }))).customer.guid,
    ).toBeTruthy()
    expect(await second.stop()).toBe(0)
    expect(postmasterOf(dataDir)).toBeNull()
  })
})
