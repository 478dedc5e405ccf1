import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnyOrder, Order } from '../../contract/orders.ts'
import type { Substatus } from '../../contract/substatuses.ts'
import { type Actors, aPersonWho } from '../../test/support/actors.ts'
import { aLine, ok, startBusiness } from '../../test/support/factories.ts'
import type { Caller, Running } from '../../test/support/start.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { profitOf } from './orders.costs.ts'

let app: Running
let actors: Actors
let office: Caller
let customerGuid: string
beforeAll(async () => {
  ;({ app, actors, customerGuid } = await startBusiness())
  office = actors.office
})
afterAll(() => app.stop())

type One = { order: Order }
const anOrder = async (facts: Record<string, unknown> = {}) =>
  ok(
    await app.call<One>(office, 'POST', '/Orders', { customerGuid, title: 'Site fence', lines: [aLine()], ...facts }),
    201,
  ).order
const read = async (guid: string, who: Caller = office) => ok(await app.call<One>(who, 'GET', `/Orders/${guid}`)).order
const doTo = async (what: string, guid: string, body: Record<string, unknown>, who: Caller = office) =>
  app.call<One>(who, 'POST', `/Orders/${what}/${guid}`, { version: (await read(guid)).version, ...body })
const deed = (guid: string, name: string) => doTo('Status', guid, { deed: name })

describe('a sub-status', () => {
  const make = async (facts: Record<string, unknown>, who: Caller = office) =>
    app.call<{ substatus: Substatus }>(who, 'POST', '/Orders/Substatuses', facts)
  const made = async (label: string, core = 'confirmed') =>
    ok(await make({ core, label, colour: 'teal' }), 201).substatus

  it('is one label per status, changed but for its status, and archived', async () => {
    const parts = await made('Waiting for parts')
    expect(parts).toMatchObject({ core: 'confirmed', label: 'Waiting for parts', colour: 'teal', orderCount: 0 })
    const again = await make({ core: 'confirmed', label: 'waiting FOR parts' })
    expect([again.status, again.errors[0]?.path]).toEqual([409, 'label'])
    expect((await make({ core: 'on_hold', label: 'Waiting for parts' })).status).toBe(201)
    expect((await make({ core: 'nowhere', label: 'x' })).status).toBe(422)
    expect((await make({ core: 'draft', label: 'x', colour: '#123456' })).status).toBe(422)
    const path = `/Orders/Substatuses/${parts.guid}`
    const changed = await app.call<{ substatus: Substatus }>(office, 'PATCH', path, { version: 1, colour: 'red' })
    expect(ok(changed).substatus).toMatchObject({ colour: 'red', version: 2 })
    expect((await app.call(office, 'PATCH', path, { version: 1, label: 'x' })).error).toBe('STALE_VERSION')
    expect((await app.call(office, 'PATCH', path, { version: 2, core: 'draft' })).status).toBe(400)
    ok(await app.call(office, 'DELETE', path))
    await made('Waiting for parts')
    const back = await app.call(office, 'POST', `/Orders/Substatuses/Restore/${parts.guid}`)
    expect([back.status, back.errors[0]?.path]).toEqual([409, 'label'])
  })

  it('is made by those who keep orders, and read by those who read them', async () => {
    expect((await make({ core: 'draft', label: 'Sales' }, actors.sales)).status).toBe(403)
    const listed = await app.call<{ items: Substatus[] }>(actors.sales, 'GET', '/Orders/Substatuses?core=confirmed')
    expect(ok(listed).items.every(({ core }) => core === 'confirmed')).toBe(true)
    expect((await app.call(actors.emptyRole, 'GET', '/Orders/Substatuses')).status).toBe(403)
  })

  it('is chosen freely within its status, and cleared when the order leaves that', async () => {
    const [one, two, held] = [await made('Booked'), await made('Rostered'), await made('No access', 'on_hold')]
    const { guid } = await anOrder({ title: 'Sub-statused' })
    for (const chosen of [one, two])
      expect(ok(await doTo('Substatus', guid, { substatusGuid: chosen.guid })).order.substatus).toEqual({
        guid: chosen.guid,
        label: chosen.label,
        colour: 'teal',
      })
    const wrong = await doTo('Substatus', guid, { substatusGuid: held.guid })
    expect([wrong.status, wrong.errors[0]?.path]).toEqual([422, 'substatusGuid'])
    const listed = async () =>
      ok(
        await app.call<{ items: { title: string; substatus: unknown }[] }>(
          office,
          'GET',
          `/Orders?substatusGuid=${two.guid}`,
        ),
      ).items
    expect(await listed()).toMatchObject([{ title: 'Sub-statused', substatus: { label: 'Rostered' } }])
    expect(ok(await deed(guid, 'hold')).order.substatus).toBeNull()
    expect(await listed()).toEqual([])
    expect(ok(await doTo('Substatus', guid, { substatusGuid: held.guid })).order.substatus?.label).toBe('No access')
    expect(ok(await doTo('Substatus', guid, { substatusGuid: null })).order.substatus).toBeNull()
    ok(await app.call(office, 'DELETE', `/Orders/Substatuses/${held.guid}`))
    expect((await doTo('Substatus', guid, { substatusGuid: held.guid })).status).toBe(422)
    expect((await doTo('Substatus', guid, { substatusGuid: null }, actors.field)).status).toBe(403)
    const stale = await app.call(office, 'POST', `/Orders/Substatus/${guid}`, { version: 1, substatusGuid: null })
    expect(stale.error).toBe('STALE_VERSION')
  })

  it('never stands beside another status, whoever writes', async () => {
    const booked = await made('Only confirmed')
    const { guid } = await anOrder()
    await expect(
      sql`update orders set status = 'in_progress', substatus_guid = ${booked.guid}::uuid
        where guid = ${guid}::uuid`.execute(app.deps.db),
    ).rejects.toThrow('orders_substatus')
  })
})

