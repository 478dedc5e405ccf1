import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AnyOrder } from '../../contract/orders.ts'
import { type Actors, aPersonWho } from '../../test/support/actors.ts'
import { aCustomer, aLine, ok, startStaffed } from '../../test/support/factories.ts'
import { type Caller, keyed, type Running } from '../../test/support/start.ts'
import { phrases } from '../core/i18n/phrases.ts'
import type { RenderData } from '../documents/document.ts'
import { head } from '../documents/pdf-head.ts'
import { accentsOf } from '../documents/pdf-sheet.ts'

let app: Running
let actors: Actors
let order: AnyOrder
beforeAll(async () => {
  ;({ app, actors } = await startStaffed())
  const { guid } = await aCustomer(app, actors.office)
  const lines = [
    aLine({ unitPriceCents: 77_131, quantity: '1' }),
    aLine({ name: 'Gate', quantity: '1', unitPriceCents: 33_517 }),
  ]
  order = ok(
    await app.call<{ order: AnyOrder }>(actors.office, 'POST', '/Orders', {
      customerGuid: guid,
      title: 'Priced fence',
      lines,
      assignedGuid: actors.field.userGuid,
    }),
    201,
  ).order
  ok(
    await app.call(actors.office, 'PATCH', `/Orders/${order.guid}`, {
      version: order.version,
      discount: { type: 'fixed', value: 1113 },
    }),
  )
})
afterAll(() => app.stop())

