import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Actors, aGuest } from '../../test/support/actors.ts'
import {
  aCustomer,
  aLine,
  aQuote,
  aSecondApp,
  aSentQuote,
  ok,
  type QuoteAnswer,
  startStaffed,
} from '../../test/support/factories.ts'
import type { Running } from '../../test/support/start.ts'

interface Accepted extends QuoteAnswer {
  quote: QuoteAnswer['quote'] & {
    acceptance: Record<string, unknown> | null
    orderGuid: string | null
    related: { invoices: { guid: string; totalCents: number }[] }
  }
  order: { guid: string; label: string }
  invoice: { guid: string; label: string } | null
}
interface GuestAccepted {
  quote: { status: string; number: string; totals: { totalCents: number } }
  order: { serviceGuid: string; number: string }
  invoice: { serviceGuid: string; number: string; balanceCents: number } | null
}

const deposit = { depositRule: { type: 'percent', value: 3000 } }
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

let app: Running
let people: Actors
let customerGuid: string
beforeAll(async () => {
  ;({ app, actors: people } = await startStaffed())
  customerGuid = (await aCustomer(app, people.sales)).guid
})
afterAll(() => app.stop())

const db = () => app.deps.db
const get = async (guid: string) => ok(await app.call<Accepted>(people.sales, 'GET', `/Quotes/${guid}`)).quote
const acceptByStaff = (guid: string, body: Record<string, unknown>) =>
  app.call<Accepted>(people.sales, 'POST', `/Quotes/Accept/${guid}`, {
    name: 'Anna Hartmann',
    method: 'phone',
    ...body,
  })
const acceptByGuest = (
  link: string,
  body: Record<string, unknown>,
  who = people.guest,
  headers: Record<string, string> = {},
) => app.call<GuestAccepted>(who, 'POST', `/Service/Quotes/Accept/${link}`, { name: 'Anna Hartmann', ...body }, headers)
const ordersOf = (quoteGuid: string) =>
  db().selectFrom('orders').selectAll().where('quoteGuid', '=', quoteGuid).execute()
const depositsOf = (quoteGuid: string) =>
  db().selectFrom('invoices').selectAll().where('quoteGuid', '=', quoteGuid).where('kind', '=', 'deposit').execute()

describe('accepting on the customer’s behalf', () => {
  test('makes the order and the deposit invoice at once and tells the customer', async () => {
    const sent = await aSentQuote(app, people.sales, customerGuid, deposit)
    const done = ok(await acceptByStaff(sent.guid, { version: sent.version, note: 'rang at nine' }))
    expect(done.quote).toMatchObject({ status: 'converted', displayStatus: 'converted', orderGuid: done.order.guid })
    expect(done.quote.acceptance).toMatchObject({
      method: 'phone',
      name: 'Anna Hartmann',
      recordedBy: 'sales',
      note: 'rang at nine',
      signature: null,
    })
    const [order] = await ordersOf(sent.guid)
    expect(order).toMatchObject({ guid: done.order.guid, number: done.order.label, totalCents: 27_500, customerGuid })
    const [invoice] = await depositsOf(sent.guid)
    expect(invoice).toMatchObject({ guid: done.invoice?.guid, status: 'issued', totalCents: 8250, balanceCents: 8250 })
    const messages = await db()
      .selectFrom('messages')
      .select('template')
      .where('ownerGuid', '=', sent.guid)
      .orderBy('createdAt')
      .execute()
    expect(messages.map((m) => m.template)).toEqual(['quote', 'quote_accepted'])
  })

  test('makes no invoice when no deposit is asked for, and is silent to a customer without an address', async () => {
    const silent = await aCustomer(app, people.sales, { displayName: 'Silent', email: null })
    const draft = await aQuote(app, people.sales, silent.guid)
    const { quote } = ok(
      await app.call<QuoteAnswer>(people.sales, 'POST', `/Quotes/Send/${draft.guid}`, {
        version: 1,
        to: ['one@time.example'],
      }),
    )
    const done = ok(await acceptByStaff(quote.guid, { version: quote.version }))
    expect(done.invoice).toBeNull()
    expect(await depositsOf(quote.guid)).toEqual([])
  })

  test('is refused for a draft, a decided quote and an older version', async () => {
    const draft = await aQuote(app, people.sales, customerGuid)
    expect((await acceptByStaff(draft.guid, { version: 1 })).message).toBe('This quote hasn’t been sent yet.')
    const sent = await aSentQuote(app, people.sales, customerGuid)
    const stale = await acceptByStaff(sent.guid, { version: 1 })
    expect([stale.status, stale.error, stale.data.quote.version]).toEqual([409, 'STALE_VERSION', sent.version])
    ok(await acceptByStaff(sent.guid, { version: sent.version }))
    const again = await acceptByStaff(sent.guid, { version: sent.version })
    expect([again.status, again.error, again.message]).toEqual([
      409,
      'INVALID_TRANSITION',
      'This quote has already been accepted.',
    ])
    const convert = await app.call(people.sales, 'POST', `/Quotes/Convert/${sent.guid}`, { version: sent.version })
    expect(convert.error).toBe('INVALID_TRANSITION')
  })

  test('can be caught up on where only the acceptance was noted', async () => {
    const sent = await aSentQuote(app, people.sales, customerGuid, deposit)
    await db().updateTable('quotes').set({ status: 'accepted' }).where('guid', '=', sent.guid).execute()
    const done = ok(
      await app.call<Accepted>(people.sales, 'POST', `/Quotes/Convert/${sent.guid}`, { version: sent.version }),
    )
    expect([done.quote.status, (await ordersOf(sent.guid)).length, done.invoice?.label]).toEqual([
      'converted',
      1,
      expect.stringMatching(/^INV-/),
    ])
  })
})

