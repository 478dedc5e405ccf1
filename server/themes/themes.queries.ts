import { type Selectable, sql } from 'kysely'
import type { Colours } from '../../contract/dress.ts'
import { shownVersions } from '../../contract/core/versions.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { applyRows } from '../core/db/rows.ts'
import type { ThemeTables } from '../core/db/schema-themes.ts'
import { userName } from '../core/records.ts'
import { rowColumns } from '../row-scope/row-scope.service.ts'

export type VersionRow = Selectable<ThemeTables['themeVersions']>

export const visibleThemes = (ctx: Ctx) =>
  applyRows(ctx, ctx.db.selectFrom('themes as t'), rowColumns(ctx, 'Themes', 't'))

const colours = (scheme: 'light' | 'dark') =>
  sql<Colours>`(select ${sql.ref(`v.${scheme}`)} from theme_versions v where v.theme_guid = t.guid
    order by v.guid = t.active_guid desc nulls last, v.number desc limit 1)`

/** What a list shows of each. */
export const listedThemes = (ctx: Ctx) =>
  ctx.db
    .selectFrom('themes as t')
    .select(['t.guid', 't.version', 't.businessGuid', 't.name', 't.status', 't.isDefault'])
    .select(['t.createdAt', 't.updatedAt', 't.archivedAt'])
    .select([
      colours('light').as('light'),
      colours('dark').as('dark'),
      sql<string>`(select max(v.created_at) from theme_versions v where v.theme_guid = t.guid)`.as('changedAt'),
    ])

export const findTheme = (ctx: Ctx, guid: string) =>
  visibleThemes(ctx).selectAll('t').where('t.guid', '=', guid).executeTakeFirst()

export const lockTheme = (ctx: Ctx, guid: string) =>
  visibleThemes(ctx).selectAll('t').where('t.guid', '=', guid).forUpdate('t').executeTakeFirst()

/** The versions of a theme, the newest first; the active one is among them, however old it is. */
export async function findVersions(db: Db, themeGuid: string, activeGuid: string | null) {
  const versions = db
    .selectFrom('themeVersions as v')
    .leftJoin('users as u', 'u.guid', 'v.createdBy')
    .selectAll('v')
    .select(userName<string | null>('u').as('author'))
    .where('v.themeGuid', '=', themeGuid)
  const rows = await versions.orderBy('v.number', 'desc').limit(shownVersions).execute()
  const isThere = activeGuid === null || rows.some(({ guid }) => guid === activeGuid)
  return isThere ? rows : [...rows.slice(0, -1), ...(await versions.where('v.guid', '=', activeGuid).execute())]
}

/** A version of a theme; none where it is another theme's. */
export const findVersion = (db: Db, themeGuid: string, guid: string): Promise<VersionRow | undefined> =>
  db
    .selectFrom('themeVersions')
    .selectAll()
    .where('guid', '=', guid)
    .where('themeGuid', '=', themeGuid)
    .executeTakeFirst()

export const latestVersion = (db: Db, themeGuid: string): Promise<VersionRow> =>
  db
    .selectFrom('themeVersions')
    .selectAll()
    .where('themeGuid', '=', themeGuid)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()

/** The default theme of a business, held for whoever writes a version of it. */
export const lockDefault = (db: Db, businessGuid: string) =>
  db
    .selectFrom('themes')
    .selectAll()
    .where('businessGuid', '=', businessGuid)
    .where('isDefault', '=', true)
    .forUpdate()
    .executeTakeFirst()
