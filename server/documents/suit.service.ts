import { footOf } from '../../contract/dress.ts'
import type { Language } from '../../contract/core/languages.ts'
import type { Db } from '../core/ctx.ts'
import { textOfBody } from '../core/html/text.ts'
import { dressOf, lookOf, themeVersionOf, type ThemeVersionRow } from '../themes/dressing.service.ts'
import type { DocumentBusiness, Suit } from './document.ts'

/** What a version of a theme makes of papers in a language. */
export function suitIn(version: ThemeVersionRow, language: Language): Suit {
  const foot = footOf(lookOf(version, '').footerHtml, language)
  return { dress: dressOf(version, ''), foot: foot ? textOfBody(foot) : '' }
}

/** What a paper is dressed in by what was frozen with it, whatever became of its theme. */
export async function suitOf(
  db: Db,
  { themeVersionGuid }: DocumentBusiness,
  language: Language | undefined,
): Promise<Suit | null> {
  const version = await themeVersionOf(db, themeVersionGuid)
  return version && suitIn(version, language ?? 'en')
}
