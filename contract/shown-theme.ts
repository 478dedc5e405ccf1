import { z } from 'zod'
import { themeFonts } from './dress.ts'

export const shownColours = z.object({
  primary: z.string(),
  background: z.string(),
  surface: z.string(),
  text: z.string(),
  muted: z.string(),
  link: z.string(),
})
/** What the page of a customer wears. */
export const pageTheme = z.object({
  versionGuid: z.guid().nullable(),
  light: shownColours,
  dark: shownColours,
  radius: z.int(),
  font: z.enum(themeFonts),
  /** `data:` address of the logo for dark grounds, where there is one. */
  logoDark: z.string().nullable(),
  footerHtml: z.object({ en: z.string(), fr: z.string().nullish(), ar: z.string().nullish() }),
})
export type PageTheme = z.infer<typeof pageTheme>
