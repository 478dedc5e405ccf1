import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ActionEffect, ActionRun } from '../../contract/actions.ts'
import { type Actor, type Actors, aPersonWho, logIn } from '../../test/support/actors.ts'
import { aCustomer, aLine, aSecondApp, many, ok, startStaffed } from '../../test/support/factories.ts'
import type { Caller, Running } from '../../test/support/start.ts'
import { newGuid } from '../core/guid.ts'
import { newHold, writeHold } from '../core/hold.ts'
import { inTransaction, openCtx, systemRun } from '../core/run.ts'
import { takeEvents } from '../events/taking.service.ts'
import { processQueue } from '../messages/messages.queue.ts'
import { beginRuns } from './engine.ts'
import { runDue, stepRun } from './running.ts'

let app: Running
let actors: Actors
let office: Actor
let admin: Actor
/** A Wednesday, ten in the morning in Sydney. */
let clock = new Date('2026-07-01T00:00:00Z')
beforeAll(async () => {
  ;({ app, actors } = await startStaffed({ now: () => clock }))
  office = actors.office
  admin = actors.administrator
})
afterAll(() => app.stop())
beforeEach(async () => {
  await work()
  await app.deps.db.updateTable('actions').set({ status: 'draft', pausedReason: null }).execute()
})

/** Logins end meanwhile. */
async function later(minutes: number) {
  clock = new Date(clock.getTime() + minutes * 60_000)
  for (const actor of [office, admin]) actor.headers = await logIn(app, actor.authId)
}
const take = (deps = app.deps) => takeEvents({ deps, log: deps.log }, () => true, beginRuns)
const run = (deps = app.deps) => runDue({ deps }, () => true)
/** Until nothing follows any more. */
async function work() {
  for (let round = 0; round < 12; round++) {
    await take()
    await run()
  }
}

const told = { type: 'notify', to: 'recordOwner', text: 'Look at this.' } as const satisfies ActionEffect
let made = 0
interface Made {
  guid: string
  version: number
  status: string
  pausedReason: string | null
}
async function anAction(eventKey: string, facts: Record<string, unknown> = {}, who: Caller = admin): Promise<Made> {
  const body = { name: `Action ${++made}`, eventKey, effects: [told], ...facts }
  const { action } = ok(await app.call<{ action: Made }>(who, 'POST', '/Events/Actions', body), 201)
  return does(action, 'activate', who)
}
const does = async ({ guid }: Pick<Made, 'guid'>, deed: 'activate' | 'pause', who: Caller = admin) => {
  const { version } = await now(guid)
  const path = `/Events/Actions/Status/${guid}`
  return ok(await app.call<{ action: Made }>(who, 'POST', path, { version, deed })).action
}
const now = async (guid: string) => ok(await app.call<{ action: Made }>(admin, 'GET', `/Events/Actions/${guid}`)).action
const runsOf = async ({ guid }: Pick<Made, 'guid'>) =>
  ok(await app.call<{ items: ActionRun[] }>(admin, 'GET', `/Events/Actions/Runs?action=${guid}&sort=at&size=100`)).items
const saying = async (action: Pick<Made, 'guid'>) =>
  (await runsOf(action)).map(({ state, reason }) => (reason ? `${state} ${reason}` : state))

interface OrderRow {
  guid: string
  version: number
  status: string
  number: string
}
async function anOrder(facts: Record<string, unknown> = {}, who: Caller = office): Promise<OrderRow> {
  const { guid: customerGuid } = await aCustomer(app, who, facts)
  const body = { customerGuid, title: 'Deck', lines: [aLine()] }
  const { order } = ok(await app.call<{ order: OrderRow }>(who, 'POST', '/Orders', body), 201)
  await work()
  return order
}
async function moves({ guid }: Pick<OrderRow, 'guid'>, deed: string, who: Caller = office) {
  const { order } = ok(await app.call<{ order: OrderRow }>(who, 'GET', `/Orders/${guid}`))
  ok(await app.call(who, 'POST', `/Orders/Status/${guid}`, { version: order.version, deed }))
}
const statusOf = async ({ guid }: Pick<OrderRow, 'guid'>) =>
  (await app.deps.db.selectFrom('orders').select('status').where('guid', '=', guid).executeTakeFirstOrThrow()).status