describe('the choice', () => {
  const lines = [
    aLine(),
    aLine({ name: 'Lights', isOptional: true, unitPriceCents: 5000 }),
    aLine({ name: 'Pump', isOptional: true, unitPriceCents: 7000, isSelected: true }),
    aLine({ name: 'Glass', alternativeGroup: 'Gate', unitPriceCents: 30_000 }),
    aLine({ name: 'Steel', alternativeGroup: 'Gate', unitPriceCents: 20_000 }),
  ]
  const sentWithChoices = async (facts: Record<string, unknown> = {}) => {
    const quote = await aSentQuote(app, people.sales, customerGuid, { lines, ...facts })
    const guids = (...names: string[]) => quote.lines.filter((l) => names.includes(l.name)).map((l) => l.guid)
    return { quote, guids }
  }

  test('sets the totals of the quote, of the order and of the deposit', async () => {
    const { quote, guids } = await sentWithChoices(deposit)
    const done = ok(
      await acceptByGuest(quote.serviceGuid, {
        documentSha256: quote.documentSha256,
        selectedLineGuids: guids('Lights', 'Steel'),
      }),
    )
    // 2 × (125 + 50 + 200) and GST
    expect(done.quote.totals).toMatchObject({ totalCents: 82_500 })
    expect(done.invoice?.balanceCents).toBe(24_750)
    const after = await get(quote.guid)
    expect(after.totals.totalCents).toBe(82_500)
    expect(after.lines.map((l) => [l.name, l.isSelected])).toEqual([
      ['Fence panels', true],
      ['Lights', true],
      ['Pump', false],
      ['Glass', false],
      ['Steel', true],
    ])
    const [order] = await ordersOf(quote.guid)
    expect(order?.totalCents).toBe(82_500)
    const names = await db()
      .selectFrom('orderLines')
      .select('name')
      .where('orderGuid', '=', order?.guid ?? '')
      .orderBy('position')
      .execute()
    expect(names.map((l) => l.name)).toEqual(['Fence panels', 'Lights', 'Steel'])
  })

  test('is what the quote proposes when nothing is said', async () => {
    const { quote } = await sentWithChoices()
    // 2 × (125 + 70 + 300) and GST
    expect(
      ok(await acceptByGuest(quote.serviceGuid, { documentSha256: quote.documentSha256 })).quote.totals.totalCents,
    ).toBe(108_900)
  })

  test('takes exactly one of each alternative, and only lines there are to choose', async () => {
    const { quote, guids } = await sentWithChoices()
    const refused = async (selectedLineGuids: string[]) =>
      (await acceptByGuest(quote.serviceGuid, { documentSha256: quote.documentSha256, selectedLineGuids })).errors.map(
        (e) => e.path,
      )
    expect(await refused(guids('Lights'))).toEqual(['selectedLineGuids'])
    expect(await refused(guids('Glass', 'Steel'))).toEqual(['selectedLineGuids'])
    expect(await refused([...guids('Steel'), ...guids('Fence panels')])).toEqual(['selectedLineGuids.1'])
    expect(await refused([...guids('Steel'), customerGuid])).toEqual(['selectedLineGuids.1'])
    expect((await get(quote.guid)).status).toBe('sent')
    expect(await ordersOf(quote.guid)).toEqual([])
  })
})

