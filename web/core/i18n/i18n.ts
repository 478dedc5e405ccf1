import { use, useMemo } from 'react'
import { useStore } from '../store.ts'
import { isRtl, type Language } from '../../../contract/core/languages.ts'
import { rememberLanguage, startLanguage } from './languages.ts'
import type { Namespace, PhraseKey } from './phrases.ts'
import { loadSentences } from './sentences.ts'
import { has, languageNow, load, loadedNamespaces, phrasesVersion, say, setLanguage, type Values } from './store.ts'

export type { Values } from './store.ts'

/** Loads the first phrases; language and direction are set before anything is drawn. */
export async function startPhrases() {
  const language = startLanguage()
  applyLanguage(language)
  await Promise.all([loadPhrases('common', 'errors'), loadSentences(language)])
}

function applyLanguage(language: Language) {
  setLanguage(language)
  document.documentElement.lang = language
  document.documentElement.dir = isRtl(language) ? 'rtl' : 'ltr'
}

/**
 * Goes on in a language that nobody chose here, such as the one a customer's documents are written in. Not remembered.
 */
export async function showLanguage(language: Language) {
  if (language === languageNow()) return
  const namespaces = loadedNamespaces()
  applyLanguage(language)
  await Promise.all([...namespaces.map(load), loadSentences(language)])
}

export const loadPhrases = async (...namespaces: Namespace[]) => {
  await Promise.all(namespaces.map(load))
}

/**
 * Remembers the language and begins anew in it, so that everything that was ever said or formatted is said again. With
 * changes that are not saved the browser asks first.
 */
export function changeLanguage(language: Language) {
  rememberLanguage(language)
  if (language !== languageNow()) window.location.reload()
}

export type T = (key: PhraseKey, values?: Values) => string

/** A phrase outside React: titles, toasts. The file must have been loaded by the page. */
export const phrase: T = (key, values) => say(key, values)

/** For keys made of data (`quotes:status.${status}`): the phrase, or `fallback` where there is none. */
export const phraseOr = (key: string, fallback: string, values: Values = {}): string =>
  has(key) ? say(key, values) : fallback

/**
 * `t('quotes:list.title')`, always with the namespace in the key. Name the page's own files so that they are loaded.
 */
export function useT(...namespaces: Namespace[]): T {
  const version = useStore(phrasesVersion)
  for (const namespace of namespaces) use(load(namespace))
  // oxlint-disable-next-line react/exhaustive-deps -- a new function says that there are new phrases
  return useMemo<T>(() => (key, values) => say(key, values), [version])
}

export function useLanguage(): Language {
  useStore(phrasesVersion)
  return languageNow()
}
