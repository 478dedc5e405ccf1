import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../contract/api.ts'
import type { Op } from '../../contract/core/op.ts'
import { type Actor, aPerson, aRole, password } from '../support/actors.ts'
import { aCustomer, aLine, aQuote, aSentQuote, ok } from '../support/factories.ts'
import { type Paying, startPaying, tally, times } from '../support/paying.ts'
import { plausible, schemaOf, unknownGuid } from '../support/plausible.ts'
import type { Answer, Caller } from '../support/start.ts'

/** `npm run prove` has fifty callers; `npm test` has fewer, and a pool so small that they are a crowd all the same. */
const isFull = process.env['PROVE'] === '1'
const [callers, poolSize] = isFull ? [50, '20'] : [12, '4']

let p: Paying
beforeAll(async () => {
  p = await startPaying({ DB_POOL_SIZE: poolSize })
}, 60_000)
afterAll(() => p.stop())

interface Target {
  who?: Caller | null
  guid?: string
  body?: Record<string, unknown>
}

const lines = () => [aLine()]
const newPerson = async () => aPerson(p.app, randomUUID().slice(0, 13), p.actors.roles.Administrator)
const sentQuote = () => aSentQuote(p.app, p.actors.office, p.customer.guid)
const orderOf = async () =>
  ok(
    await p.app.call<{ order: { guid: string; version: number } }>(p.actors.office, 'POST', '/Orders', {
      customerGuid: p.customer.guid,
      title: 'Fence',
      lines: lines(),
    }),
    201,
  ).order
const draftOf = async () =>
  ok(
    await p.app.call<{ invoice: { guid: string; version: number } }>(p.actors.office, 'POST', '/Invoices', {
      customerGuid: p.customer.guid,
      title: 'Fence',
      lines: lines(),
    }),
    201,
  ).invoice
const newest = async (table: string) =>
  (
    await sql<{ guid: string }>`select guid from ${sql.table(table)} order by created_at desc limit 1`.execute(
      p.app.deps.db,
    )
  ).rows[0]?.guid ?? unknownGuid

/** A record of each noun that everybody wants to change at once. */
const targets: Record<string, (name: string) => Promise<Target>> = {
  auth: async () => ({ who: await newPerson(), body: { currentPassword: password } }),
  credentials: async () => ({ who: await newPerson(), body: { currentPassword: password } }),
  users: async () => ({ guid: (await newPerson()).userGuid, body: { roleGuid: p.actors.roles.Sales, version: 1 } }),
  roles: async () => ({ who: await newPerson(), guid: await aRole(p.app, randomUUID(), []) }),
  views: async (name) => (name === 'create' ? {} : { guid: await newest('views') }),
  customers: async () => {
    const { guid, version } = await aCustomer(p.app, p.actors.office)
    return { guid, body: { version, guids: [guid] } }
  },
  products: async () => {
    const { guid, version } = ok(
      await p.app.call<{ product: { guid: string; version: number } }>(p.actors.office, 'POST', '/Products', {
        name: 'Panel',
        priceCents: 100,
      }),
      201,
    ).product
    return { guid, body: { version, guids: [guid] } }
  },
  quotes: async (name) => {
    const isDraft = ['update', 'remove', 'restore', 'bulk', 'send'].includes(name)
    const quote = isDraft ? await aQuote(p.app, p.actors.office, p.customer.guid) : await sentQuote()
    return {
      guid: quote.guid,
      body: { version: quote.version, customerGuid: p.customer.guid, lines: lines(), guids: [quote.guid] },
    }
  },
  orders: async () => {
    const { guid, version } = await orderOf()
    return {
      guid,
      body: { version, customerGuid: p.customer.guid, lines: lines(), guids: [guid], deed: 'start', kind: 'progress' },
    }
  },
  invoices: async (name) => {
    const issued = ['void', 'reissueLink'].includes(name) ? await p.invoice(11_000) : null
    const { guid, version } = issued ?? (await draftOf())
    return { guid, body: { version, customerGuid: p.customer.guid, lines: lines(), guids: [guid] } }
  },
  payments: async (name) => {
    const invoice = await p.invoice(600_000)
    const money = { invoiceGuid: invoice.guid, cents: 1000 }
    if (name === 'create')
      return {
        who: p.actors.accountant,
        body: { method: 'bank_transfer', amountCents: 1000, receivedOn: '2026-07-01', allocations: [money] },
      }
    const { payment } = ok(await p.byHand({ amountCents: 600_000, allocations: [{ ...money, cents: 600_000 }] }), 201)
    return { who: p.actors.accountant, body: { paymentGuid: payment.guid, amountCents: 1000, reasonCode: 'goodwill' } }
  },
  messages: async () => ({ guid: await newest('messages') }),
  service: async (name) => {
    if (name === 'pay') {
      const { link, documentSha256 } = await p.invoice(600_000)
      return { who: p.actors.guest, guid: link, body: { amountCents: 1000, documentSha256 } }
    }
    const { serviceGuid, documentSha256 } = await sentQuote()
    return {
      who: p.actors.guest,
      guid: serviceGuid,
      body: { documentSha256, name: 'Anna', note: 'Please', reasonCode: 'price' },
    }
  },
}