describe('the people of an order', () => {
  const crewOf = (lead: string | null, ...crew: string[]) => ({
    people: [
      ...(lead ? [{ userGuid: lead, role: 'lead' }] : []),
      ...crew.map((userGuid) => ({ userGuid, role: 'crew' })),
    ],
  })

  it('are one lead and the crew, each once, all of them active', async () => {
    const { guid } = await anOrder()
    const { field, sales } = actors
    const { order } = ok(await doTo('People', guid, crewOf(sales.userGuid, field.userGuid)))
    expect([order.assigned?.guid, order.crew.map((person) => person.guid)]).toEqual([sales.userGuid, [field.userGuid]])
    expect((await doTo('People', guid, crewOf(field.userGuid, field.userGuid))).status).toBe(422)
    const leads = [field, sales].map(({ userGuid }) => ({ userGuid, role: 'lead' }))
    expect((await doTo('People', guid, { people: leads })).status).toBe(422)
    const unknown = await doTo('People', guid, crewOf(null, customerGuid))
    expect([unknown.status, unknown.errors[0]?.path]).toEqual([422, 'people.0.userGuid'])
    expect((await doTo('People', guid, crewOf(null), actors.field)).status).toBe(403)
    const swapped = ok(await doTo('People', guid, crewOf(field.userGuid, sales.userGuid))).order
    expect([swapped.assigned?.guid, swapped.crew[0]?.guid]).toEqual([field.userGuid, sales.userGuid])
    const none = ok(await doTo('People', guid, crewOf(null))).order
    expect([none.assigned, none.crew]).toEqual([null, []])
  })

  it('see it as its lead does, on every road, and no longer than they work on it', async () => {
    const title = 'Crewed fence'
    const order = await anOrder({ title, assignedGuid: actors.sales.userGuid })
    const { field } = actors
    const roads = [
      `/Orders?search=${encodeURIComponent(title)}`,
      `/Orders?personGuid=${field.userGuid}`,
      `/Search?q=${encodeURIComponent(title)}`,
      '/Orders/Export',
      `/Customers/Timeline/${customerGuid}`,
    ]
    const tells = async () =>
      Promise.all(roads.map(async (path) => (await app.call(field, 'GET', path)).body.includes(order.number)))
    const opens = async () =>
      (
        await Promise.all(
          [`/Orders/${order.guid}`, `/Orders/Timeline/${order.guid}`, `/Customers/${customerGuid}`].map((path) =>
            app.call(field, 'GET', path),
          ),
        )
      ).map(({ status }) => status)
    expect([await tells(), (await opens()).slice(0, 2)]).toEqual([roads.map(() => false), [404, 404]])
    ok(await doTo('People', order.guid, crewOf(actors.sales.userGuid, field.userGuid)))
    expect([await tells(), await opens()]).toEqual([roads.map(() => true), [200, 200, 200]])
    const own = await app.call(field, 'GET', '/Auth/Documents')
    if (own.status === 200) expect(own.body).toContain(order.number)
    const tiles = ok(
      await app.call<{ items: { status: string; count: number }[] }>(field, 'GET', '/Orders/Metrics/StatusMetrics'),
    ).items
    expect(tiles.find(({ status }) => status === 'confirmed')?.count).toBe(1)
    expect((await doTo('Status', order.guid, { deed: 'start' }, field)).status).toBe(200)
    ok(await doTo('People', order.guid, crewOf(actors.sales.userGuid)))
    expect([await tells(), (await opens()).slice(0, 2)]).toEqual([roads.map(() => false), [404, 404]])
  })

  it('are kept away by a deny of what is assigned to them, along as well as ahead', async () => {
    const denied = await aPersonWho(app, 'along', [
      { subject: 'Orders', action: 'read' },
      { subject: 'Orders', action: 'read', conditions: { scope: 'assigned' }, inverted: true, priority: 10 },
    ])
    const { guid } = await anOrder()
    expect((await app.call(denied, 'GET', `/Orders/${guid}`)).status).toBe(200)
    ok(await doTo('People', guid, crewOf(null, denied.userGuid)))
    expect((await app.call(denied, 'GET', `/Orders/${guid}`)).status).toBe(404)
  })
})

