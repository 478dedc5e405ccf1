import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ok } from '../../test/support/factories.ts'
import { type PaymentFacts, type Paying, startPaying } from '../../test/support/paying.ts'
import type { Caller } from '../../test/support/start.ts'
import { connect } from '../core/db/connect.ts'
import { verifyWithin } from '../ledger/verify.ts'

interface Bill {
  guid: string
  version: number
  number: string
  balanceCents: number
}

let p: Paying
/** A company, its brand, and a second company; all work with the customers of the first. */
let company: string
let brand: string
let second: string
const secondName = 'Kookaburra Site Services Pty Ltd'
beforeAll(async () => {
  p = await startPaying()
  const own = await p.rows<{ guid: string }>(`select guid from businesses`)
  company = own[0]?.guid ?? ''
  const make = async (facts: object) =>
    ok(
      await p.app.call<{ business: { guid: string } }>(p.actors.administrator, 'POST', '/Businesses', {
        customersOf: company,
        beganOn: '2020-07-01',
        ...facts,
      }),
      201,
    ).business.guid
  brand = await make({ parentGuid: company, tradingName: 'Lantern Marquees' })
  second = await make({ legalName: secondName, abn: '88666333000', gstRegistered: true })
})
afterAll(() => p.stop())

const at = (business: string, who: Caller = p.actors.administrator): Caller => ({
  headers: { ...who.headers, 'x-business-guid': business },
})
async function bill(business: string, cents: number): Promise<Bill> {
  const body = { customerGuid: p.customer.guid, title: 'Tents', lines: [{ name: 'Tent', unitPriceCents: cents }] }
  const made = ok(
    await p.app.call<{ invoice: Bill }>(at(business), 'POST', '/Invoices', { ...body, priceMode: 'inclusive' }),
    201,
  )
  const { guid, version } = made.invoice
  return ok(await p.app.call<{ invoice: Bill }>(at(business), 'POST', `/Invoices/Issue/${guid}`, { version })).invoice
}
const pay = (business: string, body: object) =>
  p.app.call<{ payment: PaymentFacts }>(
    at(business),
    'POST',
    '/Payments',
    { method: 'bank_transfer', receivedOn: '2026-01-15', ...body },
    { 'idempotency-key': randomUUID() },
  )
const all = (...bills: Bill[]) => bills.map(({ guid, balanceCents }) => ({ invoiceGuid: guid, cents: balanceCents }))
const figureOf = (number: string) => Number(number.replace(/\D/g, ''))

