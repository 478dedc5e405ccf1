import { isDeepStrictEqual } from 'node:util'
import { invalid } from '../../contract/core/errors.ts'
import type { Look } from '../../contract/dress.ts'
import type { ThemeLook } from '../../contract/themes.ts'
import type { Ctx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { userOf } from '../core/records.ts'
import { usablePictures } from '../files/files.service.ts'
import { cleanFooter } from './clean-footer.ts'
import type { VersionRow } from './themes.queries.ts'

/** What a version is made of, as it is kept. */
export type VersionContent = Look &
  Pick<VersionRow, 'logoFileGuid' | 'logoSha256' | 'logoMime' | 'logoDarkFileGuid' | 'logoDarkSha256' | 'logoDarkMime'>

export const noLogos = {
  logoFileGuid: null,
  logoSha256: null,
  logoMime: null,
  logoDarkFileGuid: null,
  logoDarkSha256: null,
  logoDarkMime: null,
} as const

const contentOf = (row: VersionContent): VersionContent => ({
  light: row.light,
  dark: row.dark,
  radius: row.radius,
  font: row.font,
  footerHtml: row.footerHtml,
  logoFileGuid: row.logoFileGuid,
  logoSha256: row.logoSha256,
  logoMime: row.logoMime,
  logoDarkFileGuid: row.logoDarkFileGuid,
  logoDarkSha256: row.logoDarkSha256,
  logoDarkMime: row.logoDarkMime,
})

const maxLogoKb = 512

/** A file that somebody chose as a logo: what its bytes are. */
async function logoFile(ctx: Ctx, field: 'logoFileGuid' | 'logoDarkFileGuid', guid: string) {
  const isUsable = (await usablePictures(ctx, [guid])).has(guid)
  const file = isUsable
    ? await ctx.db.selectFrom('files').select(['sha256', 'mime', 'bytes']).where('guid', '=', guid).executeTakeFirst()
    : undefined
  if (!file || !['image/png', 'image/jpeg'].includes(file.mime)) throw invalid(field, 'Choose a PNG or JPEG image.')
  if (file.bytes > maxLogoKb * 1024) throw invalid(field, `Use a file of ${maxLogoKb} KB or less.`)
  return file
}

/** A version as it would be after a change: what is not sent stays. Logos that stay may be anybody’s. */
export async function changedContent(
  ctx: Ctx,
  before: VersionContent,
  { logoFileGuid, logoDarkFileGuid, footerHtml, ...changes }: { [K in keyof ThemeLook]?: ThemeLook[K] | undefined },
): Promise<VersionContent> {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  const next: VersionContent = { ...contentOf(before), ...given }
  if (footerHtml) next.footerHtml = cleanFooter(footerHtml)
  if (logoFileGuid !== undefined && logoFileGuid !== before.logoFileGuid) {
    const file = logoFileGuid ? await logoFile(ctx, 'logoFileGuid', logoFileGuid) : null
    Object.assign(next, { logoFileGuid, logoSha256: file?.sha256 ?? null, logoMime: file?.mime ?? null })
  }
  if (logoDarkFileGuid !== undefined && logoDarkFileGuid !== before.logoDarkFileGuid) {
    const file = logoDarkFileGuid ? await logoFile(ctx, 'logoDarkFileGuid', logoDarkFileGuid) : null
    Object.assign(next, { logoDarkFileGuid, logoDarkSha256: file?.sha256 ?? null, logoDarkMime: file?.mime ?? null })
  }
  return next
}

export const isSame = (a: VersionContent, b: VersionContent): boolean => isDeepStrictEqual(contentOf(a), contentOf(b))

/** Keeps a version; whoever calls holds the theme, so that numbers follow each other. */
export async function insertVersion(
  ctx: Ctx,
  themeGuid: string,
  number: number,
  content: VersionContent,
): Promise<string> {
  const guid = newGuid()
  const { light, dark, footerHtml, ...rest } = contentOf(content)
  await ctx.db
    .insertInto('themeVersions')
    .values({
      ...rest,
      guid,
      themeGuid,
      number,
      light: JSON.stringify(light),
      dark: JSON.stringify(dark),
      footerHtml: JSON.stringify(footerHtml),
      createdAt: ctx.now,
      createdBy: userOf(ctx),
    })
    .execute()
  return guid
}
