import { type Selectable, sql } from 'kysely'
import type { Language } from '../../contract/core/languages.ts'
import { shownVersions } from '../../contract/core/versions.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { applyRows } from '../core/db/rows.ts'
import type { EmailTemplateTables } from '../core/db/schema-email-templates.ts'
import { userName } from '../core/records.ts'
import { rowColumns } from '../row-scope/row-scope.service.ts'

export type TemplateRow = Selectable<EmailTemplateTables['templates']>
export type VersionRow = Selectable<EmailTemplateTables['templateVersions']>

export const visibleTemplates = (ctx: Ctx) =>
  applyRows(ctx, ctx.db.selectFrom('templates as t'), rowColumns(ctx, 'EmailTemplates', 't'))

/** What a list shows of each. */
export const listedTemplates = (ctx: Ctx) =>
  ctx.db
    .selectFrom('templates as t')
    .select(['t.guid', 't.version', 't.businessGuid', 't.kind', 't.name', 't.category', 't.purpose', 't.status'])
    .select(['t.isDefault', 't.createdAt', 't.updatedAt', 't.archivedAt'])
    .select([
      sql<Language[]>`(select array(select l.language from (values ('en', 1), ('fr', 2), ('ar', 3)) l (language, place)
        where v.languages ? l.language order by l.place) from template_versions v where v.template_guid = t.guid
        order by v.guid = t.active_version_guid desc nulls last, v.number desc limit 1)`.as('languages'),
      sql<number | null>`(select v.number from template_versions v where v.guid = t.active_version_guid)`.as(
        'activeNumber',
      ),
      sql<string>`(select max(v.created_at) from template_versions v where v.template_guid = t.guid)`.as('changedAt'),
    ])

export const findTemplate = (ctx: Ctx, guid: string) =>
  visibleTemplates(ctx).selectAll('t').where('t.guid', '=', guid).executeTakeFirst()

export const lockTemplate = (ctx: Ctx, guid: string) =>
  visibleTemplates(ctx).selectAll('t').where('t.guid', '=', guid).forUpdate('t').executeTakeFirst()

/** The versions of a template, the newest first; the one in use is among them, however old it is. */
export async function findVersions(db: Db, templateGuid: string, activeGuid: string | null) {
  const versions = db
    .selectFrom('templateVersions as v')
    .leftJoin('users as u', 'u.guid', 'v.createdBy')
    .select(['v.guid', 'v.number', 'v.languages', 'v.isFactsOnly', 'v.createdAt', 'v.activatedAt', 'v.proof'])
    .select(userName<string | null>('u').as('createdBy'))
    .where('v.templateGuid', '=', templateGuid)
  const rows = await versions.orderBy('v.number', 'desc').limit(shownVersions).execute()
  const isThere = activeGuid === null || rows.some(({ guid }) => guid === activeGuid)
  return isThere ? rows : [...rows.slice(0, -1), ...(await versions.where('v.guid', '=', activeGuid).execute())]
}

/** A version of a template; none where it is another one's. */
export const findVersion = (db: Db, templateGuid: string, guid: string): Promise<VersionRow | undefined> =>
  db
    .selectFrom('templateVersions')
    .selectAll()
    .where('guid', '=', guid)
    .where('templateGuid', '=', templateGuid)
    .executeTakeFirst()

export const latestVersion = (db: Db, templateGuid: string): Promise<VersionRow> =>
  db
    .selectFrom('templateVersions')
    .selectAll()
    .where('templateGuid', '=', templateGuid)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()

/** The template that a business uses on an occasion, held for whoever puts another in its place. */
export const lockDefault = (db: Db, businessGuid: string, kind: TemplateRow['kind']) =>
  db
    .selectFrom('templates')
    .selectAll()
    .where('businessGuid', '=', businessGuid)
    .where('kind', '=', kind)
    .where('isDefault', '=', true)
    .forUpdate()
    .executeTakeFirst()

export const timeZoneOf = async (db: Db, businessGuid: string): Promise<string> =>
  (await db.selectFrom('businesses').select('timeZone').where('guid', '=', businessGuid).executeTakeFirstOrThrow())
    .timeZone
