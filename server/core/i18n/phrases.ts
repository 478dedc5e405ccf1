import { createInstance, type TFunction } from 'i18next'
import type { Language } from '../../../contract/core/languages.ts'
import arDocuments from './ar/documents.json' with { type: 'json' }
import arMessages from './ar/messages.json' with { type: 'json' }
import arPeople from './ar/people.json' with { type: 'json' }
import arSetup from './ar/setup.json' with { type: 'json' }
import documents from './en/documents.json' with { type: 'json' }
import messages from './en/messages.json' with { type: 'json' }
import people from './en/people.json' with { type: 'json' }
import setup from './en/setup.json' with { type: 'json' }
import frDocuments from './fr/documents.json' with { type: 'json' }
import frMessages from './fr/messages.json' with { type: 'json' }
import frPeople from './fr/people.json' with { type: 'json' }
import frSetup from './fr/setup.json' with { type: 'json' }

export const serverPhrases = {
  en: { documents, messages, people, setup },
  fr: { documents: frDocuments, messages: frMessages, people: frPeople, setup: frSetup },
  ar: { documents: arDocuments, messages: arMessages, people: arPeople, setup: arSetup },
} satisfies Record<Language, unknown>

const instance = createInstance()
// Values are escaped where they are shown: in HTML by the layout, in a PDF not at all.
void instance.init({
  lng: 'en',
  fallbackLng: 'en',
  initAsync: false,
  resources: serverPhrases,
  ns: ['documents', 'messages', 'people', 'setup'],
  interpolation: { escapeValue: false },
})

export type PhraseSpace = 'documents' | 'messages' | 'people' | 'setup'
export type Phrase = (key: string, values?: Record<string, string | number>) => string

/**
 * The phrases of one part of the product in a language; a key that is missing throws, so that no key is ever printed.
 */
export function phrases(space: PhraseSpace, language: Language = 'en'): Phrase {
  const t: TFunction = instance.getFixedT(language, space)
  return (key, values) => {
    if (!instance.exists(key, { ns: space, lng: language, ...values }))
      throw new Error(`the phrase ${space}.${key} is missing`)
    return t(key, { ...values })
  }
}