describe('accepting as a guest', () => {
  test('keeps who signed how, from where, and what exactly was signed', async () => {
    const sent = await aSentQuote(app, people.sales, customerGuid)
    const done = ok(
      await acceptByGuest(sent.serviceGuid, {
        documentSha256: sent.documentSha256,
        signature: { method: 'drawn', png },
      }),
    )
    expect(done.quote.status).toBe('converted')
    const row = await db()
      .selectFrom('quotes')
      .select(['acceptance', 'snapshotSha256'])
      .where('guid', '=', sent.guid)
      .executeTakeFirstOrThrow()
    expect(row.acceptance).toMatchObject({
      method: 'guest',
      name: 'Anna Hartmann',
      ip: '127.0.0.1',
      recordedBy: null,
      documentSha256: row.snapshotSha256,
      signature: { method: 'drawn', png },
    })
    const audited = await db()
      .selectFrom('auditLog')
      .select('after')
      .where('entityGuid', '=', sent.guid)
      .where('action', '=', 'quote.accepted')
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(audited.after)).not.toContain(png)
  })

  test('refuses a signature that is no picture', async () => {
    const sent = await aSentQuote(app, people.sales, customerGuid)
    const fake = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>').toString('base64')
    expect(
      (
        await acceptByGuest(sent.serviceGuid, {
          documentSha256: sent.documentSha256,
          signature: { method: 'drawn', png: fake },
        })
      ).errors[0]?.path,
    ).toBe('signature.png')
    // It begins as a picture does and ends in the middle.
    const half = Buffer.from(png, 'base64').subarray(0, 48).toString('base64')
    expect(
      await acceptByGuest(sent.serviceGuid, {
        documentSha256: sent.documentSha256,
        signature: { method: 'drawn', png: half },
      }),
    ).toMatchObject({ status: 422, errors: [{ path: 'signature.png', message: 'Use a PNG image.' }] })
    expect((await get(sent.guid)).status).toBe('sent')
    expect(
      (
        await acceptByGuest(sent.serviceGuid, {
          documentSha256: sent.documentSha256,
          signature: { method: 'typed', text: ' ' },
        })
      ).errors[0]?.path,
    ).toBe('signature.text')
    expect(
      (await acceptByGuest(sent.serviceGuid, { documentSha256: sent.documentSha256, name: ' ' })).errors[0]?.path,
    ).toBe('name')
  })

  test('gives the same answer to the same request sent again, and refuses another one', async () => {
    const sent = await aSentQuote(app, people.sales, customerGuid, deposit)
    const accept = () =>
      acceptByGuest(sent.serviceGuid, { documentSha256: sent.documentSha256 }, people.guest, {
        'idempotency-key': `accept-${sent.guid}`,
      })
    const [first, second] = [await accept(), await accept()]
    expect([second.status, second.body]).toEqual([200, first.body])
    expect((await acceptByGuest(sent.serviceGuid, { documentSha256: sent.documentSha256 })).error).toBe(
      'INVALID_TRANSITION',
    )
    expect(await ordersOf(sent.guid)).toHaveLength(1)
  })

  test('of an archived or revised quote is not possible', async () => {
    const archived = await aSentQuote(app, people.sales, customerGuid)
    ok(await app.call(people.sales, 'DELETE', `/Quotes/${archived.guid}`))
    expect((await acceptByGuest(archived.serviceGuid, { documentSha256: archived.documentSha256 })).status).toBe(404)
    const old = await aSentQuote(app, people.sales, customerGuid)
    const draft = ok(
      await app.call<QuoteAnswer>(people.sales, 'POST', `/Quotes/Revise/${old.guid}`, { version: old.version }),
      201,
    ).quote
    ok(await app.call(people.sales, 'POST', `/Quotes/Send/${draft.guid}`, { version: 1 }))
    const late = await acceptByGuest(old.serviceGuid, { documentSha256: old.documentSha256 })
    expect(late.status).toBe(409)
    expect(await ordersOf(old.guid)).toEqual([])
  })
})

