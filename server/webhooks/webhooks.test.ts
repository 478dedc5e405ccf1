import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import type { Page } from '../../contract/core/common.ts'
import { unanswered, type Webhook, webhookBody, type WebhookDelivery } from '../../contract/webhooks.ts'
import { type Actors, aPerson } from '../../test/support/actors.ts'
import { aSecondApp, ok, startStaffed } from '../../test/support/factories.ts'
import { aRawReceiver, aReceiver } from '../../test/support/receivers.ts'
import { type Caller, keyed, type Running } from '../../test/support/start.ts'
import { findBusiness } from '../core/business.ts'
import { newGuid } from '../core/guid.ts'
import { holdKey, newHold, writeHold } from '../core/hold.ts'
import { runJobBatch } from '../core/jobs/batches.ts'
import { pruneBatch } from '../core/jobs/upkeep.ts'
import { inTransaction, openCtx, systemRun } from '../core/run.ts'
import { claimDue, deliver, deliverDue, type DeliveryOptions } from './deliveries.ts'
import { isClosed } from './destinations.ts'
import { nextTry, retriesAfterMs } from './retries.ts'
import { openSecret, signatureOf } from './signing.ts'
import { handToWebhook, type HandedEvent } from './webhooks.service.ts'

const start = Date.parse('2026-09-21T14:13:20.000Z')
let clock = start
let app: Running
let people: Actors
let businessGuid: string
let receiver: Awaited<ReturnType<typeof aReceiver>>
beforeAll(async () => {
  ;({ app, actors: people } = await startStaffed({
    now: () => new Date(clock),
    env: { OUTBOUND_ALLOW: '127.0.0.0/8' },
  }))
  businessGuid = (await app.deps.db.selectFrom('businesses').select('guid').executeTakeFirstOrThrow()).guid
  receiver = await aReceiver()
})
afterAll(async () => {
  await app.stop()
  await receiver.close()
})
beforeEach(async () => {
  clock = start
  receiver.got.length = 0
  receiver.rule.answer = (_request, response) => response.writeHead(204).end()
  await app.deps.db.deleteFrom('webhookDeliveries').execute()
})

interface One {
  webhook: Webhook
  secret: string
}
/** People call at the beginning, whatever the time is for deliveries: nobody has to log in again. */
async function calling<D>(...call: Parameters<Running['call']>) {
  const now = clock
  clock = start
  return app.call<D>(...call).finally(() => (clock = now))
}
const as = (who: Caller = people.administrator) => ({
  post: <D = One>(path: string, body: object = {}) => calling<D>(who, 'POST', path, body),
  get: <D = One>(path: string) => calling<D>(who, 'GET', path),
  change: (webhook: Pick<Webhook, 'guid' | 'version'>, changes: object) =>
    calling<One>(who, 'PATCH', `/Webhooks/${webhook.guid}`, { version: webhook.version, ...changes }),
})
let made = 0
const aWebhook = async (url = receiver.url, more: object = {}): Promise<One> =>
  ok(await as().post('/Webhooks', { name: `Stock ${made++}`, url, ...more }), 201)

const anEvent = (more: Partial<HandedEvent> = {}): HandedEvent => ({
  guid: newGuid(),
  key: 'order.completed',
  at: new Date(start - 1000),
  record: { noun: 'Orders', guid: newGuid(), number: 'O-1042' },
  values: { number: 'O-1042', totalCents: 275_000 },
  facts: { customer: { name: 'Acme' } },
  ...more,
})
const handing = <T>(
  webhook: Pick<Webhook, 'guid'>,
  then: (guid: string) => T,
  event = anEvent(),
  business = businessGuid,
) =>
  inTransaction({ ...systemRun(app.deps, 'actions'), business: null }, async (ctx) => {
    await ctx.workFor(business)
    return then((await handToWebhook(ctx, webhook.guid, event)).guid)
  })
