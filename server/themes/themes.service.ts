import { sql } from 'kysely'
import { invalidTransition, notFound, refuseFields, alreadyExists } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { type Look, plainLook, weakProblems, withPrimary } from '../../contract/dress.ts'
import { type ThemeVersion, themesApi } from '../../contract/themes.ts'
import type { BusinessRow } from '../core/business.ts'
import { archiving, writeArchived } from '../core/bulk.ts'
import type { Ctx, Db, Handlers } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { checkVersion } from '../core/db/rows.ts'
import { newGuid } from '../core/guid.ts'
import { sayConstraints } from '../core/http/errors.ts'
import { listsIn, namesIn, reachOf } from '../core/reach.ts'
import { archivedIf, firstStamp, stamp } from '../core/records.ts'
import {
  findTheme,
  findVersion,
  findVersions,
  latestVersion,
  listedThemes,
  lockDefault,
  lockTheme,
  visibleThemes,
} from './themes.queries.ts'
import { changedContent, insertVersion, isSame, noLogos, type VersionContent } from './versions.ts'

type Api = typeof themesApi
type ThemeRow = NonNullable<Awaited<ReturnType<typeof lockTheme>>>

const nameTaken = 'Another theme has this name.'
sayConstraints({ theme_name_taken: ['ALREADY_EXISTS', nameTaken, 'name'] })

const shown = (row: Awaited<ReturnType<typeof findVersions>>[number]): ThemeVersion => ({
  ...row,
  hasLogo: row.logoSha256 !== null,
  hasLogoDark: row.logoDarkSha256 !== null,
  createdBy: row.author,
})

async function one(ctx: Ctx, guid: string) {
  const row = await findTheme(ctx, guid)
  if (!row) throw notFound()
  const versions = (await findVersions(ctx.db, guid, row.activeGuid)).map(shown)
  const [latest] = versions
  if (!latest) throw new Error('a theme has a version')
  return { theme: { ...row, versions, latest, active: versions.find((v) => v.guid === row.activeGuid) ?? null } }
}

async function list(ctx: Ctx, input: Input<Api['list']>) {
  const reach = await reachOf(ctx, input)
  const { search } = input
  const page = await pageOf({
    query: listedThemes(ctx),
    found: visibleThemes(ctx).where(archivedIf('t', input.archived)),
    lists: listsIn(reach, 't.businessGuid'),
    within: search ? [sql<boolean>`position(lower(${search}) in lower(t.name)) > 0`] : [],
    input,
    sorts: { name: 't.name', createdAt: 't.createdAt' },
    guid: 't.guid',
    defaultSort: 'name',
  })
  return { ...page, items: page.items.map((item) => ({ ...item, businessName: namesIn(reach, item.businessGuid) })) }
}

async function lock(ctx: Ctx, guid: string): Promise<ThemeRow> {
  const row = await lockTheme(ctx, guid)
  if (!row) throw notFound()
  return row
}

async function checkName(ctx: Ctx, businessGuid: string, name: string, except: string) {
  const other = await ctx.db
    .selectFrom('themes')
    .select('guid')
    .where('businessGuid', '=', businessGuid)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .where('archivedAt', 'is', null)
    .where('guid', '<>', except)
    .executeTakeFirst()
  if (other) throw alreadyExists('name', nameTaken)
}

const empty: VersionContent = { ...plainLook('#675DD8'), ...noLogos }

async function create(ctx: Ctx, { name, ...look }: Input<Api['create']>) {
  const guid = newGuid()
  const businessGuid = ctx.business.guid
  await checkName(ctx, businessGuid, name, guid)
  const content = await changedContent(ctx, empty, look)
  await ctx.db
    .insertInto('themes')
    .values({ guid, businessGuid, name, ...firstStamp(ctx) })
    .execute()
  await insertVersion(ctx, guid, 1, content)
  ctx.audit({ action: 'theme.created', entity: 'Themes', guid, after: { name } })
  return one(ctx, guid)
}