const shapeOf = (op: Op): Record<string, unknown> =>
  op.method === 'GET' || op.method === 'DELETE' ? {} : ((plausible(schemaOf(op.body)) ?? {}) as Record<string, unknown>)

/** The body the schema asks for, with the values of the record where it has such fields. */
function bodyOf(op: Op, given: Record<string, unknown>): Record<string, unknown> {
  const names = new Set(Object.keys(schemaOf(op.body).properties ?? {}))
  return { ...shapeOf(op), ...Object.fromEntries(Object.entries(given).filter(([name]) => names.has(name))) }
}

async function crowd(noun: string, name: string, op: Op): Promise<Answer[]> {
  const target = (await targets[noun]?.(name)) ?? {}
  const path = op.path.replace(/:\w+/g, target.guid ?? unknownGuid)
  const who = target.who === undefined ? p.actors.administrator : target.who
  return times(callers, async (i) => {
    const body = bodyOf(op, target.body ?? {})
    if (noun === 'users' && ['create', 'invite'].includes(name))
      Object.assign(body, { authID: `crowd-${name}-${i}@test.example`, email: `crowd-${i}@test.example` })
    // Whoever has not chosen works in the first by name, and stays there.
    if (noun === 'businesses' && name === 'create') body['legalName'] = `Zenith ${i} Pty Ltd`
    if (noun === 'auth' && name === 'login')
      Object.assign(body, { authID: (who as Actor).authId, authPassword: password })
    if (noun === 'service' && name === 'pay') body['paymentMethodToken'] = await p.token('4242424242424242')
    return p.app.call(who, op.method, path, op.method === 'POST' || op.method === 'PATCH' ? body : undefined, {
      'idempotency-key': randomUUID(),
    })
  })
}

const writes = operations.filter(
  ({ op }) =>
    op.effect !== 'read' &&
    (op.method !== 'GET' || op.who === 'cron') &&
    op.who !== 'webhook' &&
    op.can[1] !== 'Maintenance',
)
/** What a crowd wants of one record or one number, and must get: at least once, or every time. */
const done = new Map<string, number>()

describe(`${callers} at once`, () => {
  it.each(writes.map(({ noun, name, op }) => ({ id: `${noun}.${name}`, noun, name, op })))(
    '$id',
    async ({ id, noun, name, op }) => {
      const answers = await crowd(noun, name, op)
      done.set(id, answers.filter((a) => a.status < 300).length)
      expect(Object.keys(tally(answers)).filter((what) => what.startsWith('5'))).toEqual([])
    },
  )
  it('and what all may do was done for all, what one may do for one', () => {
    const all = [
      'auth.login',
      'auth.guest',
      'auth.renew',
      'quotes.create',
      'orders.create',
      'invoices.create',
      'customers.create',
      'products.create',
      'payments.create',
      'payments.refund',
      'service.pay',
      'service.viewed',
      'quotes.duplicate',
    ]
    const one = [
      'quotes.send',
      'quotes.accept',
      'quotes.cancel',
      'service.accept',
      'service.decline',
      'orders.status',
      'invoices.issue',
      'invoices.send',
      'invoices.void',
    ]
    expect(Object.fromEntries(all.map((id) => [id, done.get(id)]))).toEqual(
      Object.fromEntries(all.map((id) => [id, callers])),
    )
    expect(Object.fromEntries(one.map((id) => [id, done.get(id)]))).toEqual(
      Object.fromEntries(one.map((id) => [id, 1])),
    )
  })
  it('and the books are in order', async () => {
    expect(await p.problems()).toEqual([])
  })
})
