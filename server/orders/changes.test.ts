import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ChangeOrder } from '../../contract/change-orders.ts'
import { type Evidence, verifyEvidence } from '../../contract/evidence.ts'
import type { Order } from '../../contract/orders.ts'
import type { ServiceOrder } from '../../contract/service.ts'
import type { Stage } from '../../contract/stages.ts'
import type { Actors } from '../../test/support/actors.ts'
import { tellPeople } from '../../test/support/account-emails.ts'
import { aSentQuote, ok, startBusiness } from '../../test/support/factories.ts'
import type { Caller, Running } from '../../test/support/start.ts'
import { verifyLedger } from '../ledger/verify.ts'

let app: Running
let people: Actors
let customerGuid: string
beforeAll(async () => {
  ;({ app, actors: people, customerGuid } = await startBusiness())
}, 60_000)
afterAll(() => app.stop())

const third = { type: 'percent', bp: 3_000 } as const
const schedule: Stage[] = [
  { label: 'Deposit', amount: third, due: { type: 'acceptance' } },
  { label: 'Frame up', amount: third, due: { type: 'start' } },
  { label: 'Handover', amount: { type: 'rest' }, due: { type: 'completion' } },
]
/** $10,000.00 without GST: ten panels at $1,000.00. */
const lines = [{ name: 'Panels', quantity: '10', unitPriceCents: 100_000, gstCode: 'FREE' }]
const post = <D>(path: string, body: object, who: Caller = people.administrator) =>
  app.call<D>(who, 'POST', path, body, { 'idempotency-key': randomUUID() })
const orderOf = async (guid: string) =>
  ok(await app.call<{ order: Order }>(people.administrator, 'GET', `/Orders/${guid}`)).order
async function anOrder(more: object = { schedule }) {
  const quote = await aSentQuote(app, people.administrator, customerGuid, { lines, ...more })
  const accept = { version: quote.version, name: 'Anna', method: 'phone' }
  const { order } = ok(await post<{ order: { guid: string } }>(`/Quotes/Accept/${quote.guid}`, accept))
  return orderOf(order.guid)
}
interface Listed {
  agreedCents: number | null
  evidenceSha256: string | null
  items: ChangeOrder[]
}
const listOf = async (guid: string) =>
  ok(await app.call<Listed>(people.administrator, 'GET', `/Orders/Changes/${guid}`))
async function aDraft(order: Order, actions: object[]) {
  const { version } = await orderOf(order.guid)
  const { items } = ok(await post<Listed>(`/Orders/Changes/${order.guid}`, { version, title: 'On site', actions }), 201)
  const made = items.at(-1)
  if (!made) throw new Error('no change')
  return made
}
async function deed<D = Listed>(
  name: 'Send' | 'Record' | 'Cancel',
  order: Order,
  changeGuid: string,
  more: object = {},
) {
  const { version } = await orderOf(order.guid)
  return post<D>(`/Orders/Changes/${name}/${order.guid}`, { version, changeGuid, ...more })
}
const lineGuid = (order: Order, index = 0) => order.lines[index]?.guid ?? ''
async function aSent(order: Order, actions: object[]) {
  const draft = await aDraft(order, actions)
  const { items } = ok(await deed('Send', order, draft.guid, { to: ['anna@example.test'] }))
  const sent = items.find(({ guid }) => guid === draft.guid)
  if (!sent?.sha256) throw new Error('not frozen')
  return { ...sent, sha256: sent.sha256 }
}
const page = async (order: Order) =>
  ok(await app.call<{ order: ServiceOrder }>(people.guest, 'GET', `/Service/Orders/${order.serviceGuid}`)).order
const answer = (
  way: 'Accept' | 'Decline',
  order: Order,
  { guid, sha256 }: { guid: string; sha256: string },
  more = {},
) =>
  post<{ order: ServiceOrder }>(
    `/Service/Orders/Changes/${way}/${order.serviceGuid}`,
    { changeGuid: guid, sha256, ...(way === 'Accept' ? { name: 'Anna Field' } : {}), ...more },
    people.guest,
  )
const quoteEvidenceOf = async (order: Order) => {
  const { number, revision, acceptance } = await app.deps.db
    .selectFrom('quotes as q')
    .innerJoin('orders as o', 'o.quoteGuid', 'q.guid')
    .select(['q.number', 'q.revision', 'q.acceptance'])
    .where('o.guid', '=', order.guid)
    .executeTakeFirstOrThrow()
  return { quotes: { number, revision, sha256: acceptance?.evidenceSha256 } }
}
const stagesOf = ({ stages }: Pick<Order, 'stages'>) => stages.map(({ cents }) => cents)

