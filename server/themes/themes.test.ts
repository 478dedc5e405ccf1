import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contrastOf, inkOn, nearestShade } from '../../contract/contrast.ts'
import { linkOf, plainLook } from '../../contract/dress.ts'
import type { Theme } from '../../contract/themes.ts'
import type { Actors } from '../../test/support/actors.ts'
import { aBusiness, ok, startStaffed } from '../../test/support/factories.ts'
import type { Caller, Running } from '../../test/support/start.ts'

let app: Running
let actors: Actors
beforeAll(async () => {
  ;({ app, actors } = await startStaffed())
})
afterAll(() => app.stop())

type Answered = { theme: Theme }
const listed = async (who: Caller = actors.office, query = '') =>
  ok(await app.call<{ items: Theme[] }>(who, 'GET', `/Messages/Themes${query}`)).items
const standard = async () => {
  const found = (await listed()).find(({ isDefault }) => isDefault)
  return ok(await app.call<Answered>(actors.office, 'GET', `/Messages/Themes/${found?.guid}`)).theme
}
let made = 0
const aTheme = async (change: object = {}) =>
  ok(
    await app.call<Answered>(actors.office, 'POST', '/Messages/Themes', {
      name: `Theme ${++made}`,
      ...plainLook('#0D9394'),
      ...change,
    }),
    201,
  ).theme
const deed = (what: string, { guid, version }: Pick<Theme, 'guid' | 'version'>, versionGuid?: string) =>
  app.call<Answered>(actors.office, 'POST', `/Messages/Themes/${what}/${guid}`, {
    version,
    ...(versionGuid && { versionGuid }),
  })
const activated = async (theme: Theme) => ok(await deed('Activate', theme, theme.latest.guid)).theme
const save = (theme: Pick<Theme, 'guid' | 'version'>, change: object) =>
  app.call<Answered>(actors.office, 'PATCH', `/Messages/Themes/${theme.guid}`, { version: theme.version, ...change })

describe('contrast', () => {
  test('is floored at two decimals, and refuses what is rounded into passing', () => {
    expect(contrastOf('#777777', '#FFFFFF')).toBe(4.47)
    expect(contrastOf('#767676', '#FFFFFF')).toBe(4.54)
    expect(contrastOf('#000000', '#FFFFFF')).toBe(21)
  })
  test('offers the nearest shade that passes on every ground', () => {
    expect(nearestShade('#777777', ['#FFFFFF'])).toBe('#767676')
    expect(nearestShade('#767676', ['#FFFFFF'])).toBe('#767676')
    expect(nearestShade('#808080', ['#000000', '#777777', '#FFFFFF'])).toBe(null)
    for (const colour of ['#FFE600', '#7367F0', '#0D9394', '#000000']) {
      const shade = nearestShade(colour, ['#F4F3F7', '#FFFFFF']) ?? ''
      expect(Math.min(contrastOf(shade, '#F4F3F7'), contrastOf(shade, '#FFFFFF'))).toBeGreaterThanOrEqual(4.5)
    }
  })
  test('writes on a button in white or nearly black, whichever is stronger', () => {
    expect([inkOn('#FFE600'), inkOn('#1565C0')]).toEqual(['#1B1A22', '#FFFFFF'])
  })
  test('is reckoned for businesses of before as it is for new ones', async () => {
    const path = new URL('../core/db/migrations/', import.meta.url)
    const name = readdirSync(path).find((file) => file.endsWith('_themes.sql')) ?? ''
    const migration = readFileSync(new URL(name, path), 'utf8')
    const functions = migration.slice(
      migration.indexOf('create function pg_temp'),
      migration.indexOf('insert into themes'),
    )
    const client = new pg.Client({ ...app.database.owner })
    await client.connect()
    await client.query(functions)
    const { light, dark } = plainLook('#000000')
    for (const colour of ['#7367F0', '#B25E00', '#0D9394', '#FFE600', '#767676', '#123456', '#C2185B', '#aabbcc'])
      for (const { background, surface, text } of [light, dark]) {
        const { rows } = await client.query<{ shade: string }>('select pg_temp.shade($1, $2, $3) as shade', [
          colour,
          [background, surface],
          text,
        ])
        expect(rows[0]?.shade).toBe(linkOf(colour, { background, surface, text }))
      }
    await client.end()
  })
})

