import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Customer } from '../../contract/customers.ts'
import type { Actors } from '../../test/support/actors.ts'
import { aCustomer, aLine, ok, startStaffed } from '../../test/support/factories.ts'
import { keyed, type Running } from '../../test/support/start.ts'

let app: Running
let actors: Actors
let guid: string
beforeAll(async () => {
  ;({ app, actors } = await startStaffed())
  guid = (await aCustomer(app, actors.office, { displayName: 'Owing & Sons' })).guid
  // Whoever has an order of a customer to do is told of the customer.
  ok(
    await app.call(actors.office, 'POST', '/Orders', {
      customerGuid: guid,
      title: 'Fence',
      lines: [aLine()],
      assignedGuid: actors.field.userGuid,
    }),
    201,
  )
  const lines = [aLine({ quantity: '1', unitPriceCents: 70_110 })]
  const { invoice } = ok(
    await app.call<{ invoice: { guid: string; version: number } }>(actors.office, 'POST', '/Invoices', {
      customerGuid: guid,
      title: 'Gate',
      lines,
    }),
    201,
  )
  ok(await app.call(actors.office, 'POST', `/Invoices/Issue/${invoice.guid}`, { version: invoice.version }, keyed()))
})
afterAll(() => app.stop())

it('who does the work sees the customer without anything that is owed, on every road', async () => {
  const owed = /77,?121|771\.21/
  for (const path of ['/Customers', `/Customers/${guid}`, '/Customers/Export']) {
    const [office, field] = [await app.call(actors.office, 'GET', path), await app.call(actors.field, 'GET', path)]
    expect([path, office.status, field.status]).toEqual([path, 200, 200])
    expect([path, owed.test(office.body), owed.test(field.body)]).toEqual([path, true, false])
    expect([path, field.body.includes('Owing & Sons')]).toEqual([path, true])
  }
  for (const path of [`/Customers/Timeline/${guid}`, '/Search?q=Owing', '/Search?q=771.21'])
    expect([path, owed.test((await app.call(actors.field, 'GET', path)).body)]).toEqual([path, false])
  const { customer } = ok(await app.call<{ customer: Customer }>(actors.field, 'GET', `/Customers/${guid}`))
  expect(customer.money).toBeNull()
})

it('who owes cannot be found out by filtering', async () => {
  for (const path of ['/Customers?owing=any', '/Customers/Export?owing=overdue']) {
    const { status, message } = await app.call(actors.field, 'GET', path)
    expect([path, status, message]).toEqual([
      path,
      403,
      'You don’t have access to what customers owe, so you can’t filter by it.',
    ])
    expect((await app.call(actors.office, 'GET', path)).status).toBe(200)
  }
})
