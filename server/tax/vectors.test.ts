import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BasLabel } from '../../contract/bas.ts'
import type { GstBasis } from '../../contract/businesses.ts'
import { addDays, daysBetween } from '../../contract/core/dates.ts'
import { nthBusinessDay } from '../../contract/core/holidays.ts'
import type { Invoice } from '../../contract/invoices.ts'
import type { JournalEntry } from '../../contract/journal-entries.ts'
import type { LedgerAccount } from '../../contract/journal.ts'
import type { JournalSource } from '../../contract/ledger.ts'
import type { Order } from '../../contract/orders.ts'
import { ok } from '../../test/support/factories.ts'
import { type Paying, startPaying } from '../../test/support/paying.ts'
import { keyed } from '../../test/support/start.ts'
import vectors from './vectors.json' with { type: 'json' }

let p: Paying
let company: string
beforeAll(async () => {
  p = await startPaying()
  company = (await p.rows<{ guid: string }>('select guid from businesses'))[0]?.guid ?? ''
})
afterAll(() => p.stop())

const yearBegins = '2026-07-01'
/** Makes it noon of a day in Sydney. */
const makeIt = (day: string) => void (p.clock.aheadMs = Date.parse(`${day}T02:00:00Z`) - Date.now())

type Priced = Pick<Invoice['totals'], 'totalCents' | 'gstCents'>
/** What has so much GST: a tenth of one line, the rest is free of it. */
const linesOf = ({ totalCents, gstCents }: Priced) =>
  [
    { name: 'Hoarding', unitPriceCents: gstCents * 11 },
    { name: 'Permit', unitPriceCents: totalCents - gstCents * 11, gstCode: 'FREE' },
  ].filter(({ unitPriceCents }) => unitPriceCents > 0)

interface Bas {
  labels: { label: BasLabel; cents: number }[]
  agrees: boolean | null
}
/** Cents by code: debits less credits. */
type Sides = Record<string, number>

/** The books of a case: those of a company of its own that began the year on a basis. */
async function booksOf(basis: GstBasis) {
  makeIt(yearBegins)
  const facts = { legalName: 'Worked Example Pty Ltd', abn: '88666333000', gstRegistered: true, beganOn: '2020-07-01' }
  const made = await p.app.call<{ business: { guid: string } }>(p.actors.administrator, 'POST', '/Businesses', {
    customersOf: company,
    ...facts,
  })
  const { guid } = ok(made, 201).business
  const call = <D>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) =>
    p.app.call<D>(p.actors.administrator, method, path, body, { 'x-business-guid': guid, ...keyed() })
  if (basis === 'cash') ok(await call('POST', '/Tax/Basis', { basis, from: yearBegins }))
  const invoice = async (invoiceGuid: string) =>
    ok(await call<{ invoice: Invoice }>('GET', `/Invoices/${invoiceGuid}`)).invoice
  const act = async (path: string, invoiceGuid: string, wish: object = {}) => {
    const { version } = await invoice(invoiceGuid)
    return ok(await call<{ invoice: Invoice }>('POST', `${path}/${invoiceGuid}`, { version, ...wish })).invoice
  }
  return {
    call,
    invoice,
    act,
    issue: async (priced: Priced) => {
      const body = { customerGuid: p.customer.guid, title: 'Hoarding', priceMode: 'inclusive', lines: linesOf(priced) }
      const draft = ok(await call<{ invoice: Invoice }>('POST', '/Invoices', body), 201).invoice
      return act('/Invoices/Issue', draft.guid)
    },
    /** The worksheet of a period, which the account of GST collected agrees with. */
    sheet: async (from: string, to: string) => {
      const { labels, agrees } = ok(await call<Bas>('GET', `/Tax/Bas?from=${from}&to=${to}`))
      expect(agrees).toBe(true)
      return Object.fromEntries(labels.map(({ label, cents }) => [label, cents]))
    },
    /** What entries of a kind posted, by account, in the order of posting. */
    posted: async (source: JournalSource) => {
      const path = `/Dev/BankingJournals?source=${source}&sort=number`
      return ok(await call<{ items: JournalEntry[] }>('GET', path)).items.map(({ lines }) =>
        Object.fromEntries(lines.map((line): [string, number] => [line.account, line.debitCents - line.creditCents])),
      )
    },
    /** Accounts that stand at something. */
    balances: async (): Promise<Sides> => {
      const { accounts } = ok(await call<{ accounts: LedgerAccount[] }>('GET', '/Journal/Accounts'))
      return Object.fromEntries(
        accounts.flatMap(({ code, balanceCents }) => (balanceCents === 0 ? [] : [[code, balanceCents]])),
      )
    },
  }
}

