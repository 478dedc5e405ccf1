import { type Language, languageFacts, languages } from '../../../contract/core/languages.ts'
import { defaultLanguage } from '../config.ts'
import { readStored, writeStored } from '../storage.ts'

/** Text that runs by its own first letter, whatever stands around it (Unicode's isolates, which are not seen). */
export const isolated = (text: string) => `\u2068${text}\u2069`
/** The same without what is not seen: for words that are kept, such as the name proposed for a copy. */
export const bare = (text: string) => text.replaceAll(/[\u2068\u2069]/g, '')

/** Locale for names and grouping; digits are latin in every language. */
export const localeOf = (language: Language) => languageFacts[language].locale

const isOffered = (value: unknown): value is Language => languages.some((language) => language === value)

/** The language of the person's account, which counts where none was chosen in this browser. */
function accountLanguage(): Language | null {
  const kept = readStored<{ language?: unknown }>('preferences')?.value?.language
  return isOffered(kept) ? kept : null
}

/** What the server names for those of whom nothing is known. */
export const fallbackLanguage: Language = isOffered(defaultLanguage) ? defaultLanguage : 'en'

/** The choice remembered in this browser, else that of the account, else the browser's wish, else the server's. */
export function startLanguage(): Language {
  const stored = readStored<string>('language')?.value
  if (isOffered(stored)) return stored
  const kept = accountLanguage()
  if (kept) return kept
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isOffered) ?? fallbackLanguage
}

/** Whether somebody chose a language in this browser. */
export const hasChosenLanguage = () => isOffered(readStored<string>('language')?.value)

export const rememberLanguage = (language: Language) => writeStored('language', language)
