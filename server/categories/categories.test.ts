import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Actors } from '../../test/support/actors.ts'
import { ok, startStaffed } from '../../test/support/factories.ts'
import type { Running } from '../../test/support/start.ts'

interface Category {
  guid: string
  version: number
  name: string
  slug: string
  parentGuid: string | null
  position: number
  depth: number
  productCount: number
  archivedAt: string | null
}

let app: Running
let people: Actors
beforeAll(async () => {
  ;({ app, actors: people } = await startStaffed())
})
afterAll(() => app.stop())

const make = async (name: string, body: Record<string, unknown> = {}) =>
  ok(await app.call<{ category: Category }>(people.office, 'POST', '/Products/Categories', { name, ...body }), 201)
    .category
const all = async () => ok(await app.call<{ items: Category[] }>(people.sales, 'GET', '/Products/Categories')).items
const move = (guid: string, body: Record<string, unknown>) =>
  app.call<{ category: Category }>(people.office, 'POST', `/Products/Categories/Move/${guid}`, body)
const now = async (guid: string) => {
  const found = (await all()).find((c) => c.guid === guid)
  if (!found) throw new Error('it is gone')
  return found
}
const namesBelow = async (parentGuid: string | null) =>
  (await all()).filter((c) => c.parentGuid === parentGuid).map((c) => c.name)

describe('categories', () => {
  test('stand behind their parents in the order they were put, with addresses of their own', async () => {
    const site = await make('Site fencing & gates')
    const gates = await make('Gates', { parentGuid: site.guid })
    await make('Panels', { parentGuid: site.guid, position: 1 })
    const events = await make('Events', { position: 1 })
    expect((await all()).map((c) => [c.name, c.depth, c.position])).toEqual([
      ['Events', 1, 1],
      ['Site fencing & gates', 1, 2],
      ['Panels', 2, 1],
      ['Gates', 2, 2],
    ])
    expect([site.slug, gates.slug]).toEqual(['site-fencing-gates', 'gates'])
    expect((await make('Gates', { parentGuid: events.guid })).slug).toBe('gates-2')
    expect((await make('مظلات')).slug).toBe('category')
  })

  test('move with what is inside them, never into themselves and never deeper than five', async () => {
    const [a, b] = [await make('A'), await make('B')]
    const c = await make('C', { parentGuid: b.guid })
    ok(await move(b.guid, { version: b.version, parentGuid: a.guid, position: 1 }))
    expect((await now(c.guid)).depth).toBe(3)
    const circle = await move(a.guid, { version: (await now(a.guid)).version, parentGuid: c.guid, position: 1 })
    expect([circle.status, circle.errors[0]?.path]).toEqual([422, 'parentGuid'])
    const d = await make('D', { parentGuid: c.guid })
    const e = await make('E', { parentGuid: d.guid })
    const sixth = await app.call(people.office, 'POST', '/Products/Categories', { name: 'F', parentGuid: e.guid })
    expect([sixth.status, sixth.errors[0]?.message]).toEqual([422, 'Categories can be five levels deep.'])
    const f = await make('F')
    await make('G', { parentGuid: f.guid })
    expect((await move(f.guid, { version: f.version, parentGuid: d.guid, position: 1 })).status).toBe(422)
    expect((await move(f.guid, { version: 9, position: 1 })).error).toBe('STALE_VERSION')
  })

  test('keep one order when two are moved at once', async () => {
    const top = await make('Top')
    const below: Category[] = []
    for (const name of ['1', '2', '3', '4']) below.push(await make(name, { parentGuid: top.guid }))
    const [one, , , four] = below
    await Promise.all([
      move(one?.guid ?? '', { version: 1, parentGuid: top.guid, position: 4 }),
      move(four?.guid ?? '', { version: 1, parentGuid: top.guid, position: 1 }),
    ])
    const positions = (await all()).filter((c) => c.parentGuid === top.guid).map((c) => c.position)
    expect(positions).toEqual([1, 2, 3, 4])
    expect(await namesBelow(top.guid)).toEqual(expect.arrayContaining(['2', '3']))
  })

  test('cannot be moved into each other by two at once', async () => {
    const [x, y] = [await make('X'), await make('Y')]
    const answers = await Promise.all([
      move(x.guid, { version: 1, parentGuid: y.guid, position: 1 }),
      move(y.guid, { version: 1, parentGuid: x.guid, position: 1 }),
    ])
    expect(answers.map((a) => a.status).toSorted()).toEqual([200, 422])
  })

  test('are renamed, archived when nothing is inside, and restored', async () => {
    const outer = await make('Outer')
    const inner = await make('Inner', { parentGuid: outer.guid })
    const path = `/Products/Categories/${outer.guid}`
    expect((await app.call(people.office, 'DELETE', path)).status).toBe(409)
    ok(await app.call(people.office, 'DELETE', `/Products/Categories/${inner.guid}`))
    ok(await app.call(people.office, 'DELETE', path))
    const alone = await app.call(people.office, 'POST', `/Products/Categories/Restore/${inner.guid}`)
    expect(alone.errors[0]?.path).toBe('parentGuid')
    ok(await app.call(people.office, 'POST', `/Products/Categories/Restore/${outer.guid}`))
    const renamed = await app.call<{ category: Category }>(people.office, 'PATCH', path, { version: 3, name: 'Other' })
    expect(ok(renamed).category).toMatchObject({ name: 'Other', slug: 'outer' })
    const taken = await app.call(people.office, 'PATCH', path, { version: 4, slug: 'events' })
    expect([taken.status, taken.errors[0]?.path]).toEqual([409, 'slug'])
  })

  test('are the office’s to change', async () => {
    expect((await app.call(people.sales, 'POST', '/Products/Categories', { name: 'x' })).status).toBe(403)
  })
})

test('categories count the products in them and in those below, each once', async () => {
  const above = await make('Counted above')
  const below = await make('Counted below', { parentGuid: above.guid })
  for (const categoryGuids of [[below.guid], [above.guid, below.guid]]) {
    const facts = { name: 'Counted', kind: 'goods', unit: 'each', priceCents: 100, categoryGuids }
    ok(await app.call(people.office, 'POST', '/Products', facts), 201)
  }
  expect([(await now(above.guid)).productCount, (await now(below.guid)).productCount]).toEqual([2, 2])
  const { page } = ok(
    await app.call<{ page: { total: { value: number } } }>(people.office, 'GET', `/Products?category=${above.guid}`),
  )
  expect(page.total.value).toBe(2)
})
