import { createStore } from '../store.ts'
import { isRtl, type Language } from '../../../contract/core/languages.ts'
import { isolated } from './languages.ts'
import { readable } from './readable.ts'

type Tree = { [key: string]: string | Tree }

export type Values = Record<string, string | number | undefined>

const files = import.meta.glob<{ default: Tree }>('./*/*.json')

/** Changes whenever phrases arrive: what is on screen is said again. */
export const phrasesVersion = createStore(0)

const said = new Map<string, ReadonlyMap<string, string>>()
const coming = new Map<string, Promise<void>>()
let language: Language = 'en'
let rules = new Intl.PluralRules('en')

export function setLanguage(next: Language) {
  language = next
  rules = new Intl.PluralRules(next)
}
export const languageNow = () => language

function flatten(tree: Tree, prefix = '', into = new Map<string, string>()): Map<string, string> {
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') into.set(prefix + key, value)
    else flatten(value, `${prefix}${key}.`, into)
  }
  return into
}

function loadFile(name: string): Promise<void> {
  const known = coming.get(name)
  if (known) return known
  const load = files[`./${name}.json`]
  const run = load
    ? load().then((file) => void said.set(name, flatten(file.default)))
    : Promise.resolve().then(() => void said.set(name, new Map()))
  const promise = readable(run)
  promise.then(
    () => phrasesVersion.set(phrasesVersion.get() + 1),
    // The next who asks tries again.
    () => coming.delete(name),
  )
  coming.set(name, promise)
  return promise
}

export const loadedNamespaces = () => [...new Set([...said.keys()].map((name) => name.slice(name.indexOf('/') + 1)))]

/** Fetches phrase files of the language; the same promise for the same file. */
export const load = (namespace: string) => loadFile(`${language}/${namespace}`)

const forms = (path: string, count: unknown): string[] =>
  typeof count === 'number' ? [`${path}_${rules.select(count)}`, `${path}_other`, path] : [path]

function lookUp(key: string, values: Values): string | undefined {
  const colon = key.indexOf(':')
  const namespace = key.slice(0, colon)
  const path = key.slice(colon + 1)
  const paths = forms(path, values.count)
  // English stands in for a phrase that another language lacks.
  for (const name of language === 'en' ? [`en/${namespace}`] : [`${language}/${namespace}`, `en/${namespace}`]) {
    const phrases = said.get(name)
    if (!phrases) void loadFile(name).catch(() => undefined)
    const found = paths.find((one) => phrases?.has(one))
    if (found !== undefined) return phrases?.get(found)
    // Only a file that is there and lacks the phrase is a reason to look further.
    if (!phrases) return undefined
  }
  return undefined
}

export const has = (key: string): boolean => lookUp(key, {}) !== undefined

/** The phrase with its values put in; the key where there is none. */
export function say(key: string, values: Values = {}): string {
  const phrase = lookUp(key, values)
  if (phrase === undefined) return key.slice(key.indexOf(':') + 1)
  return phrase.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => {
    const value = values[name] ?? ''
    // A name in Latin letters would take the marks around it along, and a telephone number would run backwards.
    return typeof value === 'string' && value !== '' && isRtl(language) ? isolated(value) : String(value)
  })
}