/** The next version of a theme that is held. */
async function addVersion(
  ctx: Ctx,
  row: Pick<ThemeRow, 'guid'>,
  change: (latest: VersionContent) => Promise<VersionContent>,
) {
  const latest = await latestVersion(ctx.db, row.guid)
  const next = await change(latest)
  if (isSame(latest, next)) return { guid: latest.guid, number: latest.number, isNew: false }
  const number = latest.number + 1
  return { guid: await insertVersion(ctx, row.guid, number, next), number, isNew: true }
}

async function update(ctx: Ctx, { guid, version, name, ...look }: Input<Api['update']>) {
  const before = await lock(ctx, guid)
  await checkVersion(before, version, themesApi.get, () => one(ctx, guid))
  if (name !== undefined && before.archivedAt === null) await checkName(ctx, before.businessGuid, name, guid)
  const added = await addVersion(ctx, before, (latest) => changedContent(ctx, latest, look))
  await ctx.db
    .updateTable('themes')
    .set({ name: name ?? before.name, ...stamp(ctx, before.version) })
    .where('guid', '=', guid)
    .execute()
  ctx.audit({
    action: 'theme.updated',
    entity: 'Themes',
    guid,
    before: { name: before.name },
    after: { name: name ?? before.name, ...(added.isNew ? { number: added.number } : {}) },
  })
  return one(ctx, guid)
}

const refuseWeak = (look: Look) => refuseFields(weakProblems(look))

async function wear(ctx: Ctx, row: Pick<ThemeRow, 'guid' | 'version'>, activeGuid: string, more: object = {}) {
  await ctx.db
    .updateTable('themes')
    .set({ activeGuid, ...more, ...stamp(ctx, row.version) })
    .where('guid', '=', row.guid)
    .execute()
}

/** Has another version dress what is made from now on: a later one, or one before it. */
const activating =
  (isBack: boolean) =>
  async (ctx: Ctx, { guid, version, versionGuid }: Input<Api['activate']>) => {
    const row = await lock(ctx, guid)
    await checkVersion(row, version, themesApi.get, () => one(ctx, guid))
    if (row.archivedAt !== null) throw invalidTransition('This theme is archived. Restore it first.')
    const wanted = await findVersion(ctx.db, guid, versionGuid)
    if (!wanted) throw notFound('We can’t find that version.')
    if (row.activeGuid === wanted.guid) throw invalidTransition(`Version ${wanted.number} is already active.`)
    const active = row.activeGuid ? await findVersion(ctx.db, guid, row.activeGuid) : undefined
    if (isBack && !(active && wanted.number < active.number))
      throw invalidTransition('Choose a version before the active one.')
    if (isBack && wanted.activatedAt === null) throw invalidTransition('This version was never active. Activate it.')
    refuseWeak(wanted)
    await wear(ctx, row, wanted.guid)
    ctx.audit({
      action: isBack ? 'theme.rolled_back' : 'theme.activated',
      entity: 'Themes',
      guid,
      before: { number: active?.number ?? null },
      after: { name: row.name, number: wanted.number },
    })
    return one(ctx, guid)
  }

async function makeDefault(ctx: Ctx, { guid, version }: Input<Api['makeDefault']>) {
  const row = await lock(ctx, guid)
  await checkVersion(row, version, themesApi.get, () => one(ctx, guid))
  if (row.status !== 'active') throw invalidTransition('Activate a version of this theme first.')
  if (row.isDefault) throw invalidTransition('This theme is already the default.')
  const before = await lockDefault(ctx.db, row.businessGuid)
  if (before)
    await ctx.db
      .updateTable('themes')
      .set({ isDefault: false, ...stamp(ctx, before.version) })
      .where('guid', '=', before.guid)
      .execute()
  await ctx.db
    .updateTable('themes')
    .set({ isDefault: true, ...stamp(ctx, row.version) })
    .where('guid', '=', guid)
    .execute()
  ctx.audit({
    action: 'theme.made_default',
    entity: 'Themes',
    guid,
    before: { name: before?.name ?? null },
    after: { name: row.name },
  })
  return one(ctx, guid)
}

