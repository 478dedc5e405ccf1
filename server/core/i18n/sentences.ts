import contractAr from '../../../contract/i18n/ar.json' with { type: 'json' }
import contractFr from '../../../contract/i18n/fr.json' with { type: 'json' }
import { type Language, languages } from '../../../contract/core/languages.ts'
import { sayer, type Say } from '../../../contract/core/sentences.ts'
import ar from './ar/errors.json' with { type: 'json' }
import fr from './fr/errors.json' with { type: 'json' }

const says: Readonly<Record<Language, Say>> = {
  en: (sentence) => sentence,
  fr: sayer({ ...contractFr, ...fr }, 'fr'),
  ar: sayer({ ...contractAr, ...ar }, 'ar'),
}

/** An English sentence of ours in a language; what is not ours stays as it is. */
export const sayIn = (language: Language, sentence: string): string => says[language](sentence)

/** The first language of an `Accept-Language` header that we speak, else English. */
export function languageOf(header: string | undefined): Language {
  if (!header) return 'en'
  for (const wish of header.slice(0, 200).split(',')) {
    const found = languages.find((language) => wish.trim().slice(0, 2).toLowerCase() === language)
    if (found) return found
  }
  return 'en'
}
