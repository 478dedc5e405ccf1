import { sayer, type Say } from '../../../contract/core/sentences.ts'
import type { Language } from '../../../contract/core/languages.ts'

const files = { fr: () => import('../../../contract/i18n/fr.json'), ar: () => import('../../../contract/i18n/ar.json') }
let say: Say = (sentence) => sentence

/** The words with which the contract's schemas refuse a value, in the language of the screen. */
export async function loadSentences(language: Language) {
  if (language === 'en') say = (sentence) => sentence
  else say = sayer((await files[language]()).default, language)
}

export const inLanguage: Say = (sentence) => say(sentence)
