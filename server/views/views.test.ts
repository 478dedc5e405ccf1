import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { maxViews, type View } from '../../contract/views.ts'
import { type Actors, aPerson, seedActors } from '../../test/support/actors.ts'
import { type Caller, type Running, startApp } from '../../test/support/start.ts'

let app: Running
let actors: Actors
beforeAll(async () => {
  app = await startApp()
  actors = await seedActors(app)
})
afterAll(() => app.stop())

const quotes = 'Quotes:Preview:All'
const values = { status: 'sent,viewed', sort: '-totalCents', columns: 'number,totalCents' }
const save = (who: Caller, name: string, more: object = {}) =>
  app.call<{ view: View }>(who, 'POST', '/Views', { subject: quotes, name, values, ...more })
const namesOf = async (who: Caller, subject = quotes) =>
  (await app.call<{ items: View[] }>(who, 'GET', `/Views?subject=${subject}`)).data.items.map((view) => view.name)

describe('a view of a list', () => {
  it('is kept under a name, changed and removed, and is one’s own', async () => {
    const { status, data } = await save(actors.sales, 'Waiting', { values: { ...values, page: '3', after: 'abc' } })
    expect([status, data.view]).toEqual([
      201,
      expect.objectContaining({ name: 'Waiting', values, isShared: false, isOwn: true, version: 1 }),
    ])
    const renamed = await app.call<{ view: View }>(actors.sales, 'PATCH', `/Views/${data.view.guid}`, {
      version: 1,
      name: 'Not answered',
      values: { status: 'sent' },
    })
    expect(renamed.data.view).toMatchObject({ name: 'Not answered', values: { status: 'sent' }, version: 2 })
    const late = await app.call(actors.sales, 'PATCH', `/Views/${data.view.guid}`, { version: 1, name: 'Late' })
    expect([late.status, late.error]).toEqual([409, 'STALE_VERSION'])
    expect(await namesOf(actors.office)).toEqual([])
    for (const [method, path, body] of [
      ['PATCH', '', { version: 2, name: 'Mine' }],
      ['DELETE', '', undefined],
    ] as const)
      expect((await app.call(actors.office, method, `/Views${path}/${data.view.guid}`, body)).status).toBe(404)
    expect((await app.call(actors.sales, 'DELETE', `/Views/${data.view.guid}`)).status).toBe(200)
    expect(await namesOf(actors.sales)).toEqual([])
  })
  it('has a name of its own, whatever its capitals', async () => {
    await save(actors.sales, 'Large')
    const again = await save(actors.sales, 'LARGE')
    expect([again.status, again.errors]).toEqual([
      409,
      [{ path: 'name', message: 'You already have a view with this name.' }],
    ])
    expect((await save(actors.office, 'Large')).status).toBe(201)
  })
  it('is refused when it makes no sense', async () => {
    for (const [body, path] of [
      [{ name: ' ' }, 'name'],
      [{ subject: 'Nothing:At:All' }, 'subject'],
      [{ values: { 'a b': 'x' } }, 'values'],
      [{ values: { status: '' } }, 'values'],
      [
        {
          values: Object.fromEntries(
            Array.from({ length: 31 }, (_, i) => [`f${'abcdefghijklmnopqrstuvwxyzABCDEF'[i]}`, 'x']),
          ),
        },
        'values',
      ],
    ] as const) {
      const refused = await save(actors.office, 'Wrong', body)
      expect([refused.status, refused.errors[0]?.path.split('.')[0]]).toEqual([422, path])
    }
    expect((await save(actors.field, 'Not mine to see')).status).toBe(403)
    expect((await save(actors.guest, 'Guest')).status).toBe(403)
    expect((await app.call(null, 'POST', '/Views', { subject: quotes, name: 'Nobody', values })).status).toBe(401)
  })
  it('stands beside forty-nine others of the same list', async () => {
    const many = await aPerson(app, 'collector', actors.roles.Office)
    await Promise.all(Array.from({ length: maxViews }, (_, i) => save(many, `View ${i}`)))
    const more = await save(many, 'One too many')
    expect([more.status, more.message]).toEqual([409, 'You have 50 views of this list. Remove one first.'])
    expect((await save(many, 'Another list', { subject: 'Orders:Preview:All' })).status).toBe(201)
  })
})