/** Prices, the discount, and what they come to. */
const amounts = /77,?131|771\.31|33,?517|335\.17|1113|11\.13|109,?535|1095\.35|120,?489|1204\.8/
/** Guids and instants hold every number sooner or later. */
const hasAmounts = (body: string) => amounts.test(body.replace(/[\da-f]{8}-[\da-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, ''))
const roads = () => [
  '/Orders',
  `/Orders/${order.guid}`,
  `/Orders/Timeline/${order.guid}`,
  '/Orders/Export',
  '/Orders/Metrics/StatusMetrics',
  '/Search?q=Priced',
  `/Customers/Timeline/${order.customerGuid}`,
]

it('who does the work sees the orders without any amount, on every road', async () => {
  for (const path of roads()) {
    const [office, field] = [await app.call(actors.office, 'GET', path), await app.call(actors.field, 'GET', path)]
    expect([path, office.status, field.status]).toEqual([path, 200, 200])
    expect([path, hasAmounts(office.body), hasAmounts(field.body)]).toEqual([path, true, false])
  }
  const seen = ok(await app.call<{ order: AnyOrder }>(actors.field, 'GET', `/Orders/${order.guid}`)).order
  expect(seen).toMatchObject({
    hasAmounts: false,
    title: 'Priced fence',
    lines: [{ name: 'Fence panels', quantity: '1' }, { name: 'Gate' }],
  })
  // The customer's page shows what it comes to, so its address is not for them either.
  expect(seen).not.toHaveProperty('serviceUrl')
  const moved = await app.call<{ order: AnyOrder }>(actors.field, 'POST', `/Orders/Status/${order.guid}`, {
    version: seen.version,
    deed: 'start',
  })
  expect([moved.status, hasAmounts(moved.body)]).toEqual([200, false])
  const late = await app.call(actors.field, 'POST', `/Orders/Status/${order.guid}`, {
    version: seen.version,
    deed: 'complete',
  })
  expect([late.status, late.error, hasAmounts(late.body)]).toEqual([409, 'STALE_VERSION', false])
})

it('amounts cannot be found out by searching or sorting', async () => {
  const total = '1204.89'
  for (const path of [`/Orders?search=${total}`, `/Orders/Export?search=${total}`, `/Search?q=${total}`]) {
    const found = [actors.office, actors.field].map(async (who) =>
      (await app.call(who, 'GET', path)).body.includes('Priced fence'),
    )
    expect([path, ...(await Promise.all(found))]).toEqual([path, true, false])
  }
  const sorted = await app.call(actors.field, 'GET', '/Orders?sort=-totalCents')
  expect([sorted.status, sorted.message]).toEqual([
    403,
    'You don’t have access to the amounts of orders, so you can’t sort by them.',
  ])
})

it('the PDF of who does the work says what is to be done, and no price', async () => {
  const drawn: Record<string, unknown>[] = []
  const render = app.deps.renderer.render.bind(app.deps.renderer)
  app.deps.renderer.render = (job) => {
    drawn.push(job.data)
    return render(job)
  }
  for (const who of [actors.office, actors.field])
    expect((await app.call(who, 'GET', `/Orders/Pdf/${order.guid}`)).body.slice(0, 4)).toBe('%PDF')
  expect(drawn.map((data) => data['hidesAmounts'])).toEqual([false, true])
  // Its head has the total for the office, and none for the crew.
  const t = phrases('documents', 'en')
  const [whole = '', work = ''] = drawn.map((data) => {
    const given = data as unknown as RenderData
    return JSON.stringify(head({ ...given, t, ...accentsOf(given.content.business), title: 'Order' }))
  })
  expect(whole).toContain(t('label.total'))
  expect(whole).toMatch(/\$\d/)
  expect(work).toContain('Priced fence')
  expect(work).not.toMatch(/\$\d/)
})

it('who does the work is told of no discount: it is none', async () => {
  const { guid } = ok(
    await app.call<{ order: AnyOrder }>(actors.office, 'POST', '/Orders', {
      customerGuid: order.customerGuid,
      title: 'Less',
      lines: [aLine({ name: 'Gate' }), aLine({ name: 'Returning customer', kind: 'discount', unitPriceCents: 1 })],
      assignedGuid: actors.field.userGuid,
    }),
    201,
  ).order
  const names = async (who: Caller) =>
    ok(await app.call<{ order: AnyOrder }>(who, 'GET', `/Orders/${guid}`)).order.lines.map(({ name }) => name)
  expect(await names(actors.office)).toEqual(['Gate', 'Returning customer'])
  expect(await names(actors.field)).toEqual(['Gate'])
})

it('screens that listen are told that an order changed, and nothing of it', async () => {
  const abort = new AbortController()
  const { body } = await fetch(`${await app.listen()}/api/v2/Live`, {
    headers: actors.field.headers,
    signal: abort.signal,
  })
  let heard = ''
  for await (const chunk of body ?? []) {
    heard += new TextDecoder().decode(chunk as Uint8Array)
    // Asked again until the one that listens to the database does so.
    if (!heard.includes('event: change'))
      await app.deps.db
        .updateTable('orders')
        .set({ customerReference: heard.length % 2 ? 'PO 1' : 'PO 2' })
        .where('guid', '=', order.guid)
        .execute()
    else break
  }
  abort.abort()
  expect(heard).toContain(`data: ${JSON.stringify({ noun: 'Orders', guid: order.guid })}\n`)
})

it('who may not see amounts changes words, and sets no prices', async () => {
  const foreman = await aPersonWho(app, 'foreman', [
    { subject: 'Orders', action: 'manage' },
    { subject: 'Orders:Amounts', action: 'read', inverted: true },
    { subject: 'Customers', action: 'read' },
  ])
  const { version } = ok(await app.call<{ order: AnyOrder }>(foreman, 'GET', `/Orders/${order.guid}`)).order
  const sentence = 'You don’t have access to the amounts of orders.'
  const refused: [Caller, string, string, unknown][] = [
    [foreman, 'PATCH', `/Orders/${order.guid}`, { version, lines: [aLine()] }],
    [foreman, 'PATCH', `/Orders/${order.guid}`, { version, discount: null }],
    [foreman, 'POST', '/Orders', { customerGuid: order.customerGuid, title: 'Mine', lines: [aLine()] }],
    [foreman, 'POST', `/Orders/Invoice/${order.guid}`, { version, kind: 'final' }],
  ]
  for (const [who, method, path, body] of refused) {
    const { status, message } = await app.call(who, method as 'POST', path, body, keyed())
    expect([path, status, message]).toEqual([path, 403, sentence])
  }
  expect(
    ok(
      await app.call<{ order: AnyOrder }>(foreman, 'PATCH', `/Orders/${order.guid}`, {
        version,
        internalNotes: 'Bring the long ladder',
      }),
    ).order,
  ).toMatchObject({ hasAmounts: false, internalNotes: 'Bring the long ladder' })
})