describe('two processes on one database', () => {
  test('make exactly one order and one deposit invoice of fifty acceptances at the same moment', async () => {
    const second = await aSecondApp(app)
    try {
      const sent = await aSentQuote(app, people.sales, customerGuid, deposit)
      const guests = await Promise.all(Array.from({ length: 5 }, () => aGuest(app)))
      const path = `/Service/Quotes/Accept/${sent.serviceGuid}`
      const { version, documentSha256 } = sent
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) => {
          if (i % 10 === 9)
            return app.call(people.sales, 'POST', `/Quotes/Accept/${sent.guid}`, {
              version,
              name: 'Anna',
              method: 'phone',
            })
          return (i % 2 === 0 ? app : second).call(guests[i % 5] ?? people.guest, 'POST', path, {
            documentSha256,
            name: 'Anna',
          })
        }),
      )
      const statuses = answers.map((a) => a.status)
      expect(statuses.filter((s) => s === 200)).toHaveLength(1)
      expect(statuses.every((s) => s === 200 || s === 409 || s === 429 || s === 503)).toBe(true)
      expect(statuses).toContain(409)
      expect(await ordersOf(sent.guid)).toHaveLength(1)
      expect(await depositsOf(sent.guid)).toHaveLength(1)
      expect(
        await db()
          .selectFrom('messages')
          .select('guid')
          .where('ownerGuid', '=', sent.guid)
          .where('template', '=', 'quote_accepted')
          .execute(),
      ).toHaveLength(1)
      const accepted = await db()
        .selectFrom('auditLog')
        .select('id')
        .where('entityGuid', '=', sent.guid)
        .where('action', '=', 'quote.accepted')
        .execute()
      expect(accepted).toHaveLength(1)
    } finally {
      await second.close()
    }
  })

  test('let either the acceptance or the decline win, never both', async () => {
    const second = await aSecondApp(app)
    try {
      for (let round = 0; round < 5; round++) {
        const sent = await aSentQuote(app, people.sales, customerGuid)
        const [yes, no] = await Promise.all([
          app.call(people.guest, 'POST', `/Service/Quotes/Accept/${sent.serviceGuid}`, {
            documentSha256: sent.documentSha256,
            name: 'Anna',
          }),
          second.call(people.guest, 'POST', `/Service/Quotes/Decline/${sent.serviceGuid}`, {
            documentSha256: sent.documentSha256,
            reasonCode: 'price',
          }),
        ])
        expect([yes.status, no.status].toSorted()).toEqual([200, 409])
        expect((await ordersOf(sent.guid)).length).toBe(yes.status === 200 ? 1 : 0)
      }
    } finally {
      await second.close()
    }
  })

  test('give quotes sent from both numbers without gaps or doubles', async () => {
    const second = await aSecondApp(app)
    try {
      const drafts = await Promise.all(Array.from({ length: 16 }, () => aQuote(app, people.sales, customerGuid)))
      const answers = await Promise.all(
        drafts.map((d, i) =>
          (i % 2 === 0 ? app : second).call(people.sales, 'POST', `/Quotes/Send/${d.guid}`, { version: 1 }),
        ),
      )
      expect(answers.map((a) => a.status)).toEqual(drafts.map(() => 200))
      const rows = await db()
        .selectFrom('quotes')
        .select('number')
        .where(
          'guid',
          'in',
          drafts.map((d) => d.guid),
        )
        .execute()
      const figures = rows.map((r) => Number(r.number?.slice(2))).toSorted((a, b) => a - b)
      expect(figures).toEqual(figures.map((_, i) => (figures[0] ?? 0) + i))
    } finally {
      await second.close()
    }
  })
})
