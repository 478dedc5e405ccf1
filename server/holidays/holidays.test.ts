import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Business } from '../../contract/businesses.ts'
import type { HolidayOfBusiness, ShownHoliday } from '../../contract/holidays.ts'
import type { Actors } from '../../test/support/actors.ts'
import { ok, startStaffed } from '../../test/support/factories.ts'
import type { Caller, Running } from '../../test/support/start.ts'

let app: Running
let actors: Actors
let office: Caller
beforeAll(async () => {
  ;({ app, actors } = await startStaffed())
  office = actors.office
})
afterAll(() => app.stop())

interface Listed {
  state: string | null
  year: number
  holidays: ShownHoliday[]
  changes: HolidayOfBusiness[]
}
const list = async (query = '', who: Caller = office) => ok(await app.call<Listed>(who, 'GET', `/Holidays${query}`))
const change = (facts: Record<string, unknown>, who: Caller = office) =>
  app.call<{ change: HolidayOfBusiness }>(who, 'POST', '/Holidays', { state: 'QLD', ...facts })
const changed = async (facts: Record<string, unknown>) => ok(await change(facts), 201).change

async function saveBusiness(changes: Partial<Business>) {
  const { items } = ok(await app.call<{ items: Business[] }>(actors.administrator, 'GET', '/Businesses'))
  const path = `/Businesses/${items[0]?.guid ?? ''}`
  const { business } = ok(await app.call<{ business: Business }>(actors.administrator, 'GET', path))
  return app.call<{ business: Business }>(actors.administrator, 'PATCH', path, {
    version: business.version,
    ...changes,
  })
}

describe('the state of holidays', () => {
  it('is the business’s own, or else that of its address; without either nothing is known', async () => {
    expect(await list('?year=2026')).toEqual({ state: null, year: 2026, holidays: [], changes: [] })
    const address = { line1: '1 Swan St', suburb: 'Perth', state: 'WA', postcode: '6000' } as const
    ok(await saveBusiness({ address }))
    expect((await list()).state).toBe('WA')
    const saved = ok(await saveBusiness({ holidayState: 'NT' })).business
    expect(saved.holidayState).toBe('NT')
    const { state, holidays } = await list('?year=2026')
    expect(state).toBe('NT')
    expect(holidays.find(({ day }) => day === '2026-08-03')).toMatchObject({ name: 'Picnic Day', changeGuid: null })
    ok(await saveBusiness({ holidayState: null }))
    expect((await list()).state).toBe('WA')
    expect((await saveBusiness({ holidayState: 'ZZ' as 'NT' })).errors[0]?.path).toBe('holidayState')
  })

  it('can be asked for by another, for the years that are known', async () => {
    const { state, holidays } = await list('?state=SA&year=2028')
    expect(state).toBe('SA')
    expect(holidays.every(({ isProclaimed }) => !isProclaimed)).toBe(true)
    expect((await app.call(office, 'GET', '/Holidays?state=SA&year=1999')).status).toBe(400)
    expect((await app.call(office, 'GET', '/Holidays?state=NZ')).status).toBe(400)
  })
})

