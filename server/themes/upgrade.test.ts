import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { plainLook } from '../../contract/dress.ts'
import { databaseBefore } from '../../test/support/before-migration.ts'

const at = (day: number) => new Date(`2026-03-${String(day).padStart(2, '0')}T01:00:00.000Z`)

test('versions of themes of before were active when the log says so, and no others were', async () => {
  const { db, migrateOn, drop } = await databaseBefore('theme_version_activated')
  const business = randomUUID()
  await db.query(
    `insert into businesses (guid, legal_name, customers_of, catalogue_of) values ($1, 'Brolga', $1, $1)`,
    [business],
  )
  const { light, dark } = plainLook('#0D9394')
  const aTheme = async (name: string, versions: number, active: number | null) => {
    const theme = randomUUID()
    await db.query('insert into themes (guid, business_guid, name) values ($1, $2, $3)', [theme, business, name])
    for (let number = 1; number <= versions; number++)
      await db.query(
        `insert into theme_versions (theme_guid, number, light, dark, radius, font, footer_html, created_at)
          values ($1, $2, $3, $4, 8, 'system', '{"en":""}', $5)`,
        [theme, number, light, dark, at(number)],
      )
    await db.query(
      `update themes set active_guid = (select guid from theme_versions where theme_guid = $1 and number = $2)
        where guid = $1`,
      [theme, active],
    )
    return theme
  }
  const told = (theme: string, action: string, before: number | null, after: number, day: number) =>
    db.query(
      `insert into audit_log (actor_kind, action, entity, entity_guid, before, after, at)
        values ('system', $1, 'Themes', $2, $3, $4, $5)`,
      [action, theme, { number: before }, { name: 'x', number: after }, at(day)],
    )
  await aTheme('Standard', 1, 1)
  await aTheme('Draft', 2, null)
  const seaside = await aTheme('Seaside', 5, 2)
  // Its third version was refused, and it went back from the fourth; the fifth is not active yet.
  await told(seaside, 'theme.activated', 1, 2, 10)
  await told(seaside, 'theme.updated', null, 3, 11)
  await told(seaside, 'theme.activated', 2, 4, 12)
  await told(seaside, 'theme.rolled_back', 4, 2, 13)
  await migrateOn()
  const { rows } = await db.query<{ name: string; number: number; at: Date | null }>(
    `select t.name, v.number, v.activated_at as at from theme_versions v join themes t on t.guid = v.theme_guid
      order by t.name, v.number`,
  )
  expect(rows.map(({ name, number, at: since }) => [name, number, since?.getUTCDate() ?? null])).toEqual([
    ['Draft', 1, null],
    ['Draft', 2, null],
    ['Seaside', 1, 1],
    ['Seaside', 2, 10],
    ['Seaside', 3, null],
    ['Seaside', 4, 12],
    ['Seaside', 5, null],
    ['Standard', 1, 1],
  ])
  await expect(db.query('update theme_versions set radius = 0')).rejects.toThrow('does not change')
  await drop()
})