describe('the checklist', () => {
  const aJob = async () =>
    ok(
      await app.call<{ jobType: { guid: string; version: number } }>(office, 'POST', '/JobTypes', {
        name: `Fence ${Math.random()}`,
        checklist: [
          { code: 'gas', label: 'Gas off', required: true },
          { code: 'photo', label: 'Photo taken' },
        ],
      }),
      201,
    ).jobType

  it('is that of the job type when the order was made, and ticked by its crew without changing the order', async () => {
    const jobType = await aJob()
    const order = await anOrder({ jobTypeGuid: jobType.guid, assignedGuid: actors.field.userGuid })
    expect(order.checks.map(({ code, isRequired, isDone }) => [code, isRequired, isDone])).toEqual([
      ['gas', true, false],
      ['photo', false, false],
    ])
    ok(
      await app.call(office, 'PATCH', `/JobTypes/${jobType.guid}`, {
        version: jobType.version,
        checklist: [{ code: 'new', label: 'New' }],
      }),
    )
    const { field } = actors
    const { version } = order
    const tick = (code: string, isDone: boolean, who: Caller = field) =>
      app.call<One>(who, 'POST', `/Orders/Check/${order.guid}`, { version, code, isDone })
    const both = await Promise.all([tick('gas', true), tick('photo', true)])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    const ticked = await read(order.guid)
    expect([ticked.version, ticked.checks.every(({ isDone }) => isDone)]).toEqual([version, true])
    expect(ticked.checks[0]?.doneBy).toBeTruthy()
    expect(ok(await tick('gas', false)).order.checks[0]).toMatchObject({ isDone: false, doneAt: null, doneBy: null })
    expect((await tick('new', true)).errors[0]?.path).toBe('code')
    expect((await tick('gas', true, actors.sales)).status).toBe(403)
    const other = await anOrder({ jobTypeGuid: jobType.guid })
    const foreign = await app.call(field, 'POST', `/Orders/Check/${other.guid}`, {
      version: 1,
      code: 'new',
      isDone: true,
    })
    expect(foreign.status).toBe(404)
    ok(await app.call(office, 'PATCH', `/Orders/${order.guid}`, { version, title: 'Changed' }))
    expect((await tick('gas', true)).error).toBe('STALE_VERSION')
    ok(await deed(order.guid, 'cancel'))
    expect((await doTo('Check', order.guid, { code: 'gas', isDone: true })).error).toBe('INVALID_TRANSITION')
  })
})

