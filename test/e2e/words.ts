import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

export const languages = ['en', 'fr', 'ar'] as const
export type Language = (typeof languages)[number]

const folder = join(import.meta.dirname, '../../web/core/i18n')
const read = (language: Language) => {
  const phrases = new Map<string, string>()
  const take = (key: string, value: unknown) => {
    if (typeof value === 'string') phrases.set(key, value)
    else for (const [name, inner] of Object.entries(value as object)) take(`${key}.${name}`, inner)
  }
  for (const file of globSync(join(folder, language, '*.json')))
    take(basename(file), JSON.parse(readFileSync(file, 'utf8')))
  return phrases
}
const known = new Map<Language, Map<string, string>>()
const phrasesOf = (language: Language) => {
  const phrases = known.get(language) ?? read(language)
  known.set(language, phrases)
  return phrases
}

const escaped = (text: string) =>
  text.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{\{\s*\w+\s*\}\}/g, '.*')

/**
 * What a screen in `language` says where the English one says `english`; blanks such as `{{name}}` stand for anything.
 */
export function said(english: string, language: Language): RegExp {
  const there = phrasesOf(language)
  const texts = [...phrasesOf('en')].filter(([, text]) => text === english).map(([key]) => there.get(key) ?? english)
  if (texts.length === 0) throw new Error(`no screen says "${english}"`)
  return new RegExp(`^(${[...new Set(texts)].map(escaped).join('|')})$`)
}
