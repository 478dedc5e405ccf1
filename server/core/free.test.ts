import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actors } from '../../test/support/actors.ts'
import { ok, startStaffed } from '../../test/support/factories.ts'
import type { Running } from '../../test/support/start.ts'

let app: Running
let people: Actors
let second: string
beforeAll(async () => {
  ;({ app, actors: people } = await startStaffed())
  const facts = { legalName: 'Second Pty Ltd', abn: '88666333000', gstRegistered: true, beganOn: '2020-07-01' }
  const made = await app.call<{ business: { guid: string } }>(people.administrator, 'POST', '/Businesses', facts)
  second = ok(made, 201).business.guid
})
afterAll(() => app.stop())

test.each([
  ['PriceLists', 'priceList', 'name', {}],
  ['RevenueStreams', 'stream', 'code', { name: 'Hire' }],
  ['Products', 'product', 'sku', { name: 'Marquee', priceCents: 78_000 }],
] as const)('%s are one each by what they are known by, in one catalogue and whatever the case', async (...row) => {
  const [noun, one, field, more] = row
  type Made = Record<string, { guid: string; version: number }>
  const { headers } = people.administrator
  const make = (text: string, business?: string) =>
    app.call<Made>(
      { headers: { ...headers, ...(business ? { 'x-business-guid': business } : {}) } },
      'POST',
      `/${noun}`,
      {
        ...more,
        [field]: text,
      },
    )
  const own = ok(await make('Schools'), 201)[one]
  const again = await make('SCHOOLS')
  expect([again.status, again.error, again.errors[0]?.path]).toEqual([409, 'ALREADY_EXISTS', field])
  ok(await make('schools', second), 201)
  const change = { version: own?.version, [field]: 'schools' }
  ok(await app.call(people.administrator, 'PATCH', `/${noun}/${own?.guid}`, change))
})
