import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type {
  Action,
  ActionChoices,
  ActionInput,
  ActionItem,
  ActionPreview,
  ActionRun,
  RegisterItem,
} from '../../contract/actions.ts'
import type { Order } from '../../contract/orders.ts'
import { type Actor, type Actors, aPersonWho } from '../../test/support/actors.ts'
import { aLine, ok, startBusiness } from '../../test/support/factories.ts'
import type { Caller, Running } from '../../test/support/start.ts'
import { newGuid } from '../core/guid.ts'
import { inTransaction, systemRun } from '../core/run.ts'
import { begin } from './beginning.ts'
import { type PastEvent, simulate } from './simulate.ts'

let app: Running
let actors: Actors
let admin: Actor
let customerGuid: string
let businessGuid: string
beforeAll(async () => {
  ;({ app, actors, customerGuid } = await startBusiness())
  admin = actors.administrator
  businessGuid = (await app.deps.db.selectFrom('businesses').select('guid').executeTakeFirstOrThrow()).guid
})
afterAll(() => app.stop())

const input = (more: Partial<ActionInput> = {}) => ({
  name: 'Tell the office',
  eventKey: 'order.completed',
  effects: [{ type: 'notify', to: { roleGuid: actors.roles.Office }, text: 'Look at this.' }],
  ...more,
})
interface One {
  action: Action
}
const post = (body: object, who: Caller = admin) => app.call<One>(who, 'POST', '/Events/Actions', body)
const made = async (more: Partial<ActionInput> = {}) => ok(await post(input(more)), 201).action
const moved = ({ guid, version }: Action, deed: 'activate' | 'pause', who: Caller = admin) =>
  app.call<One>(who, 'POST', `/Events/Actions/Status/${guid}`, { version, deed })
const turnedOn = async (more: Partial<ActionInput> = {}) => ok(await moved(await made(more), 'activate')).action
const runsOf = async (guid: string) =>
  ok(await app.call<{ items: ActionRun[] }>(admin, 'GET', `/Events/Actions/Runs?action=${guid}&size=50`)).items

interface EventFacts {
  recordGuid: string
  totalCents?: number
  rootGuid?: string
  depth?: number
}
let happened = 0
/** Something that happened just now, after what happened before. */
async function anEvent({ recordGuid, totalCents = 0, rootGuid, depth = 0 }: EventFacts): Promise<string> {
  const guid = newGuid()
  const at = new Date(app.deps.now().getTime() - 60_000 + happened++)
  await app.deps.db
    .insertInto('events')
    .values({
      ...{ guid, key: 'order.completed', noun: 'Orders', recordGuid, businessGuid, depth },
      ...{ rootGuid: rootGuid ?? guid, byKind: 'user', at, takenAt: at },
      values: JSON.stringify({ number: 'O-1', totalCents }),
    })
    .execute()
  return guid
}

