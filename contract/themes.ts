import { z } from 'zod'
import { publicBusiness } from './businesses.ts'
import { archivingOps } from './core/archiving.ts'
import {
  archivedFilter,
  guid,
  listQuery,
  longText,
  maybe,
  ofBusiness,
  pageOf,
  recordShape,
  text,
  timestamp,
  version,
  whose,
} from './core/common.ts'
import { languages } from './core/languages.ts'
import { exportOf, get, patch, post } from './core/op.ts'
import { patchOf } from './core/patch.ts'
import { ofVersion, shownVersions, versionShape } from './core/versions.ts'
import { maxRadius, themeFonts } from './dress.ts'
import { nouns } from './nouns.ts'
import { shownColours } from './shown-theme.ts'

const { pages, statuses } = nouns.Themes
const subject = 'Messages:Themes'
const mayUpdate = ['update', `${subject}:Update:Guid`] as const

const colour = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Enter a colour such as #7367F0.')
const colours = z.strictObject({
  primary: colour,
  background: colour,
  surface: colour,
  text: colour,
  muted: colour,
  link: colour,
})
const foot = longText(4000)

/** What a version of a theme says. */
const lookFields = {
  light: colours,
  dark: colours,
  radius: z.int().min(0, `Enter 0 to ${maxRadius}.`).max(maxRadius, `Enter 0 to ${maxRadius}.`),
  font: z.enum(themeFonts),
  /** A PNG or JPEG file of up to 512 KB; `null` takes the logo away. */
  logoFileGuid: maybe(guid),
  /** The one for dark grounds; the other one stands there, too, where there is none. */
  logoDarkFileGuid: maybe(guid),
  /** In the words of a body: what it may not have is taken out. */
  footerHtml: z.strictObject({ en: foot, fr: maybe(foot), ar: maybe(foot) }),
}
const look = z.strictObject(lookFields)
export const themeInput = z.strictObject({ name: text(80), ...lookFields })
export type ThemeInput = z.infer<typeof themeInput>
export type ThemeLook = z.infer<typeof look>

const themeVersion = z.object({
  ...versionShape,
  light: shownColours,
  dark: shownColours,
  radius: z.int(),
  font: z.enum(themeFonts),
  logoFileGuid: guid.nullable(),
  logoDarkFileGuid: guid.nullable(),
  hasLogo: z.boolean(),
  hasLogoDark: z.boolean(),
  footerHtml: z.object({ en: z.string(), fr: z.string().nullish(), ar: z.string().nullish() }),
  /** When it was first active; null of one that never was. */
  activatedAt: timestamp.nullable(),
})
export type ThemeVersion = z.infer<typeof themeVersion>

const theme = z.object({
  ...recordShape,
  businessGuid: guid,
  name: z.string(),
  status: z.enum(statuses),
  isDefault: z.boolean(),
  active: themeVersion.nullable(),
  latest: themeVersion,
  versions: z.array(themeVersion).max(shownVersions),
})
export type Theme = z.infer<typeof theme>
const themeItem = z.object({
  ...recordShape,
  ...whose,
  name: z.string(),
  status: z.enum(statuses),
  isDefault: z.boolean(),
  /** The colours of the version that is active; of the latest where none is. */
  light: shownColours,
  dark: shownColours,
  /** When its latest version was written. */
  changedAt: timestamp,
})
const one = z.object({ theme })

const list = get({
  path: '/Messages/Themes',
  effect: 'read',
  can: pages.list.can,
  summary: 'Themes that dress emails, papers and the pages of customers',
  query: listQuery(['name', 'createdAt'], { ...ofBusiness, archived: archivedFilter }),
  response: pageOf(themeItem),
})

export const themesApi = {
  list,
  export: exportOf(list, { name: 'Name', status: 'Status', isDefault: 'Default', changedAt: 'Changed' }),
  get: get({
    path: '/Messages/Themes/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'One theme with its versions',
    response: one,
  }),
  create: post({
    path: '/Messages/Themes',
    effect: 'write',
    can: pages.add.can,
    status: 201,
    message: 'Theme created.',
    summary: 'Makes a theme with its first version, which dresses nothing until it is activated',
    body: themeInput,
    response: one,
  }),
  update: patch({
    path: '/Messages/Themes/:guid',
    effect: 'write',
    can: mayUpdate,
    message: 'Theme saved.',
    summary: 'Changes the name of a theme; whatever else is sent is a new version',
    body: patchOf(themeInput),
    response: one,
  }),
  activate: post({
    path: '/Messages/Themes/Activate/:guid',
    effect: 'write',
    can: mayUpdate,
    message: 'Version activated.',
    summary: 'Dresses what is made from now on in a version, whose colours are read well enough on each other',
    body: ofVersion,
    response: one,
  }),
  rollback: post({
    path: '/Messages/Themes/Rollback/:guid',
    effect: 'write',
    can: mayUpdate,
    message: 'Earlier version activated.',
    summary: 'Goes back to a version before the active one',
    body: ofVersion,
    response: one,
  }),
  makeDefault: post({
    path: '/Messages/Themes/Default/:guid',
    effect: 'write',
    can: mayUpdate,
    message: 'Default theme changed.',
    summary: 'Makes an active theme the one that its business wears',
    body: z.strictObject({ version }),
    response: one,
  }),
  preview: post({
    path: '/Messages/Themes/Preview/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'An email, a paper and the letterhead of a page in a theme, also before it is saved; nothing is kept',
    body: z.strictObject({
      language: z.enum(languages),
      /** The latest one when not given. */
      versionGuid: guid.optional(),
      /** What is not saved yet, in place of the same of the version. */
      draft: look.partial().optional(),
      /** A quote, an order or an invoice; an example when not given. */
      recordGuid: guid.optional(),
      /** The paper is drawn, too. */
      withPaper: z.boolean().default(false),
    }),
    response: z.object({
      html: z.string(),
      text: z.string(),
      subject: z.string(),
      problems: z.array(z.object({ path: z.string(), message: z.string() })),
      /** The business as the page shows it. */
      business: publicBusiness,
      /** The PDF, base64. */
      paper: z.string().nullable(),
    }),
  }),
  ...archivingOps('Messages/Themes', 'a theme', one, subject),
}