describe('a theme', () => {
  test('is there for every business, active and its default', async () => {
    expect(await standard()).toMatchObject({
      name: 'Standard',
      status: 'active',
      isDefault: true,
      active: { number: 1, font: 'public-sans', radius: 8 },
    })
  })

  test('is a draft until a version is activated, and says which colour can’t be read', async () => {
    const look = plainLook('#0D9394')
    const theme = await aTheme({ light: { ...look.light, background: '#FFFFFF', muted: '#777777' } })
    expect(theme).toMatchObject({ status: 'draft', active: null, isDefault: false, latest: { number: 1 } })
    const refused = await deed('Activate', theme, theme.latest.guid)
    expect([refused.status, refused.errors]).toEqual([
      422,
      [{ path: 'light.muted', message: 'Contrast is 4.47 : 1. It must be at least 4.5 : 1.' }],
    ])
    const light = { ...look.light, background: '#FFFFFF', muted: '#767676' }
    const better = ok(await save(theme, { light })).theme
    expect(better.versions.map(({ number }) => number)).toEqual([2, 1])
    const active = await activated(better)
    expect(active).toMatchObject({ status: 'active', active: { number: 2 } })
    const worse = ok(await save(active, { dark: { ...look.dark, link: '#333333' } })).theme
    expect(worse).toMatchObject({ active: { number: 2 }, latest: { number: 3 } })
    expect((await deed('Activate', worse, worse.latest.guid)).errors.map(({ path }) => path)).toEqual(['dark.link'])
  })

  test('keeps its versions as they are, and makes none of a change that changes nothing', async () => {
    const theme = await aTheme()
    const renamed = ok(await save(theme, { name: 'Seaside', radius: 8, light: theme.latest.light })).theme
    expect([renamed.name, renamed.versions.length]).toEqual(['Seaside', 1])
    const versions = app.deps.db.updateTable('themeVersions').set({ radius: 0 }).where('guid', '=', theme.latest.guid)
    await expect(versions.execute()).rejects.toThrow(/permission denied|does not change/)
    const client = new pg.Client({ ...app.database.owner })
    await client.connect()
    await expect(client.query('update theme_versions set radius = 0')).rejects.toThrow('does not change')
    await expect(client.query('delete from theme_versions')).rejects.toThrow('does not change')
    await client.end()
    expect((await save(theme, { radius: 2 })).status).toBe(409)
  })

  test('goes back to a version before the active one, and to no other', async () => {
    const first = await activated(await aTheme())
    const second = await activated(ok(await save(first, { radius: 16 })).theme)
    expect(second.active).toMatchObject({ number: 2, radius: 16 })
    const same = await deed('Activate', second, second.latest.guid)
    expect([same.status, same.message]).toEqual([409, 'Version 2 is already active.'])
    const back = ok(await deed('Rollback', second, first.latest.guid)).theme
    expect([back.active?.number, back.latest.number]).toEqual([1, 2])
    expect((await deed('Rollback', back, second.latest.guid)).status).toBe(409)
    expect((await deed('Activate', back, (await standard()).latest.guid)).status).toBe(404)
    expect(ok(await deed('Activate', back, second.latest.guid)).theme.active?.number).toBe(2)
  })

  test('goes back to no version that never was active', async () => {
    const first = await aTheme()
    const unused = ok(await save(first, { radius: 4 })).theme
    const third = await activated(ok(await save(unused, { radius: 16 })).theme)
    expect(third.versions.map(({ number, activatedAt }) => [number, activatedAt !== null])).toEqual([
      [3, true],
      [2, false],
      [1, false],
    ])
    const back = await deed('Rollback', third, unused.latest.guid)
    expect([back.status, back.message]).toEqual([409, 'This version was never active. Activate it.'])
    // What was active once stays so, whatever is active now.
    const again = ok(await deed('Activate', third, unused.latest.guid)).theme
    expect(again.versions.map(({ activatedAt }) => activatedAt !== null)).toEqual([true, true, false])
    const worn = third.versions[0]?.activatedAt
    expect(again.versions[0]?.activatedAt).toBe(worn)
  })

  test('is archived only while another one is the default', async () => {
    const usual = await standard()
    const gone = await app.call(actors.office, 'DELETE', `/Messages/Themes/${usual.guid}`)
    expect([gone.status, gone.message]).toEqual([409, 'Make another theme the default first.'])
    const draft = await aTheme()
    expect((await deed('Default', draft)).message).toBe('Activate a version of this theme first.')
    const other = ok(await deed('Default', await activated(draft))).theme
    expect(other.isDefault).toBe(true)
    expect((await standard()).guid).toBe(other.guid)
    ok(
      await deed('Default', ok(await app.call<Answered>(actors.office, 'GET', `/Messages/Themes/${usual.guid}`)).theme),
    )
    expect(ok(await app.call<Answered>(actors.office, 'DELETE', `/Messages/Themes/${other.guid}`)).theme.status).toBe(
      'archived',
    )
    expect((await listed(actors.office, '?archived=true')).map(({ guid }) => guid)).toContain(other.guid)
    ok(await app.call(actors.office, 'POST', `/Messages/Themes/Restore/${other.guid}`))
  })

  test('has a name of its own, and a foot without what could run', async () => {
    const theme = await aTheme({ footerHtml: { en: '<p onclick="x()">Open <b>daily</b></p><script>x()</script>' } })
    expect(theme.latest.footerHtml.en).toBe('<p>Open <strong>daily</strong></p>')
    const taken = await save(await aTheme(), { name: theme.name.toUpperCase() })
    expect([taken.status, taken.errors[0]?.message]).toEqual([409, 'Another theme has this name.'])
    for (const change of [{ radius: 17 }, { font: 'comic' }, { light: { ...plainLook('#000000').light, text: 'red' } }])
      expect((await save(theme, change)).status).toBe(422)
  })

  test('is nobody’s who works elsewhere, and changed by nobody without the right', async () => {
    const theme = await aTheme()
    const other = await aBusiness(app, { legalName: 'Other Pty Ltd', abn: null })
    await app.deps.db
      .updateTable('users')
      .set({ businessGuids: [other.guid] })
      .where('guid', '=', actors.office.userGuid)
      .execute()
    expect((await app.call(actors.office, 'GET', `/Messages/Themes/${theme.guid}`)).status).toBe(404)
    expect((await save(theme, { name: 'Mine' })).status).toBe(404)
    expect((await listed()).map(({ name }) => name)).toEqual(['Standard'])
    await app.deps.db
      .updateTable('users')
      .set({ businessGuids: [] })
      .where('guid', '=', actors.office.userGuid)
      .execute()
    for (const who of [actors.field, actors.sales]) {
      const call = await app.call(who, 'PATCH', `/Messages/Themes/${theme.guid}`, { version: 1, name: 'Mine' })
      expect(call.status).toBe(403)
    }
    expect((await app.call(actors.sales, 'GET', `/Messages/Themes/${theme.guid}`)).status).toBe(200)
    expect((await app.call(actors.field, 'GET', '/Messages/Themes')).status).toBe(403)
  })
})

