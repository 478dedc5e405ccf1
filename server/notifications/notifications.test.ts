import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Notification } from '../../contract/notifications.ts'
import { type Actors, aGuest, aPersonWho, seedActors } from '../../test/support/actors.ts'
import { aBusiness, aCustomer, aSentQuote, ok } from '../../test/support/factories.ts'
import { tellPeople } from '../../test/support/account-emails.ts'
import { caughtUp, changesOf, openScreen, type Screen } from '../../test/support/live.ts'
import { type Caller, type Running, startApp } from '../../test/support/start.ts'

let app: Running
let actors: Actors
let address: string
beforeAll(async () => {
  app = await startApp()
  actors = await seedActors(app)
  await aBusiness(app, { abn: '53004085616' })
  address = await app.listen()
})
afterAll(() => app.stop())

interface Page {
  items: Notification[]
  unread: number
}
const of = async (who: Caller, query = '') => ok(await app.call<Page>(who, 'GET', `/Notifications${query}`))
async function sent() {
  const customer = await aCustomer(app, actors.office, { displayName: 'Harbour Cafe' })
  return aSentQuote(app, actors.office, customer.guid, { title: 'Shade sails' })
}
const decline = async ({ serviceGuid, documentSha256 }: Awaited<ReturnType<typeof sent>>) =>
  ok(
    await app.call(await aGuest(app), 'POST', `/Service/Quotes/Decline/${serviceGuid}`, {
      documentSha256,
      reasonCode: 'price',
      note: 'too dear',
    }),
  )

it('a guest’s answer is told to those who may read the quote, once, and to nobody else', async () => {
  const own = await aPersonWho(app, 'own', [{ subject: 'Quotes', action: 'manage', conditions: { scope: 'own' } }])
  const quote = await sent()
  await decline(quote)
  const waiting = await app.deps.db.selectFrom('notifications').select('guid').execute()
  expect(waiting).toEqual([])
  await tellPeople(app)
  const { items, unread } = await of(actors.sales)
  expect(unread).toBe(1)
  expect(items[0]).toMatchObject({
    kind: 'quote.declined',
    noun: 'Quotes',
    recordGuid: quote.guid,
    readAt: null,
    values: {
      number: quote.number,
      title: 'Shade sails',
      customerName: 'Harbour Cafe',
      reason: 'price',
      note: 'too dear',
    },
  })
  for (const who of [actors.field, actors.emptyRole, own]) expect((await of(who)).items).toEqual([])
})

it('what staff does itself is no news', async () => {
  const before = (await of(actors.sales)).items.length
  const quote = await sent()
  ok(
    await app.call(actors.office, 'POST', `/Quotes/Accept/${quote.guid}`, {
      version: quote.version,
      name: 'Jo',
      method: 'phone',
    }),
  )
  await tellPeople(app)
  expect((await of(actors.sales)).items).toHaveLength(before)
})

it('notifications are read one by one or all at once, each person his own', async () => {
  for (let i = 0; i < 3; i++) {
    const quote = await sent()
    await decline(quote)
  }
  await tellPeople(app)
  const mine = await of(actors.office)
  const theirs = await of(actors.sales)
  const [first] = mine.items
  expect(
    ok(
      await app.call<Page>(actors.office, 'POST', '/Notifications/Read', {
        guids: [first?.guid, theirs.items[0]?.guid],
      }),
    ).unread,
  ).toBe(mine.unread - 1)
  expect((await of(actors.sales)).unread).toBe(theirs.unread)
  expect((await of(actors.office, '?unread=true')).items.map((n) => n.guid)).not.toContain(first?.guid)
  expect(
    ok(await app.call<Page>(actors.office, 'POST', '/Notifications/Read', { guids: [first?.guid], isRead: false }))
      .unread,
  ).toBe(mine.unread)
  expect(ok(await app.call<Page>(actors.office, 'POST', '/Notifications/ReadAll')).unread).toBe(0)
  const paged = await app.call<{ items: Notification[]; page: { next: string | null } }>(
    actors.sales,
    'GET',
    '/Notifications?size=2',
  )
  expect(paged.data.items).toHaveLength(2)
  expect(
    (await app.call<Page>(actors.sales, 'GET', `/Notifications?size=2&after=${paged.data.page.next}`)).data.items[0]
      ?.guid,
  ).not.toBe(paged.data.items[1]?.guid)
})