test.each(vectors.cashGst)(
  'on the cash basis $received of $totalCents brings in $expect of GST',
  async ({ received, expect: due, ...priced }) => {
    const books = await booksOf('cash')
    const { guid: invoiceGuid, totals } = await books.issue(priced)
    expect(totals).toMatchObject(priced)
    const sheets = []
    for (const [i, cents] of received.entries()) {
      const month = `2026-0${7 + i}`
      makeIt(`${month}-20`)
      const money = { method: 'bank_transfer', receivedOn: `${month}-20`, amountCents: cents }
      const allocations = [{ invoiceGuid, cents }]
      ok(await books.call('POST', '/Payments', { customerGuid: p.customer.guid, ...money, allocations }), 201)
      sheets.push(await books.sheet(`${month}-01`, `${month}-28`))
    }
    expect(sheets).toMatchObject(due.map((cents, i) => ({ G1: received[i], '1A': cents, '1B': 0 })))
    expect(await books.posted('payment')).toEqual(
      received.map((cents, i) => ({ '1000': cents, '1100': -cents, '2100': -(due[i] ?? 0), '2105': due[i] })),
    )
    const { totalCents, gstCents } = priced
    expect(await books.balances()).toEqual({ '1000': totalCents, '2100': -gstCents, '4000': gstCents - totalCents })
  },
)

describe.each(vectors.writeOffGst)(
  '$cents of $totalCents written off takes $expect of GST',
  ({ cents, expect: gst, ...priced }) => {
    test.each([
      ['accrual', '2100', priced.gstCents - gst],
      ['cash', '2105', 0],
    ] as const)('on the %s basis from account %s', async (basis, account, reported) => {
      const books = await booksOf(basis)
      const { guid } = await books.issue(priced)
      const off = await books.act('/Invoices/WriteOff', guid, { cents, reasonCode: 'bad_debt' })
      expect(off).toMatchObject({ totals: priced, writtenOffCents: cents, balanceCents: priced.totalCents - cents })
      expect(await books.posted('write_off')).toEqual([{ '6200': cents - gst, [account]: gst, '1100': -cents }])
      expect(await books.sheet(yearBegins, '2026-09-30')).toMatchObject({ '1A': reported, '1B': 0 })
      expect(await books.balances()).toMatchObject({
        '1100': priced.totalCents - cents,
        [account]: gst - priced.gstCents,
      })
    })
  },
)

test.each(vectors.accrual)(
  'a note of $note.on on an invoice of $issued gives $expect in $quarter',
  async ({ issued, note, quarter, expect: labels, ...priced }) => {
    const books = await booksOf('accrual')
    makeIt(issued)
    const { guid: invoiceGuid, totals } = await books.issue(priced)
    expect(totals).toMatchObject(priced)
    makeIt(note.on)
    const lines = [{ gstCode: 'GST', cents: note.cents, text: 'Two panels fewer' }]
    const given = { invoiceGuid, lines, reason: 'Less was built' }
    const made = ok(await books.call<{ invoice: Invoice }>('POST', '/Invoices/Notes', given), 201).invoice
    const { cents, gstCents } = note
    expect(made).toMatchObject({ issueOn: note.on, totals: { totalCents: cents, gstCents } })
    expect(await books.posted('adjustment_note')).toEqual([
      { '1100': -cents, '2100': gstCents, '4000': cents - gstCents },
    ])
    const [from = '', to = ''] = quarter.split('/')
    expect(await books.sheet(from, to)).toMatchObject(labels)
    const left = priced.totalCents - cents
    expect(await books.invoice(invoiceGuid)).toMatchObject({ creditedCents: cents, balanceCents: left })
    const leftGst = priced.gstCents - gstCents
    expect(await books.balances()).toEqual({ '1100': left, '2100': -leftGst, '4000': leftGst - left })
  },
)

const quarters = [
  { quarter: '2026-Q3', from: '2026-07-01', to: '2026-09-30' },
  { quarter: '2026-Q4', from: '2026-10-01', to: '2026-12-31' },
] as const