describe('an action', () => {
  it('is a draft of whoever saves it, is turned on and paused, and tells what it does', async () => {
    const action = await made({
      conditions: { path: 'order.toInvoice', is: 'above', value: 500_000 },
      delayMinutes: 120,
    })
    expect(action).toMatchObject({
      status: 'draft',
      owner: { guid: admin.userGuid },
      sentence: 'When an order is completed and more than $5,000 is not invoiced, after two hours, notify Office.',
    })
    const french = await app.call<One>(admin, 'GET', `/Events/Actions/${action.guid}`, undefined, {
      'accept-language': 'fr',
    })
    expect(ok(french).action.sentence).toMatch(/^Quand une commande est terminée et que plus de/)
    const on = ok(await moved(action, 'activate')).action
    expect(on).toMatchObject({ status: 'active', pausedReason: null, stoppedAt: null })
    expect((await moved(on, 'activate')).message).toBe('This action is on already.')
    expect((await moved(action, 'pause')).error).toBe('STALE_VERSION')
    const off = await moved(on, 'pause')
    expect([off.message, ok(off).action.pausedReason]).toEqual(['Action paused.', 'person'])
    const { items } = ok(await app.call<{ items: ActionItem[] }>(admin, 'GET', '/Events/Actions?status=paused'))
    expect(items).toMatchObject([{ guid: action.guid, lastRun: null, failures: 0 }])
  })

  it('is refused where its event knows no such path, or cannot do that', async () => {
    const wrong = await post(
      input({
        conditions: { all: [{ path: 'order.totall', is: 'above', value: 1 }] },
        effects: [
          { type: 'message', templateGuid: newGuid(), to: 'customer', attachDocument: false },
          { type: 'transition', deed: 'convert' },
          { type: 'tag', add: [], remove: [] },
          { type: 'notify', to: { userGuid: newGuid() }, text: 'x' },
        ],
      }),
    )
    expect(wrong.errors).toEqual([
      { path: 'conditions.all.0.path', message: 'There is no `order.totall`. Did you mean `order.total`?' },
      { path: 'effects.0.templateGuid', message: 'We can’t find that template.' },
      { path: 'effects.1.deed', message: 'This event can’t do that.' },
      { path: 'effects.2.add', message: 'Enter a tag.' },
      { path: 'effects.3.to', message: 'Choose a user.' },
    ])
  })

  it('is saved by those alone who may do what it does, and belongs to whoever saved it last', async () => {
    const builder = await aPersonWho(app, 'builder', [{ subject: 'Events', action: 'manage' }])
    const holds = input({ effects: [{ type: 'transition', deed: 'hold' }] })
    const refused = await post(holds, builder)
    expect([refused.status, refused.message]).toEqual([403, 'You need the right to hold orders to save this action.'])
    const french = await app.call(builder, 'POST', '/Events/Actions', holds, { 'accept-language': 'fr' })
    expect(french.message).toBe(
      'Il vous faut le droit de mettre les commandes en attente pour enregistrer cette action.',
    )
    const own = await made({ effects: [{ type: 'transition', deed: 'hold' }] })
    expect((await moved(own, 'activate', builder)).status).toBe(403)
    const plain = await made()
    const path = `/Events/Actions/${plain.guid}`
    const taken = ok(await app.call<One>(builder, 'PATCH', path, { version: plain.version, name: 'Mine now' })).action
    expect(taken.owner.guid).toBe((builder as Actor).userGuid)
    expect((await app.call(actors.office, 'GET', path)).status).toBe(403)
  })

  it('knows what of an order is left to invoice as its page does', async () => {
    const order = { customerGuid, title: 'Marquee', lines: [aLine()] }
    const { guid } = ok(await app.call<{ order: Order }>(actors.office, 'POST', '/Orders', order), 201).order
    const now = async () => {
      const { rows } = await sql<{ left: number }>`select order_to_invoice(${guid}::uuid) as left`.execute(app.deps.db)
      const page = ok(await app.call<{ order: Order }>(actors.office, 'GET', `/Orders/${guid}`)).order
      return { page, sql: rows[0]?.left, left: page.money.toInvoiceCents }
    }
    const before = await now()
    expect(before.sql).toBe(before.left)
    expect(before.left).toBeGreaterThan(0)
    ok(
      await app.call(actors.office, 'POST', `/Orders/Invoice/${guid}`, {
        version: before.page.version,
        kind: 'progress',
        shareBp: 2500,
      }),
      201,
    )
    const after = await now()
    expect(after.sql).toBe(after.left)
    expect(after.left).toBeLessThan(before.left)
  })
})

describe('the guards', () => {
  const past = (at: string, more: Partial<PastEvent> = {}): PastEvent => {
    const guid = newGuid()
    return { guid, at, recordGuid: newGuid(), rootGuid: guid, depth: 0, values: {}, facts: null, ...more }
  }
  const said = (events: PastEvent[], action: Pick<ActionInput, 'conditions'> = {}) =>
    simulate(events, action, 'Australia/Sydney').map(({ reason }) => reason ?? 'runs')

  it('stop what follows too far, turns in a circle, or happens to one record too often in a local day', () => {
    const recordGuid = newGuid()
    const rootGuid = newGuid()
    expect(said([3, 4].map((depth) => past('2026-04-06T00:00:00Z', { depth })))).toEqual(['runs', 'too_deep'])
    expect(said([past('2026-04-06T00:00:00Z', { rootGuid }), past('2026-04-06T00:01:00Z', { rootGuid })])).toEqual([
      'runs',
      'loop',
    ])
    // 14:00Z is midnight in Sydney.
    const hours = ['10:00', '11:00', '12:00', '13:59', '14:00']
    expect(said(hours.map((hour) => past(`2026-04-06T${hour}:00Z`, { recordGuid })))).toEqual([
      ...['runs', 'runs', 'runs', 'too_many', 'runs'],
    ])
  })

  it('turn an action off that runs for the 201st time in an hour', () => {
    const at = (minute: number) => new Date(Date.UTC(2026, 3, 6) + minute * 60_000).toISOString()
    const many = Array.from({ length: 200 }, () => past(at(0)))
    expect(said([...many, past(at(60))]).filter((one) => one !== 'runs')).toEqual([])
    expect(said([...many, past(at(59)), past(at(300))]).slice(200)).toEqual(['runaway', 'runaway'])
  })
})

