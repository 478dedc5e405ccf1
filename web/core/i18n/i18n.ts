import i18next from 'i18next'
import { useCallback } from 'react'
import { initReactI18next, useTranslation } from 'react-i18next'
import { isRtl, languages, rememberLanguage, startLanguage, type Language } from './languages.ts'
import type { Namespace, PhraseKey } from './phrases.ts'

const files = import.meta.glob<{ default: Record<string, unknown> }>('./*/*.json')

const backend = {
  type: 'backend' as const,
  init: () => undefined,
  read: (language: string, namespace: string, done: (error: unknown, phrases: Record<string, unknown> | null) => void) => {
    const load = files[`./${language}/${namespace}.json`]
    if (!load) done(null, {})
    else load().then(
      (file) => done(null, file.default),
      (error: unknown) => done(error, null),
    )
  },
}

function applyLanguage(language: Language) {
  document.documentElement.lang = language
  document.documentElement.dir = isRtl(language) ? 'rtl' : 'ltr'
}

/** Loads the first phrases; language and direction are set before anything is drawn. */
export async function startPhrases() {
  const language = startLanguage()
  applyLanguage(language)
  await i18next
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: 'en',
      supportedLngs: languages,
      ns: ['common', 'errors'],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      react: { bindI18nStore: 'added' },
      saveMissing: true,
      // A phrase of a file that is not loaded yet: load it, and whoever shows it draws again.
      missingKeyHandler: (_languages, namespace) => {
        if (!i18next.hasLoadedNamespace(namespace)) void i18next.loadNamespaces(namespace)
      },
    })
}

export const loadPhrases = (...namespaces: Namespace[]) => i18next.loadNamespaces(namespaces)

export async function changeLanguage(language: Language) {
  rememberLanguage(language)
  await i18next.changeLanguage(language)
  applyLanguage(language)
}

export type Values = Record<string, string | number | undefined>
export type T = (key: PhraseKey, values?: Values) => string

/** A phrase outside React: titles, toasts. The file must have been loaded by the page. */
export const phrase: T = (key, values) => i18next.t(key, values ?? {})

/** For keys made of data (`quotes:status.${status}`): the phrase, or `fallback` where there is none. */
export const phraseOr = (key: string, fallback: string, values: Values = {}): string => (i18next.exists(key) ? i18next.t(key, values) : fallback)

/** `t('quotes:list.title')`, always with the namespace in the key. Name the page's own files so that they are loaded. */
export function useT(...namespaces: Namespace[]): T {
  const { t } = useTranslation(namespaces.length ? namespaces : 'common')
  return useCallback<T>((key, values) => t(key, values ?? {}), [t])
}

export function useLanguage(): Language {
  const { i18n } = useTranslation('common')
  return languages.find((language) => language === i18n.language) ?? 'en'
}