async function setArchived(ctx: Ctx, guid: string, isArchived: boolean) {
  const row = await lock(ctx, guid)
  if ((row.archivedAt !== null) === isArchived)
    throw invalidTransition(isArchived ? 'This theme is already archived.' : 'This theme isn’t archived.')
  if (isArchived && row.isDefault) throw invalidTransition('Make another theme the default first.')
  if (!isArchived) await checkName(ctx, row.businessGuid, row.name, guid)
  await writeArchived(ctx, 'Themes', row, isArchived)
}

export const themes: Omit<Handlers<Api>, 'preview'> = {
  list,
  get: (ctx, { guid }) => one(ctx, guid),
  create,
  update,
  activate: activating(false),
  rollback: activating(true),
  makeDefault,
  ...archiving('Themes', setArchived, one),
}

/** A theme before it is saved, for whoever may read it: a version of it, with what was changed since. */
export async function draftOf(ctx: Ctx, { guid, versionGuid, draft }: Input<Api['preview']>) {
  const row = await findTheme(ctx, guid)
  if (!row) throw notFound()
  const version = versionGuid ? await findVersion(ctx.db, guid, versionGuid) : await latestVersion(ctx.db, guid)
  if (!version) throw notFound('We can’t find that version.')
  return {
    businessGuid: row.businessGuid,
    version: { ...version, ...(await changedContent(ctx, version, draft ?? {})) },
  }
}

/** Whoever changes the colour of a business holds its theme before the business, as whoever activates a theme does. */
export const holdDefaultTheme = async (db: Db, businessGuid: string): Promise<void> =>
  void (await lockDefault(db, businessGuid))

interface BusinessLook {
  primaryColour: string
  logo?: { sha256: string; mime: string } | null
}

const logoColumns = (logo: BusinessLook['logo']) =>
  logo === undefined ? {} : { logoFileGuid: null, logoSha256: logo?.sha256 ?? null, logoMime: logo?.mime ?? null }

/** The theme a new business wears. */
export async function firstTheme(ctx: Ctx, business: Pick<BusinessRow, 'guid' | 'primaryColour'>): Promise<void> {
  const guid = newGuid()
  const row = { guid, businessGuid: business.guid, name: 'Standard' }
  await ctx.db
    .insertInto('themes')
    .values({ ...row, ...firstStamp(ctx) })
    .execute()
  const activeGuid = await insertVersion(ctx, guid, 1, { ...plainLook(business.primaryColour), ...noLogos })
  await ctx.db.updateTable('themes').set({ activeGuid, isDefault: true }).where('guid', '=', guid).execute()
}

/**
 * Colour and logo of a business are those of its default theme: changing them is a version of it, active at once. Links
 * that had a shade of the old colour get one of the new.
 */
export async function dressBusiness(ctx: Ctx, businessGuid: string, wanted: BusinessLook): Promise<void> {
  const row = await lockDefault(ctx.db, businessGuid)
  if (!row?.activeGuid) {
    await firstTheme(ctx, { guid: businessGuid, primaryColour: wanted.primaryColour })
    if (wanted.logo) await dressBusiness(ctx, businessGuid, wanted)
    return
  }
  const active = await findVersion(ctx.db, row.guid, row.activeGuid)
  if (!active) throw new Error('an active version is its theme’s')
  const next: VersionContent = {
    ...active,
    ...withPrimary(active, wanted.primaryColour),
    ...logoColumns(wanted.logo),
  }
  if (isSame(active, next)) return
  const { number } = await latestVersion(ctx.db, row.guid)
  const guid = await insertVersion(ctx, row.guid, number + 1, next)
  await wear(ctx, row, guid)
  ctx.audit({
    action: 'theme.activated',
    entity: 'Themes',
    guid: row.guid,
    before: { number: active.number },
    after: { name: row.name, number: number + 1 },
  })
}