describe('a holiday of the business', () => {
  it('is added, changed, and undone', async () => {
    const show = await changed({ day: '2026-08-12', name: 'Royal Queensland Show' })
    expect(show).toMatchObject({ isAdded: true, fromMin: null, version: 1, name: 'Royal Queensland Show' })
    const shown = async () =>
      (await list('?state=QLD&year=2026')).holidays.find(({ day }) => day === '2026-08-12') ?? null
    expect(await shown()).toMatchObject({ isProclaimed: true, changeGuid: show.guid })
    const path = `/Holidays/${show.guid}`
    ok(await app.call(office, 'PATCH', path, { version: 1, name: 'Ekka', fromMin: 720 }))
    expect(await shown()).toMatchObject({ name: 'Ekka', fromMin: 720 })
    expect((await app.call(office, 'PATCH', path, { version: 1, name: 'x' })).error).toBe('STALE_VERSION')
    expect((await app.call(office, 'PATCH', path, { version: 2, day: '2026-08-13' })).status).toBe(400)
    ok(await app.call(office, 'DELETE', path))
    expect(await shown()).toBeNull()
    expect((await app.call(office, 'GET', path)).status).toBe(404)
    expect((await app.call(office, 'DELETE', path)).status).toBe(404)
  })

  it('gives one of the state other hours', async () => {
    await changed({ day: '2027-12-24', name: 'Christmas Eve', fromMin: 720 })
    const { holidays } = await list('?state=QLD&year=2027')
    expect(holidays.filter(({ day }) => day === '2027-12-24')).toMatchObject([{ fromMin: 720 }])
  })

  it('is removed by the name the state gave it, once', async () => {
    const gone = await changed({ day: '2027-03-27', isAdded: false })
    expect(gone).toMatchObject({ name: 'Easter Saturday', isAdded: false })
    const { holidays, changes } = await list('?state=QLD&year=2027')
    expect(holidays.some(({ day }) => day === '2027-03-27')).toBe(false)
    expect(changes.map(({ guid }) => guid)).toContain(gone.guid)
    const again = await change({ day: '2027-03-27', name: 'Holy Saturday' })
    expect([again.status, again.errors[0]?.path]).toEqual([409, 'day'])
    const edit = await app.call(office, 'PATCH', `/Holidays/${gone.guid}`, { version: 1, name: 'x' })
    expect(edit.error).toBe('INVALID_TRANSITION')
    ok(await app.call(office, 'DELETE', `/Holidays/${gone.guid}`))
    expect((await list('?state=QLD&year=2027')).holidays.some(({ day }) => day === '2027-03-27')).toBe(true)
  })

  it.each([
    ['day', { day: '2027-07-01', isAdded: false }],
    ['name', { day: '2027-07-01' }],
    ['day', { day: '1999-07-01', name: 'x' }],
    ['day', { day: '2027-02-30', name: 'x' }],
    ['state', { day: '2027-07-01', name: 'x', state: 'NZ' }],
    ['fromMin', { day: '2027-07-01', name: 'x', fromMin: 1440 }],
    ['fromMin', { day: '2027-12-24', isAdded: false, fromMin: 60 }],
  ])('is refused on %s for %j', async (path, facts) => {
    const refused = await change(facts)
    expect([refused.status, refused.errors[0]?.path]).toEqual([422, path])
  })

  it('is the business’s alone, and made by the office', async () => {
    expect((await change({ day: '2027-07-02', name: 'x' }, actors.sales)).status).toBe(403)
    expect((await change({ day: '2027-07-02', name: 'x' }, actors.readOnly)).status).toBe(403)
    expect((await app.call(actors.field, 'GET', '/Holidays')).status).toBe(403)
    expect((await list('?state=QLD&year=2026', actors.readOnly)).holidays.length).toBeGreaterThan(9)
    await changed({ day: '2029-05-05', name: 'Founders’ day' })
    const sister = ok(
      await app.call<{ business: Business }>(actors.administrator, 'POST', '/Businesses', {
        legalName: 'Sister Pty Ltd',
      }),
      201,
    ).business
    const there = await app.call<Listed>(actors.administrator, 'GET', '/Holidays?state=QLD&year=2029', undefined, {
      'x-business-guid': sister.guid,
    })
    expect(ok(there).changes).toEqual([])
  })

  it('is told in the audit log', async () => {
    const rows = await app.deps.db
      .selectFrom('auditLog')
      .select('action')
      .where('entity', '=', 'Holidays')
      .distinct()
      .orderBy('action')
      .execute()
    expect(rows.map(({ action }) => action)).toEqual([
      'holiday.added',
      'holiday.removed',
      'holiday.undone',
      'holiday.updated',
    ])
  })
})