const tagsOf = async ({ guid }: Pick<OrderRow, 'guid'>) =>
  (await app.deps.db.selectFrom('recordTags').select('tag').where('recordGuid', '=', guid).execute()).map(
    ({ tag }) => tag,
  )
const eventsOf = ({ guid }: Pick<OrderRow, 'guid'>) =>
  app.deps.db
    .selectFrom('events')
    .select(['guid', 'key', 'depth', 'rootGuid', 'byGuid'])
    .where('recordGuid', '=', guid)
    .orderBy('guid')
    .execute()
const aTag = (...add: string[]): ActionEffect => ({ type: 'tag', add, remove: [] })
const moving = (deed: string) => ({ effects: [{ type: 'transition', deed }] })

describe('guards', () => {
  it('let two actions that call each other run once each, and stop there', async () => {
    const order = await anOrder()
    const starts = await anAction('order.held', moving('start'))
    const holds = await anAction('order.started', moving('hold'))
    await moves(order, 'hold')
    await work()
    expect(await saying(starts)).toEqual(['done', 'skipped loop'])
    expect(await saying(holds)).toEqual(['done'])
    const [held, started, again] = (await eventsOf(order)).slice(-3)
    expect([held, started, again].map((event) => [event?.key, event?.depth])).toEqual([
      ['order.held', 0],
      ['order.started', 1],
      ['order.held', 2],
    ])
    expect([started?.rootGuid, again?.rootGuid]).toEqual([held?.guid, held?.guid])
    interface Shown {
      event: { runs: ActionRun[] }
      chain: { guid: string; depth: number; started: number }[]
    }
    const shown = ok(await app.call<Shown>(admin, 'GET', `/Events/${again?.guid}`))
    expect(shown.chain.map(({ guid, depth, started: begun }) => [guid, depth, begun])).toEqual([
      [held?.guid, 0, 1],
      [started?.guid, 1, 1],
      [again?.guid, 2, 0],
    ])
    expect(shown.event.runs).toMatchObject([{ action: { guid: starts.guid }, state: 'skipped', reason: 'loop' }])
    // Done in the name of whoever owns the action.
    expect(started?.byGuid).toBe(admin.userGuid)
    expect(await statusOf(order)).toBe('on_hold')
  })

  it('let three actions follow from each other, and no fourth from those', async () => {
    const order = await anOrder()
    const after = (name: string) => ({ conditions: { path: 'reason', is: 'equals', value: name } })
    const own = { path: 'reason', is: 'isEmpty' }
    const names = ['a', 'b', 'c', 'd'].map((name) => `${name} of ${++made}`)
    const chain = [
      await anAction('order.held', { name: names[0], conditions: own, ...moving('start') }),
      await anAction('order.started', { name: names[1], ...after(names[0] ?? ''), ...moving('hold') }),
      await anAction('order.held', { name: names[2], ...after(names[1] ?? ''), ...moving('start') }),
      await anAction('order.started', { name: names[3], ...after(names[2] ?? ''), ...moving('hold') }),
    ]
    const last = await anAction('order.held', after(names[3] ?? ''))
    await moves(order, 'hold')
    await work()
    for (const action of chain) expect(await saying(action)).toContain('done')
    // A condition is asked after the guards before it.
    expect(await saying(last)).toEqual(['skipped not_met', 'skipped not_met', 'skipped too_deep'])
  })

  it('run an action three times a day for a record, by the clocks of the business', async () => {
    const order = await anOrder()
    const action = await anAction('order.held')
    for (let time = 0; time < 4; time++) {
      await later(1)
      await moves(order, 'hold')
      await moves(order, 'start')
      await work()
    }
    expect(await saying(action)).toEqual(['done', 'done', 'done', 'skipped too_many'])
    await later(14 * 60)
    await moves(order, 'hold')
    await work()
    expect((await saying(action)).at(-1)).toBe('done')
  })

  it('turn an action off that runs away: two hundred in an hour, and no more', async () => {
    const action = await anAction('customer.blocked')
    const happens = (count: number) =>
      inTransaction(systemRun(app.deps, 'test'), async (ctx) => {
        for (let one = 0; one < count; one++)
          ctx.audit({ action: 'customer.blocked', entity: 'Customers', guid: newGuid() })
      })
    await happens(202)
    await take()
    const states = await app.deps.db
      .selectFrom('actionRuns')
      .select(['state', 'reason'])
      .where('actionGuid', '=', action.guid)
      .orderBy('guid')
      .execute()
    expect(states).toHaveLength(201)
    expect(states.filter(({ state }) => state === 'waiting')).toHaveLength(200)
    expect(states.at(-1)).toEqual({ state: 'skipped', reason: 'runaway' })
    expect(await now(action.guid)).toMatchObject({ status: 'paused', pausedReason: 'runaway' })
  })

  it('ask conditions of what is known, once more when the delay is over', async () => {
    const action = await anAction('order.held', {
      delayMinutes: 60,
      conditions: { path: 'order.title', is: 'equals', value: 'deck' },
    })
    const [kept, renamed] = [await anOrder(), await anOrder()]
    await moves(kept, 'hold')
    await moves(renamed, 'hold')
    await work()
    expect(await saying(action)).toEqual(['waiting', 'waiting'])
    await app.deps.db.updateTable('orders').set({ title: 'Patio' }).where('guid', '=', renamed.guid).execute()
    await later(59)
    await work()
    expect(await saying(action)).toEqual(['waiting', 'waiting'])
    await later(1)
    await work()
    expect((await saying(action)).toSorted()).toEqual(['done', 'skipped not_met'])
    const [skipped] = (await runsOf(action)).filter(({ state }) => state === 'skipped')
    expect(skipped?.trace).toMatchObject([{ what: 'conditions', ok: false }])
  })

  it('turn an action off whose owner may not do it any more', async () => {
    const foreman = await aPersonWho(app, `foreman${++made}`, [
      { action: 'manage', subject: 'Events' },
      { action: 'manage', subject: 'Orders' },
    ])
    const action = await anAction('order.held', { delayMinutes: 1, ...moving('start') }, foreman)
    const [order, other] = [await anOrder(), await anOrder()]
    await moves(order, 'hold')
    await take()
    await app.deps.db.updateTable('users').set({ status: 'suspended' }).where('guid', '=', foreman.userGuid).execute()
    await later(1)
    await run()
    expect(await saying(action)).toEqual(['skipped owner'])
    expect(await now(action.guid)).toMatchObject({ status: 'paused', pausedReason: 'owner' })
    await moves(other, 'hold')
    await work()
    expect(await saying(action)).toEqual(['skipped owner'])
    expect(await statusOf(order)).toBe('on_hold')
  })

  it('count a replay like any other run, as the beginning of a chain of its own', async () => {
    const order = await anOrder()
    const starts = await anAction('order.held', moving('start'))
    await moves(order, 'hold')
    await work()
    await moves(order, 'hold')
    await work()
    const [held] = (await eventsOf(order)).filter(({ key }) => key === 'order.held')
    const again = () => app.call(admin, 'POST', `/Events/Actions/Replay/${starts.guid}`, { eventGuids: [held?.guid] })
    await moves(order, 'hold')
    ok(await again())
    ok(await again())
    await work()
    // The third run of the day held the order; the replay that was first did so, and the others were too many.
    const said = await saying(starts)
    expect(said.filter((one) => one === 'skipped too_many').length).toBeGreaterThan(0)
    expect(said.filter((one) => one === 'done')).toHaveLength(3)
    const replayed = (await runsOf(starts)).filter(({ replay }) => replay > 0)
    expect(replayed.map(({ replay }) => replay)).toEqual([1, 2])
    const roots = await app.deps.db
      .selectFrom('actionRuns')
      .select('rootGuid')
      .distinct()
      .where('actionGuid', '=', starts.guid)
      .where('eventGuid', '=', held?.guid ?? '')
      .execute()
    expect(roots).toHaveLength(3)
  })

  it('keep an action to what happens in its business', async () => {
    const facts = { legalName: `Other ${++made} Pty Ltd`, abn: '83914571673', beganOn: '2020-07-01' }
    const { business } = ok(await app.call<{ business: { guid: string } }>(admin, 'POST', '/Businesses', facts), 201)
    const action = await anAction('customer.created')
    const there: Caller = { headers: { ...admin.headers, 'x-business-guid': business.guid } }
    await aCustomer(app, there)
    const { guid } = await aCustomer(app, admin)
    await work()
    expect((await runsOf(action)).map(({ record }) => record.guid)).toEqual([guid])
  })

  it('pass over what happened before an action was turned on', async () => {
    const order = await anOrder()
    await moves(order, 'hold')
    await later(1)
    const action = await anAction('order.held')
    await work()
    expect(await saying(action)).toEqual([])
  })
})