describe('a shared view', () => {
  it('is seen by those who may read the list, and changed by its owner alone', async () => {
    const { data } = await save(actors.office, 'For everybody')
    const shared = await app.call<{ view: View }>(actors.office, 'POST', `/Views/Share/${data.view.guid}`, {
      version: 1,
      isShared: true,
    })
    expect(shared.data.view).toMatchObject({ isShared: true, version: 2 })
    const seen = (await app.call<{ items: View[] }>(actors.readOnly, 'GET', `/Views?subject=${quotes}`)).data.items
    expect(seen).toEqual([expect.objectContaining({ name: 'For everybody', isOwn: false, isShared: true, values })])
    expect(await namesOf(actors.field)).toEqual([])
    expect(
      (await app.call(actors.readOnly, 'PATCH', `/Views/${data.view.guid}`, { version: 2, name: 'Taken' })).status,
    ).toBe(403)
    expect((await app.call(actors.readOnly, 'DELETE', `/Views/${data.view.guid}`)).status).toBe(403)
    expect((await app.call(actors.field, 'DELETE', `/Views/${data.view.guid}`)).status).toBe(404)
    const lines = await app.deps.db
      .selectFrom('auditLog')
      .select('action')
      .where('entityGuid', '=', data.view.guid)
      .execute()
    expect(lines.map((line) => line.action)).toEqual(['view.shared'])
  })
  it('is made by who has the right, and taken back by them, whoever made it', async () => {
    const own = await save(actors.sales, 'Sales only')
    expect(
      (await app.call(actors.sales, 'POST', `/Views/Share/${own.data.view.guid}`, { version: 1, isShared: true }))
        .status,
    ).toBe(403)
    expect(
      (
        await app.call(actors.administrator, 'POST', `/Views/Share/${own.data.view.guid}`, {
          version: 1,
          isShared: true,
        })
      ).status,
    ).toBe(404)
    const [view] = (await app.call<{ items: View[] }>(actors.administrator, 'GET', `/Views?subject=${quotes}`)).data
      .items
    const taken = await app.call<{ view: View }>(actors.administrator, 'POST', `/Views/Share/${view?.guid}`, {
      version: view?.version,
      isShared: false,
    })
    expect([view?.name, taken.status, taken.data.view.isShared]).toEqual(['For everybody', 200, false])
    expect(
      (await app.call(actors.administrator, 'POST', `/Views/Share/${view?.guid}`, { version: 3, isShared: true }))
        .status,
    ).toBe(404)
    expect(await namesOf(actors.office)).toContain('For everybody')
  })
})

describe('how somebody likes a list', () => {
  interface Lists {
    lists: object[]
  }
  const keep = (who: Caller, body: object) => app.call(who, 'PATCH', '/Views/Defaults', body)
  const listsOf = async (who: Caller) =>
    (await app.call<Lists>(who, 'GET', '/Kernal/Auth/Roles/Permissions')).data.lists
  it('is kept for him alone, part by part, and comes with his rights', async () => {
    expect(await listsOf(actors.sales)).toEqual([])
    expect((await keep(actors.sales, { subject: quotes, columns: ['number', 'totalCents'] })).status).toBe(200)
    const { data } = await keep(actors.sales, { subject: quotes, sort: '-totalCents', size: 25 })
    const defaults = { subject: quotes, columns: ['number', 'totalCents'], sort: '-totalCents', size: 25 }
    expect(data).toEqual({ defaults })
    expect(await listsOf(actors.sales)).toEqual([defaults])
    expect(await listsOf(actors.office)).toEqual([])
    expect((await app.call<Lists>(null, 'GET', '/Kernal/Auth/Roles/Permissions')).data.lists).toEqual([])
    await keep(actors.sales, { subject: quotes, columns: null, sort: null, size: null })
    expect(await listsOf(actors.sales)).toEqual([{ subject: quotes, columns: null, sort: null, size: null }])
  })
  it('is what the list itself takes', async () => {
    for (const [body, path] of [
      [{ subject: 'Nothing:At:All', size: 10 }, 'subject'],
      [{ subject: quotes, sort: 'nothing' }, 'sort'],
      [{ subject: quotes, size: 7 }, 'size'],
      [{ subject: quotes, columns: [] }, 'columns'],
      [{ subject: quotes, columns: ['a b'] }, 'columns.0'],
    ] as const) {
      const { status, errors } = await keep(actors.sales, body)
      expect([body, status, errors[0]?.path]).toEqual([body, 422, path])
    }
    expect((await keep(actors.field, { subject: 'Users:Preview:All', size: 10 })).status).toBe(403)
  })
})
