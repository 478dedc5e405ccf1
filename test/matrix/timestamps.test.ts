import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { operations } from '../../contract/api.ts'
import { clock, timestamp } from '../../contract/core/common.ts'
import { aSentQuote } from '../support/factories.ts'
import { type Paying, startPaying } from '../support/paying.ts'

let p: Paying
beforeAll(async () => void (p = await startPaying()))
afterAll(() => p.stop())

/** Whatever looks like an instant, with the place it stands at. */
function instants(value: unknown, path: string): [string, string][] {
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\d[T ]\d\d:/.test(value) ? [[path, value]] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => instants(inner, `${path}.${name}`))
}

it('every instant in every answer has milliseconds, no more and no less', async () => {
  const { guid: quote, version, serviceGuid } = await aSentQuote(p.app, p.actors.office, p.customer.guid)
  const invoice = await p.invoice(11_000)
  await p.app.call(p.actors.guest, 'POST', `/Service/Viewed/${serviceGuid}`)
  const paid = await p.byHand({ amountCents: 11_000, allocations: [{ invoiceGuid: invoice.guid, cents: 11_000 }] })
  await p.refund({ paymentGuid: paid.data.payment.guid, amountCents: 1000 })
  const guids: Record<string, string> = {
    Quotes: quote,
    Invoices: invoice.guid,
    Customers: p.customer.guid,
    Payments: paid.data.payment.guid,
    Users: p.actors.office.userGuid,
    Roles: p.actors.roles.Sales,
  }
  const seen: [string, string][] = []
  const look = (path: string, data: unknown) => seen.push(...instants(data, path))
  for (const { op } of operations.filter(
    ({ op: o }) => o.method === 'GET' && o.effect === 'read' && !o.produces && o.who === 'staff',
  )) {
    const path = op.path.replace(/:\w+/g, guids[op.path.split('/')[1] ?? ''] ?? quote)
    look(op.path, (await p.app.call(p.actors.administrator, 'GET', path)).data)
  }
  for (const path of [`/Service/Quotes/${serviceGuid}`, `/Service/Invoices/${invoice.link}`])
    look(path, (await p.app.call(p.actors.guest, 'GET', path)).data)
  // A record that is handed along with a refusal passes no schema.
  look(
    'stale',
    (await p.app.call(p.actors.office, 'POST', `/Quotes/Cancel/${quote}`, { version: version + 7, reason: 'x' })).data,
  )
  expect(seen.length).toBeGreaterThan(40)
  expect(new Set(seen.map(([path]) => path.split('.')[0])).has('stale')).toBe(true)
  expect(seen.filter(([, instant]) => !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(instant))).toEqual([])
})

/** Where an answer's schema has something other than a timestamp, or a time of day, under a name of an instant. */
function otherInstants(schema: unknown, path: string): string[] {
  if (!(schema instanceof z.ZodType) || schema === timestamp || schema === clock) return []
  const { innerType, element, options } = schema.def as { innerType?: unknown; element?: unknown; options?: unknown[] }
  const inside = [innerType, element, ...(options ?? [])].flatMap((inner) => otherInstants(inner, path))
  if (schema instanceof z.ZodObject)
    return [
      ...inside,
      ...Object.entries(schema.shape).flatMap(([name, field]) => otherInstants(field, `${path}.${name}`)),
    ]
  return schema instanceof z.ZodString && path.endsWith('At') ? [path] : inside
}

it('every instant of an answer is a timestamp in its schema', () => {
  expect(operations.flatMap(({ op }) => otherInstants(op.response, op.path))).toEqual([])
})
