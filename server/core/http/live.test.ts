import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Actors, aPersonWho, seedActors } from '../../../test/support/actors.ts'
import { caughtUp, changesOf, openScreen } from '../../../test/support/live.ts'
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

it('open screens hear what changed, each as far as its rules go', async () => {
  const own = await aPersonWho(app, 'own', [{ subject: 'Users', action: 'read', conditions: { scope: 'own' } }])
  const [boss, sales, mine, guest] = await Promise.all(
    [actors.administrator, actors.sales, own, actors.guest].map((who) => openScreen(address, who)),
  )
  if (!boss || !sales || !mine || !guest) throw new Error('a screen did not open')
  expect([boss.status, boss.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  expect(boss.headers.get('content-security-policy')).toContain("default-src 'none'")
  await caughtUp(app, boss, actors.administrator)
  await app.deps.db.updateTable('users').set({ phone: '1' }).where('guid', '=', actors.field.userGuid).execute()
  await app.deps.db.updateTable('users').set({ phone: '2' }).where('guid', '=', own.userGuid).execute()
  await caughtUp(app, boss, actors.administrator)
  await caughtUp(app, sales, actors.sales)
  await caughtUp(app, mine, own)
  expect(changesOf(boss)).toEqual([
    { noun: 'Users', guid: actors.field.userGuid },
    { noun: 'Users', guid: own.userGuid },
  ])
  expect(changesOf(mine)).toEqual([{ noun: 'Users', guid: own.userGuid }])
  expect([changesOf(sales), guest.heard]).toEqual([[], []])
  for (const screen of [boss, sales, mine, guest]) screen.stop()
})

it('staff are told at once of unread notifications and maintenance, guests of neither', async () => {
  const first = async (who: Caller) => {
    const response = await fetch(`${address}/api/v2/Live`, {
      headers: who.headers,
      signal: AbortSignal.timeout(30_000),
    })
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
  expect(await first(actors.sales)).toEqual({ unread: 0, maintenance: isOff, isHeld: false, isDamaged: false })
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
  expect(await first(actors.administrator)).toEqual({ unread: 0, maintenance: isOff, isHeld: true, isDamaged: false })
  expect(await first(actors.sales)).toMatchObject({ isHeld: true })
  await app.deps.db.deleteFrom('appState').where('key', '=', 'hold').execute()
  app.deps.maintenance.forget()
  expect(await first(actors.guest)).toEqual({})
})

it('staff hear that sending goes on, and that maintenance begins, on the screens they have open', async () => {
  const setHold = () =>
    app.deps.db.insertInto('appState').values({ key: 'hold', value: '{}', updatedAt: new Date() }).execute()
  await setHold()
  const [screen, guest] = await Promise.all([openScreen(address, actors.sales), openScreen(address, actors.guest)])
  await caughtUp(app, screen, actors.sales)
  expect(screen.greetings.at(-1)).toMatchObject({ isHeld: true, maintenance: { isOn: false } })
  await app.deps.db.deleteFrom('appState').where('key', '=', 'hold').execute()
  await caughtUp(app, screen, actors.sales)
  expect(screen.greetings.at(-1)).toMatchObject({ isHeld: false })
  const setMaintenance = (isOn: boolean) =>
    app.call(actors.administrator, 'POST', '/Maintenance', { isOn, message: 'New version' })
  await setMaintenance(true)
  await caughtUp(app, screen, actors.sales)
  expect(screen.greetings.at(-1)).toMatchObject({ maintenance: { isOn: true, message: 'New version' } })
  await setMaintenance(false)
  expect(guest.greetings).toEqual([{}])
  for (const open of [screen, guest]) open.stop()
})

it('a stranger hears nothing', async () => {
  expect((await fetch(`${address}/api/v2/Live`)).status).toBe(401)
})
