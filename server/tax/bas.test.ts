import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BasLabel, BasLine } from '../../contract/bas.ts'
import { addDays } from '../../contract/core/dates.ts'
import type { Invoice } from '../../contract/invoices.ts'
import { aCustomer, ok } from '../../test/support/factories.ts'
import { noteStatements } from '../../test/support/statements.ts'
import { type Paying, startPaying } from '../../test/support/paying.ts'
import type { Caller } from '../../test/support/start.ts'

interface Bas {
  basis: string
  isLocked: boolean
  labels: { label: BasLabel; cents: number; dollars: number; documents: number }[]
  decreases: Record<'G1' | 'G2' | 'G3' | 'G4', number>
  accountCents: number
  agrees: boolean | null
}
let p: Paying
let today: string
let customer: string
beforeAll(async () => {
  p = await startPaying()
  today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney' }).format(new Date())
  customer = (await aCustomer(p.app, p.actors.office, { displayName: 'Taxed Pty Ltd', email: 'tax@example.com' })).guid
})
afterAll(() => p.stop())

const ask = (query: string, who: Caller = p.actors.accountant) => p.app.call<Bas>(who, 'GET', `/Tax/Bas?${query}`)
const bas = async (from: string, to: string, basis = '') =>
  ok(await ask(`from=${from}&to=${to}${basis && `&basis=${basis}`}`))
const cents = ({ labels }: Bas) => Object.fromEntries(labels.map((one) => [one.label, one.cents]))

test('the worksheet follows the documents, agrees with the ledger, and says each figure’s documents', async () => {
  const paid = await p.invoice(110_000, customer)
  const late = await p.invoice(55_000, customer)
  ok(
    await p.byHand({
      customerGuid: customer,
      receivedOn: today,
      amountCents: 33_333,
      allocations: [{ invoiceGuid: paid.guid, cents: 33_333 }],
    }),
    201,
  )
  const { version } = ok(
    await p.app.call<{ invoice: Invoice }>(p.actors.accountant, 'GET', `/Invoices/${late.guid}`),
  ).invoice
  const given = { version, reasonCode: 'bad_debt' }
  ok(await p.app.call(p.actors.accountant, 'POST', `/Invoices/WriteOff/${late.guid}`, given))

  const accrual = await bas(today, today)
  expect(accrual).toMatchObject({ basis: 'accrual', isLocked: false, agrees: true, accountCents: 10_000 })
  expect(cents(accrual)).toEqual({ G1: 165_000, G2: 0, G3: 0, G4: 0, '1A': 10_000, '1B': 0 })
  const cash = await bas(today, today, 'cash')
  // 33,333 of 110,000 with 10,000 of GST: 3,030.27.
  expect(cents(cash)).toMatchObject({ G1: 33_333, '1A': 3030, '1B': 0 })
  expect(cash.agrees).toBeNull()
  expect(cash.labels[0]).toMatchObject({ dollars: 333, documents: 1 })

  const lines = ok(
    await p.app.call<{ items: BasLine[] }>(
      p.actors.accountant,
      'GET',
      `/Tax/Bas/Lines?from=${today}&to=${today}&label=G1`,
    ),
  ).items
  expect(lines.map((line) => [line.number, line.customerName, line.cents])).toEqual([
    [paid.number, 'Taxed Pty Ltd', 110_000],
    [late.number, 'Taxed Pty Ltd', 55_000],
  ])
  expect(cents(await bas(addDays(today, -90), addDays(today, -1)))).toMatchObject({ G1: 0, '1A': 0 })
  const voided = await p.invoice(22_000, customer)
  const reason = { version: voided.version, reason: 'Twice' }
  ok(await p.app.call(p.actors.accountant, 'POST', `/Invoices/Void/${voided.guid}`, reason))
  expect(cents(await bas(today, today))).toEqual(cents(accrual))
})

test('is asked for with two days in order, by who has the right, in few statements whatever there is', async () => {
  expect((await ask(`from=${today}&to=${addDays(today, -1)}`)).errors).toEqual([
    { path: 'to', message: 'Choose a day that isn’t before the first.' },
  ])
  expect((await ask('from=2026-07-01')).status).toBe(400)
  expect((await ask(`from=${today}&to=${today}`, p.actors.office)).status).toBe(403)
  const noting = noteStatements(p.app.deps.db)
  const few = await noting(() => bas(today, today))
  await p.invoice(11_000, customer)
  const more = await noting(() => bas(today, today))
  expect(more.length).toBe(few.length)
})