describe('colour and logo of a business', () => {
  const businessOf = async () => {
    const { businessGuid } = await standard()
    type Shown = { business: { guid: string; version: number; primaryColour: string; hasLogo: boolean } }
    return ok(await app.call<Shown>(actors.administrator, 'GET', `/Businesses/${businessGuid}`)).business
  }
  const change = async (body: object) => {
    const { guid, version } = await businessOf()
    return ok(await app.call(actors.administrator, 'PATCH', `/Businesses/${guid}`, { version, ...body }))
  }
  test('are those of its default theme: a change is a version of it, and links follow', async () => {
    const before = await standard()
    await change({ primaryColour: '#B25E00' })
    const after = await standard()
    expect([after.guid, after.active?.number]).toEqual([before.guid, before.latest.number + 1])
    const look = plainLook('#B25E00')
    expect([after.active?.light, after.active?.dark]).toEqual([look.light, look.dark])
    await change({ phone: '02 9000 0000', primaryColour: '#B25E00' })
    expect((await standard()).latest.number).toBe(after.latest.number)
  })
  test('are read from whichever theme becomes the default', async () => {
    const usual = await standard()
    const other = await activated(await aTheme({ light: { ...plainLook('#0D9394').light, primary: '#1565C0' } }))
    ok(await deed('Default', other))
    expect((await businessOf()).primaryColour).toBe('#1565C0')
    ok(await deed('Default', await standardAgain(usual)))
    expect((await businessOf()).primaryColour).toBe('#B25E00')
  })
  const standardAgain = async ({ guid }: Theme) =>
    ok(await app.call<Answered>(actors.office, 'GET', `/Messages/Themes/${guid}`)).theme
  test('come with a logo that stays while other things change, and goes when it is taken away', async () => {
    const base64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
    await change({ logo: { base64 } })
    expect([(await businessOf()).hasLogo, (await standard()).active?.hasLogo]).toEqual([true, true])
    const theme = ok(await save(await standard(), { radius: 3 })).theme
    expect(theme.latest).toMatchObject({ hasLogo: true, logoFileGuid: null, radius: 3 })
    await activated(theme)
    await change({ logo: null })
    expect([(await businessOf()).hasLogo, (await standard()).active]).toMatchObject([false, { radius: 3 }])
  })
})