const hand = (webhook: Pick<Webhook, 'guid'>, event = anEvent()) => handing(webhook, (guid) => guid, event)
const ctxOf = (deps = app.deps) => openCtx(systemRun(deps, 'webhooks'))
const goOn = (options: DeliveryOptions = {}) => deliverDue(ctxOf(), () => true, options)
const stored = (guid: string) =>
  app.deps.db.selectFrom('webhookDeliveries').selectAll().where('guid', '=', guid).executeTakeFirstOrThrow()
const shown = async ({ guid }: Pick<Webhook, 'guid'>) => ok(await as().get(`/Webhooks/${guid}`)).webhook
const listed = async ({ guid }: Pick<Webhook, 'guid'>, query = '') =>
  ok(await as().get<Page<WebhookDelivery>>(`/Webhooks/Deliveries/${guid}${query}`)).items

/** What the page for receivers tells them to do. */
interface Recipe {
  isFromBrolga: (header: unknown, rawBody: string, secret: string, now?: number) => boolean
}
const recipe = async (): Promise<Recipe> => {
  const page = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')
  const code = /```js\n([\s\S]+?)```/.exec(page)?.[1] ?? ''
  return (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`)) as Recipe
}

describe('a signature', () => {
  test('is the second and the HMAC of the second and the body', async () => {
    const body = '{"event":"order.completed"}'
    const header = signatureOf(['whsec_demo'], new Date(1_790_000_000_900), body)
    expect(header).toBe('t=1790000000,v1=c34efa694b8e507892008aaf893056e9e059d02659042191b7316199db28a9a7')
    const { isFromBrolga } = await recipe()
    const isRight = (given: string, text = body, secret = 'whsec_demo', at = 1_790_000_000_000) =>
      isFromBrolga(given, text, secret, at)
    expect(isRight(header)).toBe(true)
    expect(isRight(signatureOf(['whsec_other', 'whsec_demo'], new Date(1_790_000_000_000), body))).toBe(true)
    expect(isRight(header, `${body} `)).toBe(false)
    expect(isRight(header, body, 'whsec_other')).toBe(false)
    expect(isRight(header, body, 'whsec_demo', 1_790_000_301_000)).toBe(false)
    expect([isRight(''), isRight('t=1790000000,v1=zz'), isRight('t=,v1=')]).toEqual([false, false, false])
  })
})

describe('a webhook', () => {
  it('tells its secret again to whoever repeats the call with its key, and keeps that answer sealed, too', async () => {
    const body = { name: 'Again', url: receiver.url }
    const header = keyed()
    const first = ok(await app.call<{ secret: string }>(people.administrator, 'POST', '/Webhooks', body, header), 201)
    const again = ok(await app.call<{ secret: string }>(people.administrator, 'POST', '/Webhooks', body, header), 201)
    expect(again).toEqual(first)
    const kept = await app.deps.db.selectFrom('idempotencyKeys').selectAll().execute()
    expect(kept.map(({ key }) => key)).toContain(header['idempotency-key'])
    expect(JSON.stringify(kept)).not.toContain(first.secret)
  })

  it('shows its secret once, and keeps it sealed to itself', async () => {
    const answer = await as().post('/Webhooks', { name: 'Once', url: receiver.url })
    const { webhook, secret } = ok(answer, 201)
    expect(secret).toMatch(/^whsec_[\w-]{43}$/)
    expect(webhook).toMatchObject({ name: 'Once', status: 'active', pausedReason: null, lastDelivery: null })
    const row = await app.deps.db
      .selectFrom('webhooks')
      .selectAll()
      .where('guid', '=', webhook.guid)
      .executeTakeFirstOrThrow()
    expect(openSecret(app.deps.keys, webhook.guid, row.secret)).toBe(secret)
    expect(openSecret(app.deps.keys, newGuid(), row.secret)).toBeNull()
    const lines = await app.deps.db.selectFrom('auditLog').selectAll().where('entityGuid', '=', webhook.guid).execute()
    expect(lines.map(({ action }) => action)).toEqual(['webhook.created'])
    const later = [await as().get('/Webhooks'), await as().get(`/Webhooks/${webhook.guid}`)].map(({ body }) => body)
    for (const text of [...later, JSON.stringify([row, lines])]) expect(text).not.toContain(secret)
    for (const text of later) expect(text.toLowerCase()).not.toContain('secret')
  })

  it.each([
    'https://10.1.2.3/x',
    'https://[::1]/',
    'http://169.254.169.254/',
    'https://8.8.8.8:8443/',
    'https://0x0a000001/',
  ])('may not lead to %s', async (url) => {
    for (const refused of [
      await as().post('/Webhooks', { name: 'No', url }),
      await as().change((await aWebhook()).webhook, { url }),
    ])
      expect([refused.status, refused.errors]).toEqual([
        422,
        [{ path: 'url', message: 'This address cannot be used.' }],
      ])
  })
  it.each(['ftp://a.example/', 'javascript:alert(1)', 'https://user:pw@a.example/', 'nonsense', ''])(
    'is no %j',
    async (url) => {
      const refused = await as().post('/Webhooks', { name: 'No', url })
      expect([refused.status, refused.errors[0]?.path]).toEqual([422, 'url'])
    },
  )
  it('is refused by where its name leads, and by no name that cannot be asked for yet', async () => {
    const to = (address: string) => async () => [{ address }]
    const none = { outboundAllow: [] }
    expect(await isClosed(none, 'https://hooks.example/', to('8.8.8.8'))).toBe(false)
    expect(await isClosed(none, 'https://hooks.example/', to('10.0.0.1'))).toBe(true)
    expect(await isClosed(none, 'http://hooks.example/', to('8.8.8.8'))).toBe(true)
    expect(await isClosed(none, 'https://localhost/', to('8.8.8.8'))).toBe(true)
    const silent = async () => Promise.reject(new Error('EAI_AGAIN'))
    expect(await isClosed(none, 'https://hooks.example/', silent)).toBe(false)
  })

  it('is changed, and told of by one name alone', async () => {
    const { webhook } = await aWebhook()
    const other = ok(await as().change(webhook, { name: 'Warehouse', url: `${receiver.url}/2` })).webhook
    expect(other).toMatchObject({ name: 'Warehouse', url: `${receiver.url}/2`, version: 2 })
    expect((await as().change(webhook, { name: 'x' })).error).toBe('STALE_VERSION')
    const taken = await as().post('/Webhooks', { name: 'WAREHOUSE', url: receiver.url })
    expect([taken.status, taken.errors[0]?.path]).toEqual([409, 'name'])
  })

  it('is the business’s own, and of whoever has the right', async () => {
    const { webhook } = await aWebhook()
    const guid = await hand(webhook)
    for (const who of [people.office, people.sales, people.field, people.readOnly])
      expect([
        (await as(who).get('/Webhooks')).status,
        (await as(who).get(`/Webhooks/Deliveries/${webhook.guid}`)).status,
        (await as(who).post(`/Webhooks/Secret/${webhook.guid}`)).status,
        (await as(who).post(`/Webhooks/Retry/${guid}`)).status,
      ]).toEqual([403, 403, 403, 403])
    const sister = await as().post<{ business: { guid: string } }>('/Businesses', { legalName: 'Sister Pty Ltd' })
    const other = ok(sister, 201).business.guid
    expect(await findBusiness(app.deps.db, other)).toBeTruthy()
    await expect(handing(webhook, () => null, anEvent(), other)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const { roleGuid } = await app.deps.db
      .selectFrom('users')
      .select('roleGuid')
      .where('guid', '=', people.administrator.userGuid)
      .executeTakeFirstOrThrow()
    // Somebody with every right who works in the other business.
    const person = await aPerson(app, 'elsewhere', roleGuid)
    await app.deps.db
      .updateTable('users')
      .set({ businessGuids: [other] })
      .where('guid', '=', person.userGuid)
      .execute()
    const elsewhere = { headers: { ...person.headers, 'x-business-guid': other } }
    expect(ok(await as(elsewhere).get<Page<Webhook>>('/Webhooks')).items).toEqual([])
    for (const path of [`/Webhooks/${webhook.guid}`, `/Webhooks/Deliveries/${webhook.guid}`])
      expect((await as(elsewhere).get(path)).status).toBe(404)
    for (const path of [`Secret/${webhook.guid}`, `Test/${webhook.guid}`, `Retry/${guid}`])
      expect((await as(elsewhere).post(`/Webhooks/${path}`)).status).toBe(404)
  })
})

describe('an event', () => {
  it('arrives signed, once it is committed and never before', async () => {
    const { webhook, secret } = await aWebhook()
    await expect(
      handing(webhook, () => {
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    const event = anEvent()
    const guid = await hand(webhook, event)
    expect(await goOn()).toEqual({ succeeded: 1, failed: 0, remaining: 0 })
    const [got] = receiver.got
    expect(receiver.got).toHaveLength(1)
    expect(webhookBody.parse(JSON.parse(got?.body ?? ''))).toEqual({
      ...{ id: event.guid, event: 'order.completed', at: '2026-09-21T14:13:19.000Z', record: event.record },
      ...{ values: event.values, facts: event.facts },
    })
    expect(got?.headers).toMatchObject({ 'content-type': 'application/json', 'brolga-delivery': guid })
    expect((await recipe()).isFromBrolga(got?.headers['brolga-signature'], got?.body ?? '', secret, start)).toBe(true)
    expect(await listed(webhook)).toMatchObject([
      { guid, eventGuid: event.guid, event: 'order.completed', number: 'O-1042', attempts: 1 },
    ])
    expect((await shown(webhook)).lastDelivery).toMatchObject({ guid, state: 'delivered', status: 204, nextAt: null })
  })

  it('comes without its facts where these make it too long', async () => {
    const { webhook } = await aWebhook()
    await hand(webhook, anEvent({ facts: { note: 'x'.repeat(70_000) } }))
    await hand(webhook, anEvent({ values: { note: 'x'.repeat(70_000) } }))
    await goOn()
    const bodies = receiver.got.map(({ body }) => webhookBody.parse(JSON.parse(body)))
    expect(bodies.map(({ values, facts }) => [Object.keys(values), facts])).toEqual(
      expect.arrayContaining([
        [['number', 'totalCents'], null],
        [[], null],
      ]),
    )
  })

  it('is tried at once, after 1, 5, 30 minutes, 2, 8 hours, and a last time at 24', async () => {
    expect(retriesAfterMs.map((ms) => ms / 60_000)).toEqual([1, 5, 30, 120, 480, 1440])
    receiver.rule.answer = (_request, response) => response.writeHead(500).end('down')
    const { webhook } = await aWebhook()
    const guid = await hand(webhook)
    const tries: number[] = []
    for (let row = await stored(guid); row.nextAt !== null; row = await stored(guid)) {
      const due = Date.parse(row.nextAt)
      // A moment before nothing is due.
      clock = due - 1
      await goOn()
      clock = due
      await goOn()
      tries.push((due - start) / 60_000)
    }
    expect(tries).toEqual([0, 1, 5, 30, 120, 480, 1440])
    expect(receiver.got).toHaveLength(7)
    const seconds = receiver.got.map(({ headers }) => /t=(\d+)/.exec(String(headers['brolga-signature']))?.[1])
    expect(seconds.map((t) => (Number(t) * 1000 - start) / 60_000)).toEqual(tries)
    expect(new Set(receiver.got.map(({ body }) => body)).size).toBe(1)
    expect(await stored(guid)).toMatchObject({ state: 'failed', attempts: 7, status: 500, said: 'down' })
  })

  it('has no tries made up for that were missed, and none after a day', () => {
    const first = new Date(start)
    const after = (minutes: number) => nextTry(first, new Date(start + minutes * 60_000))?.getTime()
    expect(after(9 * 60)).toBe(start + 1440 * 60_000)
    expect(after(1440)).toBeUndefined()
  })

  it('is tried again by hand', async () => {
    receiver.rule.answer = (_request, response) => response.writeHead(404).end()
    const { webhook } = await aWebhook()
    const guid = await hand(webhook)
    await goOn()
    const again = async () => as().post<{ delivery: WebhookDelivery }>(`/Webhooks/Retry/${guid}`)
    expect(ok(await again()).delivery.nextAt).toBe(new Date(start).toISOString())
    await goOn()
    clock = start + 1440 * 60_000
    await goOn()
    expect((await stored(guid)).state).toBe('failed')
    expect(ok(await again()).delivery.state).toBe('waiting')
    await goOn()
    // Its retries begin anew.
    expect(await stored(guid)).toMatchObject({ state: 'waiting', attempts: 4 })
    receiver.rule.answer = (_request, response) => response.writeHead(200).end('thanks')
    ok(await again())
    await goOn()
    expect(await stored(guid)).toMatchObject({ state: 'delivered', said: 'thanks' })
    expect((await again()).message).toBe('This delivery has already arrived.')
  })

  it('waits while its webhook is paused, and never goes where it was archived', async () => {
    const { webhook } = await aWebhook()
    const paused = ok(await as().change(webhook, { status: 'paused' })).webhook
    expect(paused).toMatchObject({ status: 'paused', pausedReason: 'person' })
    const guid = await hand(webhook)
    await goOn()
    expect([receiver.got.length, (await stored(guid)).attempts]).toEqual([0, 0])
    expect((await as().post(`/Webhooks/Retry/${guid}`)).message).toBe('Resume this webhook first.')
    const active = ok(await as().change(paused, { status: 'active' })).webhook
    await goOn()
    expect([active.pausedReason, receiver.got.length]).toEqual([null, 1])
    ok(await as().change(active, { status: 'paused' }))
    const other = await hand(webhook)
    ok(await app.call(people.administrator, 'DELETE', `/Webhooks/${webhook.guid}`))
    expect(await stored(other)).toMatchObject({ state: 'failed', said: unanswered.archived })
    await expect(hand(webhook)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect((await as().post(`/Webhooks/Test/${webhook.guid}`)).status).toBe(409)
  })

  it('pauses a webhook whose address is gone', async () => {
    receiver.rule.answer = (_request, response) => response.writeHead(410).end('moved away')
    const { webhook } = await aWebhook()
    const gone = await hand(webhook)
    await goOn()
    const waits = await hand(webhook)
    clock += 86_400_000
    await goOn()
    expect(receiver.got).toHaveLength(1)
    const paused = await shown(webhook)
    expect(paused).toMatchObject({ status: 'paused', pausedReason: 'gone' })
    expect(await stored(gone)).toMatchObject({ state: 'failed', status: 410, said: 'moved away' })
    const line = await app.deps.db
      .selectFrom('auditLog')
      .select(['action', 'actorKind', 'reason'])
      .where('entityGuid', '=', webhook.guid)
      .where('action', '=', 'webhook.paused')
      .execute()
    expect(line).toEqual([{ action: 'webhook.paused', actorKind: 'system', reason: 'gone' }])
    receiver.rule.answer = (_request, response) => response.writeHead(200).end()
    ok(await as().change(paused, { status: 'active' }))
    await goOn()
    expect((await stored(waits)).state).toBe('delivered')
  })

  it('rests while a restored database is being looked at', async () => {
    const { webhook } = await aWebhook()
    const guid = await hand(webhook)
    await writeHold(app.deps.db, newHold('2026-09-21', '2026-09-20', 'x'), new Date(clock))
    try {
      expect(await goOn()).toEqual({ succeeded: 0, failed: 0, remaining: 0 })
      expect(await shown(webhook)).toMatchObject({ status: 'paused', pausedReason: 'restored' })
      const test = await as().post(`/Webhooks/Test/${webhook.guid}`)
      expect(test.message).toBe(
        'Sending is paused because this database was restored. Check what is waiting, then resume.',
      )
    } finally {
      await app.deps.db.deleteFrom('appState').where('key', '=', holdKey).execute()
    }
    await goOn()
    expect((await stored(guid)).state).toBe('delivered')
  })

  it('is signed with both secrets for a day after the change', async () => {
    const { webhook, secret: old } = await aWebhook()
    const { secret } = ok(await as().post(`/Webhooks/Secret/${webhook.guid}`))
    const { isFromBrolga } = await recipe()
    const provenBy = async (at: number) => {
      clock = at
      await hand(webhook)
      await goOn()
      const { headers, body = '' } = receiver.got.at(-1) ?? {}
      const header = String(headers?.['brolga-signature'])
      return [header.match(/v1=/g)?.length, ...[old, secret].map((one) => isFromBrolga(header, body, one, at))]
    }
    expect(await provenBy(start)).toEqual([2, true, true])
    expect(await provenBy(start + 86_399_000)).toEqual([2, true, true])
    expect(await provenBy(start + 86_400_000)).toEqual([1, false, true])
  })

  it('is tested once, at once, paused or not', async () => {
    const { webhook } = await aWebhook(receiver.url, { status: 'paused' })
    const tried = async () =>
      ok(await as().post<{ delivery: WebhookDelivery }>(`/Webhooks/Test/${webhook.guid}`)).delivery
    expect(await tried()).toMatchObject({ event: 'webhook.test', state: 'delivered', status: 204, attempts: 1 })
    receiver.rule.answer = (_request, response) => response.writeHead(503).end('later')
    expect(await tried()).toMatchObject({ state: 'failed', status: 503, said: 'later', nextAt: null })
    expect((await listed(webhook, '?state=failed')).length).toBe(1)
  })
})

describe('an address that does as it likes', () => {
  const ms = 250
  const trying = async (url: string, options: DeliveryOptions = {}) => {
    const { webhook } = await aWebhook(url)
    const guid = await hand(webhook)
    await goOn({ answerMs: ms, ...options })
    const { state, status, said } = await stored(guid)
    return { state, status, said }
  }

  it('is never followed', async () => {
    const other = await aReceiver()
    receiver.rule.answer = (_request, response) => response.writeHead(307, { location: other.url }).end()
    expect(await trying(receiver.url)).toEqual({ state: 'waiting', status: 307, said: null })
    expect(other.got).toEqual([])
    await other.close()
  })

  it('is told as text, as far as there is room', async () => {
    receiver.rule.answer = (_request, response) =>
      response.writeHead(200).end(`<script>\u0000\u202e${'é'.repeat(1016)}👍👍`)
    const { said, state } = await trying(receiver.url)
    expect([state, said?.length, said?.startsWith('<script>é'), said?.isWellFormed()]).toEqual([
      ...['delivered', 1024, true, true],
    ])
  })

  const head = 'HTTP/1.1 200 OK\r\n'
  it.each<[string, (socket: Socket) => void, object]>([
    ['stalls before a word', () => undefined, { state: 'waiting', status: null, said: unanswered.late }],
    [
      'stalls in the middle',
      (socket) => socket.write(`${head}content-length: 9\r\n\r\nabc`),
      { state: 'waiting', status: null, said: unanswered.late },
    ],
    [
      'drips for ever',
      (socket) => {
        socket.write(`${head}\r\n`)
        const drip = setInterval(() => socket.write('x'), 20)
        socket.once('close', () => clearInterval(drip))
      },
      { state: 'waiting', status: null, said: unanswered.late },
    ],
    [
      'pours for ever',
      (socket) => {
        socket.write(`${head}\r\n`)
        const pour = () => {
          while (socket.writable && socket.write('y'.repeat(65_536)));
        }
        socket.on('drain', pour)
        pour()
      },
      { state: 'delivered', status: 200, said: 'y'.repeat(1024) },
    ],
    [
      'has headers without end',
      (socket) => socket.write(`${head}x: ${'z'.repeat(100_000)}`),
      { state: 'waiting', status: null, said: unanswered.unreadable },
    ],
    ['speaks something else', (socket) => socket.end('220 smtp\r\n'), { status: null, said: unanswered.unreadable }],
    ['hangs up', (socket) => socket.destroy(), { state: 'waiting', status: null, said: unanswered.broken }],
    [
      'hangs up in the middle',
      (socket) => socket.end(`${head}content-length: 9\r\n\r\nabc`),
      { state: 'waiting', status: null, said: unanswered.broken },
    ],
    [
      'speaks another protocol from now on',
      (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
      { state: 'waiting', status: null },
    ],
  ])('is cut off where it %s', async (_what, speak, expected) => {
    const raw = await aRawReceiver(speak)
    expect(await trying(raw.url)).toMatchObject(expected)
    await raw.close()
  })

  it('is asked for anew each time, so a name that turns inwards leads nowhere', async () => {
    const { webhook } = await aWebhook()
    const url = receiver.url.replace('127.0.0.1', 'hooks.example')
    await app.deps.db.updateTable('webhooks').set({ url }).where('guid', '=', webhook.guid).execute()
    const guid = await hand(webhook)
    let address = '169.254.169.254'
    await goOn({ lookup: async () => [{ address }] })
    expect(await stored(guid)).toMatchObject({ state: 'waiting', status: null, said: unanswered.closed })
    address = '127.0.0.1'
    clock += 60_000
    await goOn({ lookup: async () => [{ address }] })
    expect(receiver.got.map(({ headers }) => headers.host)).toEqual([new URL(url).host])
  })

  it('keeps none of the others waiting', async () => {
    const slow = await aRawReceiver(() => undefined)
    const { webhook: stalling } = await aWebhook(slow.url)
    const { webhook: quick } = await aWebhook()
    for (let n = 0; n < 12; n++) await hand(stalling)
    let isOver = false
    const working = deliverDue(ctxOf(), () => !isOver, { answerMs: 3000 })
    await expect.poll(async () => (await listed(stalling)).filter(({ attempts }) => attempts > 0).length).toBe(2)
    const guid = await hand(quick)
    await expect.poll(async () => (await stored(guid)).state).toBe('delivered')
    // No more than two are under way to the one that stalls.
    expect((await listed(stalling)).filter(({ attempts }) => attempts > 0)).toHaveLength(2)
    isOver = true
    await slow.close()
    await working
  })
})

describe('processes', () => {
  it('that work at once make each delivery once', async () => {
    const webhooks = await Promise.all([aWebhook(), aWebhook(), aWebhook()])
    const guids: string[] = []
    for (let n = 0; n < 30; n++) guids.push(await hand((webhooks[n % 3] as One).webhook))
    const second = await aSecondApp(app)
    const reports = await Promise.all([goOn(), deliverDue(ctxOf(second.deps), () => true)])
    await second.close()
    expect(reports.reduce((sum, { succeeded }) => sum + succeeded, 0)).toBe(30)
    expect(receiver.got.map(({ headers }) => headers['brolga-delivery']).toSorted()).toEqual(guids.toSorted())
  })

  it('that die between claim and answer leave it to the next one, and say nothing more of it', async () => {
    const { webhook } = await aWebhook()
    const guid = await hand(webhook)
    const dead = await claimDue(ctxOf())
    expect(dead?.guid).toBe(guid)
    await goOn()
    expect(receiver.got).toHaveLength(0)
    clock += 60_000
    await goOn()
    expect(await stored(guid)).toMatchObject({ state: 'delivered', attempts: 2 })
    receiver.rule.answer = (_request, response) => response.writeHead(410).end()
    if (dead) await deliver(ctxOf(), dead)
    expect(await stored(guid)).toMatchObject({ state: 'delivered', attempts: 2, status: 204 })
    expect((await shown(webhook)).status).toBe('active')
  })

  it('take away what is older than 30 days', async () => {
    const { webhook } = await aWebhook()
    const [old, young] = [await hand(webhook), await hand(webhook)]
    const days = (n: number) => new Date(Date.now() - n * 86_400_000)
    for (const [guid, age] of [
      [old, 31],
      [young, 29],
    ] as const)
      await app.deps.db
        .updateTable('webhookDeliveries')
        .set({ createdAt: days(40), triedAt: days(age) })
        .where('guid', '=', guid)
        .execute()
    await runJobBatch(app.deps, pruneBatch)
    const left = await app.deps.db.selectFrom('webhookDeliveries').select('guid').execute()
    expect(left).toEqual([{ guid: young }])
  })
})