it('a person hears only of the kinds he wants', async () => {
  const saved = ok(
    await app.call<{ kinds: { kind: string; isOn: boolean }[] }>(
      actors.accountant,
      'PATCH',
      '/Notifications/Preferences',
      { kinds: [{ kind: 'quote.declined', isOn: false }] },
    ),
  )
  expect(saved.kinds.filter((k) => !k.isOn).map((k) => k.kind)).toEqual(['quote.declined'])
  const before = (await of(actors.accountant)).items.length
  const quote = await sent()
  await decline(quote)
  await tellPeople(app)
  expect((await of(actors.accountant)).items).toHaveLength(before)
  expect(
    ok(
      await app.call<{ kinds: { kind: string; isOn: boolean }[] }>(
        actors.accountant,
        'PATCH',
        '/Notifications/Preferences',
        { kinds: [{ kind: 'quote.declined', isOn: true }] },
      ),
    ).kinds.every((k) => k.isOn),
  ).toBe(true)
})

it('work that is given to somebody is told to him, and his screen hears of it at once, nobody else’s', async () => {
  const [his, theirs] = [await openScreen(address, actors.field), await openScreen(address, actors.office)]
  await caughtUp(app, his, actors.field)
  const customer = await aCustomer(app, actors.office)
  const { order } = ok(
    await app.call<{ order: { guid: string; number: string; assigned: { name: string } } }>(
      actors.office,
      'POST',
      '/Orders',
      { customerGuid: customer.guid, title: 'Fit blinds', assignedGuid: actors.field.userGuid },
    ),
    201,
  )
  expect(order.assigned.name).toBe('field')
  await tellPeople(app)
  expect((await of(actors.field)).items[0]).toMatchObject({
    kind: 'order.assigned',
    noun: 'Orders',
    recordGuid: order.guid,
    values: { number: order.number, title: 'Fit blinds' },
  })
  const { items } = ok(
    await app.call<{ items: { what: string; values: object }[] }>(
      actors.office,
      'GET',
      `/Orders/Timeline/${order.guid}`,
    ),
  )
  expect(items.find((i) => i.what === 'order.assigned')?.values).toMatchObject({ number: order.number, name: 'field' })
  await caughtUp(app, his, actors.field)
  await caughtUp(app, theirs, actors.office)
  his.stop()
  theirs.stop()
  const told = (screen: Screen) => changesOf(screen).filter(({ noun }) => noun === 'Notifications').length
  expect([told(his), told(theirs)]).toEqual([1, 0])
  expect(
    (
      await app.call(actors.office, 'POST', '/Orders', {
        customerGuid: customer.guid,
        title: 'x',
        assignedGuid: customer.guid,
      })
    ).errors,
  ).toEqual([{ path: 'assignedGuid', message: 'Choose an active user who works in this business.' }])
})

it('an order that moves is told to whoever does the work and whoever it is of, and not its mover', async () => {
  const customer = await aCustomer(app, actors.office)
  const { order } = ok(
    await app.call<{ order: { guid: string; number: string; version: number } }>(actors.office, 'POST', '/Orders', {
      customerGuid: customer.guid,
      title: 'Fit doors',
      assignedGuid: actors.field.userGuid,
      lines: [{ name: 'Door', unitPriceCents: 100 }],
    }),
    201,
  )
  const move = async (who: Caller, deed: string, version: number, reason?: string) =>
    ok(
      await app.call<{ order: { version: number } }>(who, 'POST', `/Orders/Status/${order.guid}`, {
        version,
        deed,
        ...(reason ? { reason } : {}),
      }),
    ).order.version
  const movesTold = async (who: Caller) =>
    (await of(who)).items.flatMap((i) => (i.kind === 'order.moved' ? [[i.recordGuid, i.values]] : []))
  const values = { number: order.number, customerName: expect.any(String) as string, deed: 'hold', reason: 'Rain' }
  const held = await move(actors.administrator, 'hold', order.version, 'Rain')
  await tellPeople(app)
  for (const who of [actors.field, actors.office]) expect(await movesTold(who)).toEqual([[order.guid, values]])
  expect(await movesTold(actors.administrator)).toEqual([])
  // Who does it himself knows.
  await move(actors.field, 'start', held)
  await tellPeople(app)
  expect(await movesTold(actors.field)).toHaveLength(1)
  expect(await movesTold(actors.office)).toHaveLength(2)
})
