import { createFirstBusiness } from '../../server/businesses/businesses.service.ts'
import { inTransaction, systemRun } from '../../server/core/run.ts'
import { buildApp } from '../../server/app.ts'
import { seedActors } from './actors.ts'
import { type Answer, type Caller, type Running, startApp, type StartOptions } from './start.ts'

/** The business everything belongs to; most tests start with it. */
export const aBusiness = (
  app: Running,
  facts: {
    legalName?: string
    abn?: string | null
    gstRegistered?: boolean
    email?: string | null
    beganOn?: string
  } = {},
) =>
  inTransaction(systemRun(app.deps, 'test'), (ctx) =>
    createFirstBusiness(ctx, {
      legalName: 'Brolga Fencing Pty Ltd',
      abn: '53004085616',
      gstRegistered: true,
      email: 'office@brolga.example',
      beganOn: '2020-07-01',
      ...facts,
    }),
  )

/** The application with a business and its people. */
export async function startStaffed(options: StartOptions = {}) {
  const app = await startApp(options)
  const actors = await seedActors(app)
  await aBusiness(app)
  return { app, actors }
}

/** The same with one customer. */
export async function startBusiness(options: StartOptions = {}) {
  const { app, actors } = await startStaffed(options)
  return { app, actors, customerGuid: (await aCustomer(app, actors.office)).guid }
}

/** A second process of the same product: another application on the same database, with the same keys and files. */
export async function aSecondApp(app: Running) {
  const second = await buildApp({
    settings: app.deps.settings,
    keys: app.deps.keys,
    database: app.database,
    log: app.deps.log,
    now: app.deps.now,
    payments: app.deps.payments,
    hasWorkers: false,
  })
  return {
    ...second,
    call: async (
      who: Caller | null,
      method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ) => {
      const response = await second.fastify.inject({
        method,
        url: `/api/v2${path}`,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...who?.headers, ...headers },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      })
      return { status: response.statusCode, headers: response.headers, body: response.body }
    },
  }
}

/** The data of an answer that must be a success; anything else fails the test with what was said. */
export function ok<D>(answer: Answer<D>, status = 200): D {
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status}: ${answer.body}`)
  return answer.data
}

/** Makes many, twenty at a time: a crowd of hundreds is turned away, as it should be. */
export async function many<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = []
  while (made.length < count)
    made.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(20, count - made.length) }, (_, i) => make(made.length + i)),
      )),
    )
  return made
}

export interface CustomerAnswer {
  customer: {
    guid: string
    version: number
    contacts: { guid: string; name: string; isPrimary: boolean }[]
    sites: { guid: string; name: string }[]
  }
}

export const aCustomer = async (
  app: Running,
  who: Caller,
  facts: Record<string, unknown> = {},
): Promise<CustomerAnswer['customer']> =>
  ok(
    await app.call<CustomerAnswer>(who, 'POST', '/Customers', {
      displayName: 'Hartmann Builders',
      email: 'anna@hartmann.example',
      ...facts,
    }),
    201,
  ).customer

export const aLine = (facts: Record<string, unknown> = {}) => ({
  name: 'Fence panels',
  quantity: '2',
  unitPriceCents: 12_500,
  ...facts,
})

export interface QuoteAnswer {
  quote: {
    guid: string
    title: string
    version: number
    number: string | null
    revision: number
    status: string
    displayStatus: string
    serviceGuid: string | null
    validUntil: string | null
    depositCents: number
    stages: { cents: number }[]
    totals: {
      subtotalCents: number
      discountCents: number
      gstCents: number
      totalCents: number
      optionalTotalCents: number
    }
    lines: { guid: string; name: string; isSelected: boolean; totalCents: number; gstCode: string; quantity: string }[]
  }
}

/** A draft of two panels at $125, so $275 with GST. */
export const aQuote = async (
  app: Running,
  who: Caller,
  customerGuid: string,
  facts: Record<string, unknown> = {},
): Promise<QuoteAnswer['quote']> =>
  ok(
    await app.call<QuoteAnswer>(who, 'POST', '/Quotes', {
      customerGuid,
      title: 'Pool fence',
      lines: [aLine()],
      ...facts,
    }),
    201,
  ).quote

/** What a customer's deed names: the frozen bytes of the document as its page shows it. */
export const shaOf = async (app: Running, table: 'quotes' | 'invoices', guid: string): Promise<string | null> =>
  (await app.deps.db.selectFrom(table).select('snapshotSha256').where('guid', '=', guid).executeTakeFirstOrThrow())
    .snapshotSha256

/** A quote that its customer has in hand. */
export const aSentQuote = async (
  app: Running,
  who: Caller,
  customerGuid: string,
  facts: Record<string, unknown> = {},
): Promise<QuoteAnswer['quote'] & { serviceGuid: string; number: string; documentSha256: string | null }> => {
  const draft = await aQuote(app, who, customerGuid, facts)
  const { quote } = ok(
    await app.call<QuoteAnswer>(who, 'POST', `/Quotes/Send/${draft.guid}`, { version: draft.version }),
  )
  if (!quote.serviceGuid || !quote.number) throw new Error('a sent quote has no link or number')
  return {
    ...quote,
    serviceGuid: quote.serviceGuid,
    number: quote.number,
    documentSha256: await shaOf(app, 'quotes', quote.guid),
  }
}