describe('costs and profit', () => {
  it('come off what was ordered without GST, line by line half up', () => {
    const line = { kind: 'item' as const }
    expect(
      profitOf(
        100_000,
        [
          { ...line, quantity: '1.5', costCents: 333 },
          { ...line, quantity: '0.5', costCents: 1 },
          { ...line, quantity: '4', costCents: null },
          { kind: 'bundle', quantity: '2', costCents: 9999 },
        ],
        [{ cents: 12_345 }, { cents: -45 }],
      ),
    ).toBe(100_000 - 500 - 1 - 12_300)
  })

  it('are only ever added, by those with the right, and told to those who see costs', async () => {
    const { product } = ok(
      await app.call<{ product: { guid: string } }>(office, 'POST', '/Products', {
        name: `Panel ${Math.random()}`,
        kind: 'goods',
        unit: 'each',
        priceCents: 10_000,
        costCents: 6333,
      }),
      201,
    )
    const lines = [{ name: 'Panel', productGuid: product.guid, quantity: '1.5', unitPriceCents: 10_000 }]
    const { guid } = await anOrder({ lines })
    expect((await read(guid)).profitCents).toBe(15_000 - 9500)
    const add = (body: Record<string, unknown>, who: Caller = office) =>
      app.call<One>(who, 'POST', `/Orders/Costs/${guid}`, { on: '2026-03-01', text: 'Skip', cents: 2500, ...body })
    const { order } = ok(await add({}), 201)
    expect([order.profitCents, order.costs]).toMatchObject([3000, [{ text: 'Skip', cents: 2500, on: '2026-03-01' }]])
    expect(ok(await add({ text: 'Skip was cheaper', cents: -500 }), 201).order.profitCents).toBe(3500)
    for (const bad of [{ cents: 0 }, { cents: 1.5 }, { text: '' }, { on: '2026-02-30' }])
      expect([bad, (await add(bad)).status]).toEqual([bad, 422])
    expect((await add({}, actors.sales)).status).toBe(403)
    for (const who of [actors.sales, actors.readOnly])
      expect(await read(guid, who)).toMatchObject({ costs: null, profitCents: null })
    const seen = await app.call<{ order: AnyOrder }>(actors.field, 'GET', `/Orders/${guid}`)
    expect(seen.status).toBe(404)
    expect((await app.call(office, 'GET', '/Orders?sort=profitCents')).status).toBe(400)
    for (const change of [sql`update order_costs set cents = 1`, sql`delete from order_costs`])
      await expect(change.execute(app.deps.db)).rejects.toThrow()
    expect((await verifyLedger(app.deps.db)).problems).toEqual([])
  })
})

describe('notes', () => {
  it('are written by whoever works on the order, read by all who see it, and stay as they are', async () => {
    const { guid, version } = await anOrder()
    const write = (text: string, who: Caller = office) => app.call<One>(who, 'POST', `/Orders/Notes/${guid}`, { text })
    // The crew writes on what it is on, and on nothing else.
    expect((await write('Gate code 4471', actors.field)).status).toBe(404)
    const userGuid = actors.field.userGuid
    ok(await doTo('People', guid, { people: [{ userGuid, role: 'crew' }] }))
    expect(ok(await write('Gate code 4471', actors.field), 201).order.notes).toMatchObject([{ text: 'Gate code 4471' }])
    ok(await write('Two panels are bent.'), 201)
    const { notes } = await read(guid, actors.readOnly)
    expect(notes.map(({ text }) => text)).toEqual(['Two panels are bent.', 'Gate code 4471'])
    expect(notes[1]?.byName).toBeTruthy()
    expect((await read(guid)).version).toBe(version + 1)
    for (const bad of ['', '   ', 'x'.repeat(4001)]) expect((await write(bad)).status).toBe(422)
    expect((await write('Mine', actors.readOnly)).status).toBe(403)
    for (const change of [sql`update order_notes set body = 'x'`, sql`delete from order_notes`])
      await expect(change.execute(app.deps.db)).rejects.toThrow()
    const told = ok(
      await app.call<{ items: { what: string }[] }>(office, 'GET', `/Orders/Timeline/${guid}`),
    ).items.filter(({ what }) => what === 'order.noted')
    expect(told).toHaveLength(2)
  })
})