describe('effects', () => {
  it('tag the record, tell people what they may read, and move it on, in order', async () => {
    const action = await anAction('order.held', {
      effects: [
        aTag('Waits'),
        { type: 'notify', to: { userGuid: admin.userGuid }, text: '<b>Held</b>' },
        told,
        moving('cancel').effects[0],
      ],
    })
    const order = await anOrder()
    await moves(order, 'hold')
    await work()
    const [done] = await runsOf(action)
    expect(done).toMatchObject({ state: 'done', record: { guid: order.guid } })
    expect(done?.trace.map(({ index, ok: isOk, said }) => [index, isOk, said])).toEqual([
      [0, true, 'Waits'],
      [1, true, 'administrator'],
      [2, true, 'office'],
      [3, true, ''],
    ])
    expect(await tagsOf(order)).toEqual(['Waits'])
    expect(await statusOf(order)).toBe('cancelled')
    // Whoever reads actions, but no orders, is told of neither the order nor of whom was told.
    const clerk = await aPersonWho(app, `clerk${++made}`, [{ action: 'read', subject: 'Events' }])
    const path = `/Events/Actions/Runs?action=${action.guid}`
    const [bare] = ok(await app.call<{ items: ActionRun[] }>(clerk, 'GET', path)).items
    expect(bare).toMatchObject({ state: 'done', record: { label: '' } })
    expect(bare?.trace.map(({ said }) => said)).toEqual(['', '', '', ''])
    const { rows } = await notices(order.guid)
    expect(rows.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))).toEqual([
      { kind: 'action.told', noun: 'Orders', values: { text: '<b>Held</b>', record: order.number } },
      { kind: 'action.told', noun: 'Orders', values: { text: 'Look at this.', record: order.number } },
    ])
  })

  const notices = async (recordGuid: string) => {
    const jobs = await app.deps.boss.fetch('notifications.spread', { batchSize: 500 })
    const data = (jobs ?? []).map((job) => job.data as Record<string, unknown>)
    return {
      rows: data
        .filter((one) => one['recordGuid'] === recordGuid && one['kind'] === 'action.told')
        .map(({ kind, noun, values }) => ({ kind, noun, values })),
    }
  }

  const aTemplate = async (kind: string) =>
    (
      await app.deps.db
        .selectFrom('templates')
        .select('guid')
        .where('kind', '=', kind as 'order')
        .where('status', '=', 'active')
        .executeTakeFirstOrThrow()
    ).guid

  it('send a message by its template, whose events go on with the chain', async () => {
    const mail = { type: 'message', templateGuid: await aTemplate('order'), to: 'customer', attachDocument: true }
    clock = new Date('2026-07-08T10:00:00Z')
    await later(0)
    const action = await anAction('order.held', { effects: [mail] })
    const onSent = await anAction('message.sent')
    const order = await anOrder({ displayName: '{{ 7 | times: 6 }} <i>Pty</i>', email: 'jo@ruled.example' })
    await moves(order, 'hold')
    await work()
    const [done] = await runsOf(action)
    expect(done?.trace).toMatchObject([{ ok: true, said: 'jo@ruled.example' }])
    const message = await app.deps.db
      .selectFrom('messages')
      .selectAll()
      .where('runGuid', '=', done?.guid ?? '')
      .executeTakeFirstOrThrow()
    expect(message).toMatchObject({
      status: 'queued',
      isAutomatic: true,
      ownerType: 'order',
      ownerGuid: order.guid,
      template: 'order',
    })
    expect(message.attachments).toHaveLength(1)
    const leaves = () => processQueue(openCtx(systemRun(app.deps, 'test')), () => true)
    // It waits until the morning, as what no person sends does.
    await leaves()
    expect(await eventsOf(message)).toEqual([])
    await later(11 * 60 + 30)
    await leaves()
    const [sent] = await eventsOf(message)
    const [held] = (await eventsOf(order)).slice(-1)
    expect(sent).toMatchObject({ key: 'message.sent', depth: 1, rootGuid: held?.guid })
    await work()
    expect(await saying(onSent)).toEqual(['done'])
  })

  it('hand the event to a webhook, without amounts that are not for the owner', async () => {
    const foreman = await aPersonWho(app, `foreman${++made}`, [
      { action: 'manage', subject: 'Events' },
      { action: 'manage', subject: 'Orders' },
      { action: 'read', subject: 'Orders:Amounts', inverted: true, priority: 10 },
    ])
    const hook = { name: `Hook ${++made}`, url: 'https://hooks.example/in', status: 'active' }
    const { webhook } = ok(await app.call<{ webhook: { guid: string } }>(admin, 'POST', '/Webhooks', hook), 201)
    const effects = [{ type: 'webhook', webhookGuid: webhook.guid }]
    const action = await anAction('order.held', { effects }, foreman)
    const order = await anOrder()
    await moves(order, 'hold')
    await work()
    expect(await saying(action)).toEqual(['done'])
    const sent = await app.deps.db
      .selectFrom('webhookDeliveries')
      .selectAll()
      .where('webhookGuid', '=', webhook.guid)
      .execute()
    const [held] = (await eventsOf(order)).slice(-1)
    expect(sent.map(({ eventGuid }) => eventGuid)).toEqual([held?.guid])
    const body = JSON.parse(sent[0]?.body ?? '') as Record<string, unknown>
    expect(body).toMatchObject({
      ...{ id: held?.guid, event: 'order.held', record: { noun: 'Orders', guid: order.guid } },
      facts: { order: { title: 'Deck' } },
    })
    expect(sent[0]?.body).not.toMatch(/27_?500|otalCents|"total"/)
    const unknown = { ...hook, eventKey: 'order.held', effects: [{ type: 'webhook', webhookGuid: newGuid() }] }
    const { url: _url, status: _status, ...wrong } = unknown
    expect((await app.call(admin, 'POST', '/Events/Actions', wrong)).errors[0]?.path).toBe('effects.0.webhookGuid')
  })

  it('that fail are tried after 1, 5 and 30 minutes, and what is done is not done again', async () => {
    const mail = { type: 'message', templateGuid: await aTemplate('order'), to: 'billing', attachDocument: false }
    const action = await anAction('order.held', { effects: [aTag('Once'), mail, aTag('Never')] })
    const order = await anOrder({ email: null })
    await moves(order, 'hold')
    await work()
    for (const minutes of [1, 5, 30]) {
      await later(minutes - 1)
      await work()
      const [waiting] = await runsOf(action)
      expect(waiting).toMatchObject({ state: 'waiting' })
      await later(1)
      await work()
    }
    const [failed] = await runsOf(action)
    const reason = 'This customer has no email address. Enter one, or add it to the customer.'
    expect(failed).toMatchObject({ state: 'failed', reason })
    expect(failed?.trace.map(({ index, ok: isOk }) => [index, isOk])).toEqual([
      [0, true],
      ...Array.from({ length: 4 }, () => [1, false]),
    ])
    expect(await tagsOf(order)).toEqual(['Once'])
    await later(1000)
    await work()
    expect(await saying(action)).toEqual([`failed ${reason}`])
  })

  it('that are refused fail at once, and five runs in a row turn the action off', async () => {
    const action = await anAction('order.held', moving('reopen'))
    const orders = [await anOrder(), await anOrder(), await anOrder(), await anOrder(), await anOrder()]
    for (const order of orders.slice(0, 4)) await moves(order, 'hold')
    await work()
    expect((await runsOf(action)).map(({ state }) => state)).toEqual(Array.from({ length: 4 }, () => 'failed'))
    expect((await now(action.guid)).status).toBe('active')
    await moves(orders[4] ?? { guid: '' }, 'hold')
    await work()
    expect(await now(action.guid)).toMatchObject({ status: 'paused', pausedReason: 'failures' })
  })

  it('reach what the owner of the action may reach, and nothing else', async () => {
    const seller = await aPersonWho(app, `seller${++made}`, [
      { action: 'manage', subject: 'Events' },
      { action: 'manage', subject: 'Orders', conditions: { scope: 'own' } },
      { action: 'manage', subject: 'Customers' },
      { action: 'read', subject: 'Products' },
    ])
    const tags = await anAction('order.held', { effects: [aTag('Reached')] }, seller)
    const starts = await anAction('order.held', moving('start'), seller)
    const order = await anOrder()
    await moves(order, 'hold')
    await work()
    expect((await runsOf(tags)).map(({ state }) => state)).toEqual(['failed'])
    expect((await runsOf(starts)).map(({ state }) => state)).toEqual(['failed'])
    expect(await tagsOf(order)).toEqual([])
    expect(await statusOf(order)).toBe('on_hold')
    const own = await anOrder({}, seller)
    await moves(own, 'hold', seller)
    await work()
    expect(await tagsOf(own)).toEqual(['Reached'])
    expect(await statusOf(own)).toBe('in_progress')
  })

  it('wait while an action is paused, and are not done any more when it is archived', async () => {
    const action = await anAction('order.held', { delayMinutes: 1 })
    const gone = await anAction('order.held', { delayMinutes: 1 })
    const order = await anOrder()
    await moves(order, 'hold')
    await work()
    await does(action, 'pause')
    ok(await app.call(admin, 'DELETE', `/Events/Actions/${gone.guid}`))
    await later(10)
    await work()
    expect([await saying(action), await saying(gone)]).toEqual([['waiting'], ['skipped archived']])
    await does(action, 'activate')
    await work()
    expect(await saying(action)).toEqual(['done'])
  })

  it('that leave the house rest while a restored database is looked at', async () => {
    const mail = { type: 'message', templateGuid: await aTemplate('order'), to: 'customer', attachDocument: false }
    const action = await anAction('order.held', { effects: [aTag('Restored'), mail] })
    const order = await anOrder()
    await moves(order, 'hold')
    await writeHold(app.deps.db, newHold(clock.toISOString(), clock.toISOString(), 'report.txt'), clock)
    await work()
    expect(await tagsOf(order)).toEqual(['Restored'])
    expect(await saying(action)).toEqual(['running'])
    await app.deps.db.deleteFrom('appState').where('key', '=', 'hold').execute()
    await work()
    expect(await saying(action)).toEqual(['done'])
  })

  it('are done once by any number of processes at once', async () => {
    const action = await anAction('order.held', { effects: [told, aTag('One'), told] })
    const orders = await many(6, () => anOrder())
    for (const order of orders) await moves(order, 'hold')
    const second = await aSecondApp(app)
    try {
      await Promise.all([take(), take(second.deps), take()])
      const runs = await runsOf(action)
      const steps = runs.flatMap(({ guid }) => [app.deps, second.deps, app.deps].map((deps) => stepRun(deps, guid)))
      await Promise.all([...steps, run(), run(second.deps)])
      await work()
    } finally {
      await second.close()
    }
    const runs = await runsOf(action)
    expect(runs.map(({ state, trace }) => [state, trace.map(({ index }) => index)])).toEqual(
      Array.from({ length: 6 }, () => ['done', [0, 1, 2]]),
    )
    for (const order of orders) expect((await notices(order.guid)).rows.length).toBeLessThanOrEqual(2)
  })
})