test.each([
  { supply: vectors.broughtForward.supply, reported: vectors.broughtForward.expect1A },
  { supply: 'progressive', reported: vectors.broughtForward.progressive1A },
])('an order that is a $supply supply reports $reported at 1A', async ({ supply, reported }) => {
  const { orderGstCents, depositInvoice, finalInvoice } = vectors.broughtForward
  const books = await booksOf('accrual')
  const priced = { totalCents: orderGstCents * 11, gstCents: orderGstCents }
  const body = { customerGuid: p.customer.guid, title: 'Hoarding', priceMode: 'inclusive', lines: linesOf(priced) }
  const { order } = ok(await books.call<{ order: Order }>('POST', '/Orders', body), 201)
  const path = `/Orders/${order.guid}`
  ok(await books.call('PATCH', path, { version: order.version, supplyBasis: supply }))
  const bill = async (on: string, wish: object) => {
    makeIt(on)
    const { version } = ok(await books.call<{ order: Order }>('GET', path)).order
    const draft = await books.call<{ invoice: Invoice }>('POST', `/Orders/Invoice/${order.guid}`, { version, ...wish })
    return books.act('/Invoices/Issue', ok(draft, 201).invoice.guid)
  }
  const deposit = await bill(depositInvoice.on, { kind: 'deposit', cents: depositInvoice.gstCents * 11 })
  const final = await bill(finalInvoice.on, { kind: 'final' })
  expect([deposit, final].map(({ issueOn, totals }) => ({ on: issueOn, gstCents: totals.gstCents }))).toEqual([
    depositInvoice,
    finalInvoice,
  ])
  const forward = supply === 'single' ? finalInvoice.gstCents : 0
  expect(await books.posted('gst_forward')).toEqual(
    forward ? [forward, -forward].map((cents) => ({ '2106': cents, '2100': -cents })) : [],
  )
  for (const { quarter, from, to } of quarters)
    expect(await books.sheet(from, to)).toMatchObject({ '1A': reported[quarter], '1B': 0 })
  const { totalCents, gstCents } = priced
  expect(await books.balances()).toEqual({ '1100': totalCents, '2100': -gstCents, '4000': gstCents - totalCents })
})

test('what is charged and given back by card stands in card clearing: the payout and its fees', async () => {
  const { charges, fees, refunds, netCents } = vectors.payout
  const books = await booksOf('accrual')
  p.clock.aheadMs = 0
  for (const cents of charges) {
    const { serviceGuid } = await books.issue({ totalCents: cents, gstCents: cents / 11 })
    expect(ok(await p.pay(serviceGuid ?? '', cents), 201).payment.status).toBe('succeeded')
  }
  const { items } = ok(await books.call<{ items: { guid: string }[] }>('GET', '/Payments?sort=number'))
  for (const [i, amountCents] of refunds.entries()) {
    const given = { paymentGuid: items[i]?.guid, amountCents, reasonCode: 'goodwill' }
    ok(await books.call('POST', '/Payments/Refunds', given), 201)
  }
  const feeCents = fees.reduce((sum, cents) => sum + cents, 0)
  expect((await books.balances())['1010']).toBe(netCents + feeCents)
})

test('the proof finds nothing in the books of all cases', async () => {
  expect(await p.problems()).toEqual([])
})

test.each(vectors.claims.cases)(
  '$businessDays business days from $served in $state end on $due',
  ({ state, served, businessDays, due }) => {
    const of = state as keyof typeof vectors.claims.leftOut
    const [from = '', to = ''] = vectors.claims.leftOut[of].split('/')
    const leftOut = Array.from({ length: daysBetween(from, to) + 1 }, (_, i) => addDays(from, i))
    const changes = leftOut.map((day) => ({ state: of, day, name: 'Left out', isAdded: true, fromMin: null }) as const)
    expect(nthBusinessDay(of, served, businessDays, changes)).toBe(due)
  },
)

describe('what these books can’t say yet', () => {
  const { payout, score } = vectors
  test(`a payout of ${payout.netCents} after fees of ${payout.fees.join(' and ')}`, ({ skip }) => skip(payout.skipped))
  for (const { line } of score.cases) test(`what “${line}” pays`, ({ skip }) => skip(score.skipped))
})
