import { sayer, type Say } from '../../../contract/core/sentences.ts'
import { isRtl, type Language } from '../../../contract/core/languages.ts'
import { isolated } from './languages.ts'

const files = { fr: () => import('../../../contract/i18n/fr.json'), ar: () => import('../../../contract/i18n/ar.json') }
/** Days and amounts run from left to right among words that run the other way. */
const apart = (text: string) => text.replace(/\d{2}-\d{2}-\d{4}|\$[\d,.]*\d/g, isolated)
let say: Say = (sentence) => sentence

/** The words with which the contract's schemas refuse a value, in the language of the screen. */
export async function loadSentences(language: Language) {
  if (language === 'en') say = (sentence) => sentence
  else {
    const translated = sayer((await files[language]()).default, language)
    say = isRtl(language) ? (sentence) => apart(translated(sentence)) : translated
  }
}

export const inLanguage: Say = (sentence) => say(sentence)