describe('a dry run', () => {
  it('says what the runs themselves would be, and why not', async () => {
    const [often, chained, small] = [newGuid(), newGuid(), newGuid()]
    const rootGuid = newGuid()
    const told: EventFacts[] = [
      ...Array.from({ length: 4 }, () => ({ recordGuid: often, totalCents: 900_000 })),
      { recordGuid: chained, totalCents: 900_000, rootGuid },
      { recordGuid: newGuid(), totalCents: 900_000, rootGuid, depth: 1 },
      { recordGuid: newGuid(), totalCents: 900_000, depth: 4 },
      { recordGuid: small, totalCents: 500_000 },
    ]
    const guids: string[] = []
    for (const one of told) guids.push(await anEvent(one))
    const body = input({ conditions: { path: 'total', is: 'above', value: 500_000 } })
    const dry = ok(await app.call<ActionPreview>(admin, 'POST', '/Events/Actions/Preview', { action: body }))
    expect(dry).toMatchObject({ considered: 8, wouldRun: 4 })
    const shown = new Map(dry.items.map((item) => [item.event.guid, item]))
    const said = guids.map((guid) => shown.get(guid)?.reason ?? 'runs')
    expect(said).toEqual(['runs', 'runs', 'runs', 'too_many', 'runs', 'loop', 'too_deep', 'not_met'])
    expect(dry.items.find(({ wouldRun }) => wouldRun)?.effects).toEqual(['Notify Office'])

    const { guid } = await turnedOn({ conditions: { path: 'total', is: 'above', value: 500_000 } })
    await inTransaction(systemRun(app.deps, 'test'), async (ctx) => {
      const events = await ctx.db.selectFrom('events').selectAll().where('guid', 'in', guids).orderBy('at').execute()
      const action = await ctx.db.selectFrom('actions').selectAll().where('guid', '=', guid).executeTakeFirstOrThrow()
      for (const event of events) await begin(ctx, action, { ...event, recordLabel: 'O-1', replay: 0 })
      // The same event again is nothing new.
      for (const event of events) expect(await begin(ctx, action, { ...event, recordLabel: '', replay: 0 })).toBeNull()
    })
    const runs = new Map((await runsOf(guid)).map((run) => [run.event, run.reason ?? 'runs']))
    expect(guids.map((event) => runs.get(event))).toEqual(said)
  })
})

describe('a replay', () => {
  const replay = (guid: string, eventGuids: string[]) =>
    app.call<{ runs: ActionRun[] }>(admin, 'POST', `/Events/Actions/Replay/${guid}`, { eventGuids })

  it('begins a chain of its own, and counts in every guard', async () => {
    const event = await anEvent({ recordGuid: newGuid(), depth: 4 })
    const draft = await made()
    expect((await replay(draft.guid, [event])).message).toBe('Turn this action on first.')
    const action = ok(await moved(draft, 'activate')).action
    expect((await replay(action.guid, [newGuid()])).errors[0]?.path).toBe('eventGuids')
    const states = []
    for (let times = 1; times <= 4; times++) {
      const [run] = ok(await replay(action.guid, [event, event])).runs
      states.push([run?.replay, run?.reason ?? 'runs'])
    }
    expect(states).toEqual([
      [1, 'runs'],
      [2, 'runs'],
      [3, 'runs'],
      [4, 'too_many'],
    ])
  })

  it('is over with what waits once its action is archived, and the register says until when it was on', async () => {
    const action = await turnedOn({ name: 'Registered', delayMinutes: 10 })
    const event = await anEvent({ recordGuid: newGuid() })
    ok(await replay(action.guid, [event]))
    expect(await runsOf(action.guid)).toMatchObject([{ state: 'waiting' }])
    ok(await app.call(admin, 'DELETE', `/Events/Actions/${action.guid}`))
    expect(await runsOf(action.guid)).toMatchObject([{ state: 'skipped', reason: 'archived' }])
    const register = await app.call<{ items: RegisterItem[] }>(admin, 'GET', '/Events/Actions/Register?size=50')
    const row = ok(register).items.find(({ guid }) => guid === action.guid)
    expect(row).toMatchObject({ action: 'Registered', uses: 'the event alone', affects: 'staff' })
    expect(row?.until).not.toBeNull()
    const { body } = await app.call(admin, 'GET', '/Events/Actions/Register/Export')
    expect(body).toContain('Action,Decides,Uses,Affects,Responsible,Since,Until')
  })
})

it('names to whoever only reads no roles, people and webhooks but those that actions name', async () => {
  await made()
  const choicesOf = async (who: Caller) => ok(await app.call<ActionChoices>(who, 'GET', '/Events/Actions/Choices'))
  const all = await choicesOf(admin)
  expect(all.users.length).toBeGreaterThan(0)
  expect(all.roles.length).toBeGreaterThan(1)
  const told = await choicesOf(actors.readOnly)
  expect(told.roles).toContainEqual(expect.objectContaining({ guid: actors.roles.Office }))
  const effects = (await app.deps.db.selectFrom('actions').select('effects').execute()).map((row) => row.effects)
  const named = JSON.stringify(effects)
  const shown = [...told.roles, ...told.users, ...told.templates, ...told.webhooks]
  expect(shown.every(({ guid }) => named.includes(guid))).toBe(true)
  expect(told.users.length).toBeLessThan(all.users.length)
})
