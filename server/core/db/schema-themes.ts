import type { Generated } from 'kysely'
import type { Colours, Look, ThemeFont } from '../../../contract/dress.ts'
import type { Record } from './schema-business.ts'
import type { Computed, Instant, InstantOrNull, Json, Optional } from './schema-kinds.ts'

interface Themes extends Record {
  businessGuid: string
  name: string
  isDefault: Generated<boolean>
  activeGuid: Optional<string>
  status: Computed<'draft' | 'active' | 'archived'>
}
interface ThemeVersions {
  guid: Generated<string>
  themeGuid: string
  number: number
  light: Json<Colours>
  dark: Json<Colours>
  radius: number
  font: ThemeFont
  /** The file it was chosen as; none of a logo that came with the business. */
  logoFileGuid: Optional<string>
  logoSha256: Optional<string>
  logoMime: Optional<string>
  logoDarkFileGuid: Optional<string>
  logoDarkSha256: Optional<string>
  logoDarkMime: Optional<string>
  footerHtml: Json<Look['footerHtml']>
  createdAt: Instant
  createdBy: Optional<string>
  /** When a theme first wore it: the database notes it. */
  activatedAt: InstantOrNull
}
export interface ThemeTables {
  themes: Themes
  themeVersions: ThemeVersions
}