describe('a change of an order', () => {
  test('is drafted, sent and signed: lines, contract and the last stages follow', async () => {
    const order = await anOrder()
    expect([order.contractCents, stagesOf(order)]).toEqual([1_000_000, [300_000, 300_000, 400_000]])
    const sent = await aSent(order, [{ kind: 'change', lineGuid: lineGuid(order), quantity: '5' }])
    expect(sent).toMatchObject({
      number: 'CO-1',
      status: 'sent',
      deltaCents: -500_000,
      contractBeforeCents: 1_000_000,
      contractAfterCents: 500_000,
    })
    expect((await orderOf(order.guid)).totals.totalCents).toBe(1_000_000)
    expect((await page(order)).changes).toMatchObject([{ number: 'CO-1', lines: [{ before: { quantity: '10' } }] }])
    const after = ok(await answer('Accept', order, sent)).order
    expect(after).toMatchObject({ contractCents: 1_000_000, totals: { totalCents: 500_000 } })
    expect(after.changes).toMatchObject([{ status: 'accepted', acceptance: { method: 'guest', name: 'Anna Field' } }])
    expect(stagesOf(await orderOf(order.guid))).toEqual([300_000, 200_000, 0])
    const mails = await app.deps.db
      .selectFrom('messages')
      .select('subject')
      .where('ownerGuid', '=', order.guid)
      .where('template', 'in', ['change_order', 'change_accepted'])
      .orderBy('createdAt')
      .execute()
    expect(mails.map(({ subject }) => subject)).toEqual([
      expect.stringContaining(`Change CO-1 to order ${order.number} from`),
      `Change CO-1 to order ${order.number} accepted: thank you`,
    ])
    await tellPeople(app)
    const told = await app.deps.db
      .selectFrom('notifications')
      .selectAll()
      .where('kind', '=', 'order.change_accepted')
      .execute()
    expect(told[0]?.details).toMatchObject({ name: 'CO-1', number: order.number, amountCents: -500_000 })
    expect((await verifyLedger(app.deps.db)).problems).toEqual([])
  })

  test('is frozen once it is sent, in the database too', async () => {
    const order = await anOrder()
    const { guid } = await aSent(order, [
      { kind: 'add', line: { name: 'Gate', unitPriceCents: 20_000, gstCode: 'FREE' } },
    ])
    const of = () => app.deps.db.updateTable('changeOrders').where('guid', '=', guid)
    await expect(of().set({ title: 'Other' }).execute()).rejects.toThrow(/stays as it is/)
    await expect(of().set({ status: 'draft' }).execute()).rejects.toThrow(/stays as it is/)
    await expect(app.deps.db.deleteFrom('changeOrders').where('guid', '=', guid).execute()).rejects.toThrow(/stays/)
  })

  test('keeps the lines from being edited while it waits, and others from being sent', async () => {
    const order = await anOrder({})
    const gate = { kind: 'add', line: { name: 'Gate', unitPriceCents: 20_000, gstCode: 'FREE' } }
    const first = await aSent(order, [gate])
    const second = await aDraft(order, [gate])
    expect(second.number).toBe('CO-2')
    const refused = await deed<unknown>('Send', order, second.guid, { to: ['anna@example.test'] })
    expect([refused.status, refused.body]).toEqual([
      409,
      expect.stringContaining('CO-1 is waiting for the customer. Cancel it first.'),
    ])
    const { version } = await orderOf(order.guid)
    const edit = (body: object) =>
      app.call(people.administrator, 'PATCH', `/Orders/${order.guid}`, { version, ...body })
    expect((await edit({ lines: [] })).status).toBe(409)
    expect((await edit({ internalNotes: 'Ring first' })).status).toBe(200)
    ok(await deed('Cancel', order, first.guid))
    expect((await answer('Accept', order, first)).status).toBe(409)
    ok(await deed('Record', order, second.guid, { method: 'phone', name: 'Anna' }))
    const { items, agreedCents } = await listOf(order.guid)
    expect(agreedCents).toBe(1_000_000)
    expect(items.map(({ status, acceptance }) => [status, acceptance?.method])).toEqual([
      ['cancelled', undefined],
      ['accepted', 'phone'],
    ])
    expect((await orderOf(order.guid)).totals.totalCents).toBe(1_020_000)
    expect((await verifyLedger(app.deps.db)).problems).toEqual([])
  })

  test('a draft is edited by whoever saw its newest state; what was sent is not', async () => {
    const order = await anOrder({})
    const draft = await aDraft(order, [{ kind: 'change', lineGuid: lineGuid(order), quantity: '12' }])
    const edit = async (more: object, changeGuid = draft.guid) => {
      const { version } = await orderOf(order.guid)
      return app.call<Listed>(people.administrator, 'PATCH', `/Orders/Changes/${order.guid}`, {
        ...{ version, changeGuid },
        ...more,
      })
    }
    const gate = { kind: 'add', line: { name: 'Gate', unitPriceCents: 20_000, gstCode: 'FREE' } }
    ok(await edit({ title: 'Gate instead', actions: [gate] }))
    expect(ok(await edit({ note: 'Ring first' })).items).toMatchObject([
      { number: 'CO-1', title: 'Gate instead', note: 'Ring first', deltaCents: 20_000, status: 'draft' },
    ])
    const { version } = await orderOf(order.guid)
    expect((await edit({ version: version - 1, title: 'Old' })).status).toBe(409)
    expect((await edit({ title: 'Other' }, randomUUID())).status).toBe(404)
    const wrong = await edit({ actions: [{ kind: 'change', lineGuid: lineGuid(order), quantity: '10' }] })
    expect(wrong.errors).toEqual([{ path: 'actions.0.quantity', message: 'Enter another quantity or price.' }])
    const stale = { version, changeGuid: draft.guid, title: 'Twice' }
    const both = await Promise.all(
      [0, 1].map(() => app.call(people.administrator, 'PATCH', `/Orders/Changes/${order.guid}`, stale)),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    ok(await deed('Send', order, draft.guid, { to: ['anna@example.test'] }))
    expect(await edit({ title: 'Late' })).toMatchObject({
      status: 409,
      message: 'CO-1 was sent and can’t be edited. Cancel it and make another.',
    })
  })

  test('that adds a product has its price, its questions and what comes with it', async () => {
    const order = await anOrder({})
    const make = async <K extends string>(path: string, body: object, key: K) =>
      ok(await post<Record<K, { guid: string }>>(path, body), 201)[key].guid
    const lock = { code: 'lock', label: { en: 'Lock' }, input: 'boolean' }
    const choices = [{ code: 'yes', label: { en: 'Lock' }, cents: 5000 }]
    const option = await make('/Products/BookingOptions', { ...lock, choices }, 'bookingOption')
    const gate = { name: 'Gate', unit: 'each', priceCents: 20_000, gstCode: 'FREE', optionGuids: [option] }
    const productGuid = await make('/Products', gate, 'product')
    const line = { productGuid, name: 'Gate', quantity: '2', gstCode: 'FREE' }
    const answers = [{ option: 'lock', value: { isYes: true } }]
    const draft = await aDraft(order, [{ kind: 'add', line: { ...line, answers } }])
    expect(draft).toMatchObject({ deltaCents: 50_000, lines: [{ name: 'Gate', after: { unitPriceCents: 25_000 } }] })
    ok(await deed('Record', order, draft.guid, { method: 'phone', name: 'Anna' }))
    const { lines: all, totals } = await orderOf(order.guid)
    expect([all.at(-1)?.answers, totals.totalCents]).toEqual([answers, 1_050_000])
  })

  test('that is declined changes nothing', async () => {
    const order = await anOrder()
    const sent = await aSent(order, [{ kind: 'change', lineGuid: lineGuid(order), quantity: '11' }])
    expect((await answer('Decline', order, { ...sent, sha256: '0'.repeat(64) })).status).toBe(409)
    const { changes } = ok(await answer('Decline', order, sent, { note: 'Too dear' })).order
    expect(changes).toMatchObject([{ status: 'declined' }])
    expect((await answer('Accept', order, sent)).status).toBe(409)
    expect((await orderOf(order.guid)).totals.totalCents).toBe(1_000_000)
    expect((await listOf(order.guid)).items[0]?.decline).toMatchObject({ note: 'Too dear' })
  })

  test('that was invoiced meanwhile is refused', async () => {
    const order = await anOrder({})
    const sent = await aSent(order, [{ kind: 'change', lineGuid: lineGuid(order), quantity: '6' }])
    const { version } = await orderOf(order.guid)
    const part = [{ lineGuid: lineGuid(order), quantity: '7' }]
    ok(await post(`/Orders/Invoice/${order.guid}`, { version, kind: 'progress', lines: part }), 201)
    const refused = await answer('Accept', order, sent)
    expect([refused.status, refused.body]).toEqual([
      422,
      expect.stringContaining('7 of 10 are already invoiced. Choose 7 or more.'),
    ])
  })

  test('is signed once, whoever else acts at the same time', async () => {
    const order = await anOrder()
    const sent = await aSent(order, [{ kind: 'change', lineGuid: lineGuid(order), quantity: '12' }])
    const { version } = await orderOf(order.guid)
    const cancel = { version, changeGuid: sent.guid }
    const found = await Promise.all([
      answer('Accept', order, sent),
      answer('Accept', order, sent),
      post(`/Orders/Changes/Cancel/${order.guid}`, cancel),
    ])
    expect(found.filter(({ status }) => status === 200)).toHaveLength(1)
    const { status } = (await listOf(order.guid)).items[0] ?? {}
    expect((await orderOf(order.guid)).totals.totalCents).toBe(status === 'accepted' ? 1_200_000 : 1_000_000)
  })
})

describe('the evidence of changes', () => {
  const sha256 = (text: string) => Promise.resolve(createHash('sha256').update(text).digest('hex'))
  const fileOf = async (order: Order): Promise<Evidence> => {
    const file = await app.call(people.administrator, 'GET', `/Orders/Evidence/${order.guid}`)
    expect([file.status, file.headers['content-disposition']]).toEqual([
      200,
      expect.stringContaining(`${order.number}-evidence.json`),
    ])
    return JSON.parse(file.body) as Evidence
  }

  test('proves itself, begins with the quote and has what was signed; one other letter and it does not', async () => {
    const order = await anOrder()
    const gate = [{ kind: 'add', line: { name: 'Gate', unitPriceCents: 20_000, gstCode: 'FREE' } }]
    ok(await answer('Decline', order, await aSent(order, gate), { note: 'Too dear' }))
    const sent = await aSent(order, gate)
    const signature = { method: 'typed', text: 'Anna Field' }
    const { changes } = ok(await answer('Accept', order, sent, { signature })).order
    const file = await fileOf(order)
    const events = file.events.map(({ event }) => JSON.parse(event) as Record<string, unknown>)
    expect(events.map(({ reason }) => reason)).toEqual(['sent', 'declined', 'sent', 'accepted'])
    const { quotes } = await quoteEvidenceOf(order)
    expect(events[0]?.['quote']).toEqual(quotes)
    expect(events[3]).toMatchObject({
      change: 'CO-2',
      by: 'Anna Field',
      method: 'guest',
      signature,
      frame: sent.sha256,
    })
    expect(JSON.parse(file.frames[sent.sha256] ?? '')).toMatchObject({ number: 'CO-2', deltaCents: 20_000 })
    const proof = await verifyEvidence(file, sha256)
    const { evidenceSha256 } = await listOf(order.guid)
    expect(proof).toEqual({ problem: null, position: null, lastSha256: evidenceSha256 })
    expect(changes.find(({ guid }) => guid === sent.guid)?.acceptance?.evidenceSha256).toBe(proof.lastSha256)
    const said = file.events.map((one, i) => (i === 3 ? { ...one, event: one.event.replace('Anna', 'Jane') } : one))
    expect(await verifyEvidence({ ...file, events: said }, sha256)).toMatchObject({ problem: 'event', position: 4 })
    const text = (file.frames[sent.sha256] ?? '').replace('20000', '20001')
    expect(await verifyEvidence({ ...file, frames: { ...file.frames, [sent.sha256]: text } }, sha256)).toMatchObject({
      problem: 'frame',
    })
    const events4 = () => app.deps.db.deleteFrom('changeEvents').where('orderGuid', '=', order.guid).execute()
    await expect(events4()).rejects.toThrow()
    expect((await app.call(people.field, 'GET', `/Orders/Evidence/${order.guid}`)).status).toBe(403)
  })

  test('has what the office did alone, and what was taken back', async () => {
    const order = await anOrder({})
    const sent = await aSent(order, [{ kind: 'change', lineGuid: lineGuid(order), quantity: '12' }])
    ok(await deed('Cancel', order, sent.guid))
    const { version } = await orderOf(order.guid)
    const line = { guid: lineGuid(order), name: 'Panels', quantity: '11', unitPriceCents: 100_000, gstCode: 'FREE' }
    ok(await app.call(people.administrator, 'PATCH', `/Orders/${order.guid}`, { version, lines: [line] }))
    const file = await fileOf(order)
    const events = file.events.map(({ event }) => JSON.parse(event) as Record<string, unknown>)
    expect(events.map(({ reason, change }) => [reason, change])).toEqual([
      ['sent', 'CO-1'],
      ['cancelled', 'CO-1'],
      ['edited', 'CO-2'],
    ])
    expect((await verifyEvidence(file, sha256)).problem).toBeNull()
  })
})

describe('what the office changes by itself', () => {
  test('is recorded with its name, unless only words changed', async () => {
    const order = await anOrder()
    const [line] = order.lines
    const edit = async (changes: object) => {
      const { version } = await orderOf(order.guid)
      const entered = { guid: line?.guid, name: 'Panels', quantity: '10', unitPriceCents: 100_000, gstCode: 'FREE' }
      return ok(
        await app.call(people.administrator, 'PATCH', `/Orders/${order.guid}`, {
          version,
          lines: [{ ...entered, ...changes }],
        }),
      )
    }
    await edit({ name: 'Panels, white' })
    expect((await listOf(order.guid)).items).toEqual([])
    await edit({ quantity: '11' })
    expect((await listOf(order.guid)).items).toMatchObject([
      { number: 'CO-1', status: 'accepted', deltaCents: 100_000, acceptance: { method: 'edited' } },
    ])
    expect((await page(order)).changes).toHaveLength(1)
    expect((await verifyLedger(app.deps.db)).problems).toEqual([])
  })

  test('a rise of which all stages are invoiced makes one that is called after the change', async () => {
    const order = await anOrder({ schedule: [{ ...schedule[0], amount: third }, schedule[2]] })
    for (const index of [0, 1]) {
      const now = await orderOf(order.guid)
      const stage = now.stages[index]
      if (stage && !stage.invoice)
        ok(await post(`/Orders/Invoice/${order.guid}`, { version: now.version, stageGuid: stage.guid }), 201)
    }
    const sent = await aSent(order, [{ kind: 'add', line: { name: 'Gate', unitPriceCents: 20_000, gstCode: 'FREE' } }])
    ok(await answer('Accept', order, sent))
    expect((await orderOf(order.guid)).stages.at(-1)).toMatchObject({ label: 'CO-1', cents: 20_000 })
  })

  test('cancelling records what falls away, ends what waits, and the stages fall with it', async () => {
    const order = await anOrder()
    const sent = await aSent(order, [{ kind: 'change', lineGuid: lineGuid(order), quantity: '12' }])
    const { version } = await orderOf(order.guid)
    ok(await post(`/Orders/Status/${order.guid}`, { version, deed: 'cancel', reason: 'Sold' }))
    const after = await orderOf(order.guid)
    expect([after.totals.totalCents, stagesOf(after)]).toEqual([0, [300_000, 0, 0]])
    expect((await listOf(order.guid)).items).toMatchObject([
      { number: 'CO-1', status: 'cancelled' },
      { number: 'CO-2', status: 'accepted', deltaCents: -1_000_000 },
    ])
    expect((await answer('Accept', order, sent)).status).toBe(409)
    expect((await verifyLedger(app.deps.db)).problems).toEqual([])
  })
})

test('an order without a quote is agreed with its first change', async () => {
  const { order } = ok(await post<{ order: Order }>('/Orders', { customerGuid, title: 'Repair', lines }), 201)
  expect(order.contractCents).toBeNull()
  const gate = { kind: 'add', line: { name: 'Gate', unitPriceCents: 20_000, gstCode: 'FREE' } }
  const draft = await aDraft(order, [gate])
  ok(await deed('Record', order, draft.guid, { method: 'in_person', name: 'Anna' }))
  expect(await orderOf(order.guid)).toMatchObject({ contractCents: 1_000_000, totals: { totalCents: 1_020_000 } })
})

test('amounts are for those who see them, and a preview writes nothing', async () => {
  const order = await anOrder()
  const actions = [{ kind: 'change', lineGuid: lineGuid(order), quantity: '8', unitPriceCents: 90_000 }]
  const preview = ok(await post(`/Orders/Changes/Preview/${order.guid}`, { actions }))
  expect(preview).toMatchObject({ deltaCents: -280_000, contractAfterCents: 720_000, lines: [{ kind: 'change' }] })
  expect((await listOf(order.guid)).items).toEqual([])
  expect((await app.call(people.field, 'GET', `/Orders/Changes/${order.guid}`)).status).toBe(403)
})
