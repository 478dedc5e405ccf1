import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Actors, aPerson, aRole, seedActors } from '../../../test/support/actors.ts'
import { type Caller, type Running, startApp } from '../../../test/support/start.ts'

let app: Running
let actors: Actors
let address: string
beforeAll(async () => {
  app = await startApp()
  actors = await seedActors(app)
  address = await app.listen()
})
afterAll(() => app.stop())

async function listen(who: Caller) {
  const heard: string[] = []
  const abort = new AbortController()
  const response = await fetch(`${address}/api/v2/Live`, { headers: who.headers, signal: abort.signal })
  const ended = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? [])
      heard.push(
        ...decoder
          .decode(chunk as Uint8Array)
          .split('\n')
          .filter((line) => line.startsWith('data: {"noun"'))
          .map((line) => line.slice(6)),
      )
  })().catch(() => undefined)
  return {
    heard,
    status: response.status,
    type: response.headers.get('content-type'),
    csp: response.headers.get('content-security-policy'),
    stop: () => abort.abort(),
    ended,
  }
}

it('open screens hear what changed, each as far as its rules go', async () => {
  const own = await aPerson(
    app,
    'own',
    await aRole(app, 'Own users', [{ subject: 'Users', action: 'read', conditions: { scope: 'own' } }]),
  )
  const listeners = {
    boss: await listen(actors.administrator),
    sales: await listen(actors.sales),
    own: await listen(own),
    guest: await listen(actors.guest),
  }
  expect([listeners.boss.status, listeners.boss.type]).toEqual([200, 'text/event-stream; charset=utf-8'])
  expect(listeners.boss.csp).toContain("default-src 'none'")
  await sleep(300)
  await app.deps.db.updateTable('users').set({ phone: '1' }).where('guid', '=', actors.field.userGuid).execute()
  await app.deps.db.updateTable('users').set({ phone: '2' }).where('guid', '=', own.userGuid).execute()
  await sleep(400)
  expect(listeners.boss.heard).toEqual([
    JSON.stringify({ noun: 'Users', guid: actors.field.userGuid }),
    JSON.stringify({ noun: 'Users', guid: own.userGuid }),
  ])
  expect(listeners.own.heard).toEqual([JSON.stringify({ noun: 'Users', guid: own.userGuid })])
  expect([listeners.sales.heard, listeners.guest.heard]).toEqual([[], []])
  for (const listener of Object.values(listeners)) listener.stop()
})

it('staff are told at once how many notifications are unread and whether there is maintenance, guests nothing', async () => {
  const first = async (who: Caller) => {
    const response = await fetch(`${address}/api/v2/Live`, { headers: who.headers, signal: AbortSignal.timeout(5000) })
    const { value } = (await response.body?.getReader().read()) ?? {}
    return JSON.parse(
      new TextDecoder()
        .decode(value)
        .split('\n')
        .find((line) => line.startsWith('data: '))
        ?.slice(6) ?? '',
    ) as unknown
  }
  const isOff = expect.objectContaining({ isOn: false })
  expect(await first(actors.sales)).toEqual({ unread: 0, maintenance: isOff, isHeld: false })
  await app.deps.db
    .insertInto('notifications')
    .values({
      userGuid: actors.sales.userGuid,
      event: crypto.randomUUID(),
      kind: 'quote.accepted',
      noun: 'Quotes',
      recordGuid: actors.sales.userGuid,
      details: '{}',
    })
    .execute()
  expect(await first(actors.sales)).toMatchObject({ unread: 1 })
  await app.deps.db.insertInto('appState').values({ key: 'hold', value: '{}', updatedAt: new Date() }).execute()
  app.deps.maintenance.forget()
  expect(await first(actors.administrator)).toEqual({ unread: 0, maintenance: isOff, isHeld: true })
  expect(await first(actors.sales)).toMatchObject({ isHeld: false })
  await app.deps.db.deleteFrom('appState').where('key', '=', 'hold').execute()
  app.deps.maintenance.forget()
  expect(await first(actors.guest)).toEqual({})
})

it('a stranger hears nothing', async () => {
  expect((await fetch(`${address}/api/v2/Live`)).status).toBe(401)
})