describe('money is a legal entity’s', () => {
  test('so a brand’s invoices are numbered with its company’s, and another company counts for itself', async () => {
    const [a, b, c] = [await bill(company, 1100), await bill(brand, 2200), await bill(second, 3300)]
    expect(figureOf(b.number)).toBe(figureOf(a.number) + 1)
    expect(c.number).toBe('INV-1001')
    expect(
      await p.rows(
        `select number, entity_guid as entity from invoices where guid = any($1::uuid[]) order by total_cents`,
        [[a.guid, b.guid, c.guid]],
      ),
    ).toEqual([
      { number: a.number, entity: company },
      { number: b.number, entity: company },
      { number: c.number, entity: second },
    ])
  })

  test('and one payment pays invoices of a company and its brand, but none of another company', async () => {
    const [a, b, c] = [await bill(company, 1100), await bill(brand, 2200), await bill(second, 3300)]
    const { payment } = ok(await pay(company, { amountCents: 3300, allocations: all(a, b) }), 201)
    expect(payment.unallocatedCents).toBe(0)
    for (const [first, other, whose] of [
      [a, c, secondName],
      [c, b, 'Brolga Fencing Pty Ltd'],
    ] as const) {
      const [one, two] = [await bill(first === a ? company : second, 500), other]
      const refused = await pay(company, {
        amountCents: 9900,
        allocations: all(one, two).map((x) => ({ ...x, cents: 100 })),
      })
      expect([refused.status, refused.errors]).toEqual([
        422,
        [
          {
            path: 'allocations.1.invoiceGuid',
            message: `This invoice is ${whose}’s. Record a separate payment for it.`,
          },
        ],
      ])
    }
    expect((await p.standing(c.guid)).paidCents).toBe(0)
  })

  test('which the schema holds, too, whoever writes', async () => {
    const [a, c] = [await bill(company, 1100), await bill(second, 3300)]
    const { payment } = ok(
      await pay(company, { customerGuid: p.customer.guid, amountCents: 1100, allocations: [] }),
      201,
    )
    const allocate = (invoice: Bill) =>
      p.rows(
        `insert into payment_allocations (guid, payment_guid, invoice_guid, cents)
          values (gen_random_uuid(), $1, $2, 1)`,
        [payment.guid, invoice.guid],
      )
    await expect(allocate(c)).rejects.toMatchObject({ constraint: 'allocation_one_entity' })
    // A brand cannot wear a number of its company again, whatever entity it says it is of.
    await expect(copyOf(p, 'payments', payment.guid, brand)).rejects.toMatchObject({
      constraint: 'payment_number_taken',
    })
    await expect(copyOf(p, 'invoices', a.guid, brand)).rejects.toMatchObject({ constraint: 'invoice_number_taken' })
  })

  test('and credit is kept by the business that received it', async () => {
    const body = { customerGuid: p.customer.guid, amountCents: 700, allocations: [] }
    for (const business of [brand, second]) {
      const { payment } = ok(await pay(business, body), 201)
      expect(await p.rows(`select business_guid as business from payments where guid = $1`, [payment.guid])).toEqual([
        { business },
      ])
    }
  })

  test('and its journal is told in its brand’s window, the other company’s is not', async () => {
    const a = await bill(company, 1100)
    const b = await bill(brand, 2200)
    const c = await bill(second, 3300)
    const told = async (business: string) =>
      ok(
        await p.app.call<{ items: { narrative: string }[] }>(at(business), 'GET', '/Dev/BankingJournals?size=100'),
      ).items.map(({ narrative }) => narrative.split(' ').find((word) => word.startsWith('INV-')) ?? '')
    for (const business of [company, brand]) {
      const numbers = await told(business)
      expect(numbers).toEqual(expect.arrayContaining([a.number, b.number]))
    }
    const others = await told(second)
    expect(others).toContain(c.number)
    expect(others.length).toBeLessThan((await told(company)).length)
  })

  test('and its books are locked with its brand’s, by somebody who works in all of it', async () => {
    const through = '2026-03-31'
    const lock = (business: string, who: Caller) => p.app.call(at(business, who), 'POST', '/Tax/Lock', { through })
    const { userGuid } = p.actors.accountant
    await p.rows('update users set business_guids = $2 where guid = $1', [userGuid, [brand]])
    expect((await lock(brand, p.actors.accountant)).status).toBe(403)
    await p.rows(`update users set business_guids = '{}' where guid = $1`, [userGuid])
    ok(await lock(brand, p.actors.accountant))
    const daysOf = async (business: string) => {
      const body = { customerGuid: p.customer.guid, amountCents: 700, allocations: [] }
      const { payment } = ok(await pay(business, body), 201)
      return p.rows('select posted_on::text as day from journal_entries where source_guid = $1', [payment.guid])
    }
    expect(await daysOf(brand)).toEqual([{ day: '2026-04-01' }])
    expect(await daysOf(second)).toEqual([{ day: '2026-01-15' }])
    const state = (business: string) => p.app.call<{ standingThrough: string | null }>(at(business), 'GET', '/Tax/Lock')
    expect(ok(await state(company)).standingThrough).toBe(through)
    expect(ok(await state(second)).standingThrough).toBeNull()
  })

  test('and nobody of another company finds its accounts and entries', async () => {
    type Chart = { accounts: { guid: string; code: string }[] }
    const chart = ok(await p.app.call<Chart>(at(company), 'GET', '/Journal/Accounts')).accounts
    const bank = chart.find(({ code }) => code === '1000')?.guid
    expect((await p.app.call(at(second), 'GET', `/Journal/Ledger/${bank}`)).status).toBe(404)
    const change = { version: 1, name: 'Ours' }
    expect((await p.app.call(at(second), 'PATCH', `/Journal/Accounts/${bank}`, change)).status).toBe(404)
    const lines = [
      { accountGuid: bank, debitCents: 100 },
      { accountGuid: bank, creditCents: 100 },
    ]
    const write = (business: string, path: string, body: object) =>
      p.app.call<{ entry: { guid: string } }>(at(business), 'POST', path, body, { 'idempotency-key': randomUUID() })
    const entry = { postedOn: '2026-05-01', narrative: 'Between accounts', lines }
    expect((await write(second, '/Journal', entry)).errors[0]?.path).toBe('lines.0.accountGuid')
    const made = ok(await write(brand, '/Journal', entry), 201).entry
    const reason = 'Entered twice'
    expect((await write(second, `/Journal/Reverse/${made.guid}`, { reason })).status).toBe(404)
    ok(await write(company, `/Journal/Reverse/${made.guid}`, { reason }), 201)
  })

  test('which is proven of every row', async () => {
    expect(await p.problems()).toEqual([])
    const db = connect(p.app.database.owner, { poolSize: 1 })
    const broken = async (statement: string) => {
      const found: string[] = []
      await db
        .transaction()
        .execute(async (tx) => {
          await sql`set local session_replication_role = replica`.execute(tx)
          await sql.raw(statement).execute(tx)
          found.push(...(await verifyWithin(tx)).problems.map(({ code }) => code))
          throw new Error('taken back')
        })
        .catch((error: Error) => expect(error.message).toBe('taken back'))
      return new Set(found)
    }
    // The last of the company: the other one has not given its number yet.
    for (const [table, last] of Object.entries({ invoices: 'number', payments: 'number', journal_entries: 'guid' }))
      expect(
        await broken(`update ${table} set entity_guid = '${second}' where guid = (select guid from ${table}
          where entity_guid <> '${second}' order by ${last} desc limit 1)`),
      ).toContain('ENTITY')
    expect(
      await broken(`update payment_allocations set invoice_guid = (select guid from invoices
        where entity_guid = '${second}' limit 1)`),
    ).toContain('PARTIES')
    await db.destroy()
  })
})

/** The same row once more, under another guid, in another business. */
async function copyOf(paying: Paying, table: string, guid: string, business: string) {
  const columns = (
    await paying.rows<{ name: string }>(
      `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and attgenerated = ''
        and not attisdropped and attname not in ('guid', 'business_guid')`,
      [table],
    )
  ).map(({ name }) => name)
  return paying.rows(
    `insert into ${table} (guid, business_guid, ${columns.join(', ')})
      select gen_random_uuid(), $2, ${columns.join(', ')} from ${table} where guid = $1`,
    [guid, business],
  )
}
