import { type Selectable, sql } from 'kysely'
import { type Dress, dress, type Look, plainLook } from '../../contract/dress.ts'
import type { PageTheme } from '../../contract/shown-theme.ts'
import type { FileStore } from '../core/adapters/files.ts'
import type { Db } from '../core/ctx.ts'
import type { ThemeTables } from '../core/db/schema-themes.ts'

/** A version of a theme, which never changes. */
export type ThemeVersionRow = Selectable<ThemeTables['themeVersions']>

/** The version that a business wears; none of a business that has no theme. */
export async function defaultTheme(db: Db, businessGuid: string): Promise<ThemeVersionRow | null> {
  const found = await db
    .selectFrom('themes as t')
    .innerJoin('themeVersions as v', 'v.guid', 't.activeGuid')
    .selectAll('v')
    .where('t.businessGuid', '=', businessGuid)
    .where('t.isDefault', '=', true)
    .executeTakeFirst()
  return found ?? null
}

/** A version by its guid, whatever became of its theme. */
export async function themeVersionOf(db: Db, guid: string | null | undefined): Promise<ThemeVersionRow | null> {
  if (!guid) return null
  const found = await db.selectFrom('themeVersions').selectAll().where('guid', '=', guid).executeTakeFirst()
  return found ?? null
}

/** The version in use of the theme that somebody chose, or of the one by default; null where there is none such. */
export async function chosenTheme(
  db: Db,
  businessGuid: string,
  guid: string | null | undefined,
): Promise<ThemeVersionRow | null> {
  if (!guid) return defaultTheme(db, businessGuid)
  const theme = await db
    .selectFrom('themes')
    .select('activeGuid')
    .where('guid', '=', guid)
    .where('businessGuid', '=', businessGuid)
    .executeTakeFirst()
  return themeVersionOf(db, theme?.activeGuid)
}

/** The document of a page: what was frozen with it says which version it wears. */
export interface OnPage {
  table: 'quotes' | 'invoices'
  guid: string
}

/** The version that a page wears: that of its document, else the one its business wears. */
export async function wornOnPage(db: Db, businessGuid: string, page: OnPage | null): Promise<ThemeVersionRow | null> {
  if (!page) return defaultTheme(db, businessGuid)
  const frozen = sql<string>`(select (d.snapshot -> 'business' ->> 'themeVersionGuid')::uuid
    from ${sql.table(page.table)} d
      where d.guid = ${page.guid}::uuid and d.business_guid = ${businessGuid}::uuid)`
  const worn = sql<string>`(select t.active_guid from themes t
    where t.business_guid = ${businessGuid}::uuid and t.is_default)`
  const found = await db
    .selectFrom('themeVersions')
    .selectAll()
    .where('guid', '=', sql<string>`coalesce(${frozen}, ${worn})`)
    .executeTakeFirst()
  return found ?? null
}

/** The guid of the version that a business `b` wears. */
export const wornVersion = sql<string | null>`(select t.active_guid from themes t
  where t.business_guid = b.guid and t.is_default)`

/** How something looks that was made in a version, or before there were any. */
export const lookOf = (version: ThemeVersionRow | null, primaryColour: string): Look =>
  version ?? plainLook(/^#[0-9a-f]{6}$/i.test(primaryColour) ? primaryColour : '#675DD8')

export const dressOf = (version: ThemeVersionRow | null, primaryColour: string): Dress =>
  dress(lookOf(version, primaryColour))

/** What is drawn as the logo on light and on dark grounds. */
export interface Logos {
  light: Logo | null
  dark: Logo | null
}
export interface Logo {
  sha256: string
  mime: string
}
export const logosOf = (version: ThemeVersionRow | null): Logos => ({
  light: version?.logoSha256 && version.logoMime ? { sha256: version.logoSha256, mime: version.logoMime } : null,
  dark:
    version?.logoDarkSha256 && version.logoDarkMime
      ? { sha256: version.logoDarkSha256, mime: version.logoDarkMime }
      : null,
})

const addresses = new Map<string, string>()
const maxAddresses = 40

/** A logo as a `data:` address; null where it is none, or its bytes are gone. */
export async function logoAddress(files: FileStore, logo: Logo | null): Promise<string | null> {
  if (!logo) return null
  const known = addresses.get(logo.sha256)
  if (known) return known
  const bytes = await files.get(logo.sha256)
  if (!bytes) return null
  const address = `data:${logo.mime};base64,${Buffer.from(bytes).toString('base64')}`
  if (addresses.size >= maxAddresses) addresses.clear()
  addresses.set(logo.sha256, address)
  return address
}

/** What the page of a customer wears. */
export async function pageTheme(
  files: FileStore,
  version: ThemeVersionRow | null,
  primaryColour: string,
): Promise<PageTheme> {
  const { light, dark, radius, font, footerHtml } = lookOf(version, primaryColour)
  return {
    versionGuid: version?.guid ?? null,
    light,
    dark,
    radius,
    font,
    footerHtml,
    logoDark: await logoAddress(files, logosOf(version).dark),
  }
}
