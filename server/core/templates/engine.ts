import { Liquid, type Template } from 'liquidjs'
import { type Language, languageFacts } from '../../../contract/core/languages.ts'
import { wordsIn } from '../i18n/format.ts'

/** What a template may do: choose and repeat. Nothing is assigned, included or called. */
const tags = ['if', 'unless', 'for']
/** Of the engine's own filters these stay; the others are made below, for the language. */
const kept = ['default', 'first']

export interface TemplateSettings {
  language: Language
  timeZone: string
  /** `html` escapes every value where it stands; `text` is written as it is. */
  output: 'html' | 'text'
}

/** Of the plural forms of a language in their order; one that was not given is the last of them. */
const pluralForms = ['one', 'two', 'few', 'many', 'other'] as const

function bareEngine({ output }: Pick<TemplateSettings, 'output'>): Liquid {
  const engine = new Liquid({
    ...(output === 'html' ? { outputEscape: 'escape' as const } : {}),
    ownPropertyOnly: true,
    strictVariables: false,
    strictFilters: true,
    parseLimit: 20_000,
    renderLimit: 250,
    memoryLimit: 500_000,
    templates: {},
  })
  for (const name of Object.keys(engine.tags)) if (!tags.includes(name)) delete engine.tags[name]
  for (const name of Object.keys(engine.filters)) if (!kept.includes(name)) delete engine.filters[name]
  return engine
}

function makeEngine(settings: TemplateSettings): Liquid {
  const { language, timeZone } = settings
  const engine = bareEngine(settings)
  const words = wordsIn(language)
  const { locale } = languageFacts[language]
  // One formatter each: making one takes longer than using it a hundred times.
  const numbers = new Intl.NumberFormat(`${locale}-u-nu-latn`, { maximumFractionDigits: 4 })
  const instants = new Intl.DateTimeFormat(`${locale}-u-nu-latn`, { dateStyle: 'long', timeStyle: 'short', timeZone })
  const days = new Intl.DateTimeFormat('en-CA', { timeZone })
  const plurals = new Intl.PluralRules(locale)
  const nothing = (value: unknown) => value === null || value === undefined || value === ''
  engine.registerFilter('money', (value: unknown) => (nothing(value) ? '' : words.money(Number(value))))
  engine.registerFilter('number', (value: unknown) => (nothing(value) ? '' : numbers.format(Number(value))))
  engine.registerFilter('date', (value: unknown) => {
    if (typeof value !== 'string' || value === '') return ''
    return words.day(value.length > 10 ? days.format(new Date(value)) : value)
  })
  engine.registerFilter('dateTime', (value: unknown) =>
    typeof value === 'string' && value !== '' ? instants.format(new Date(value)) : '',
  )
  engine.registerFilter('plural', (value: unknown, ...forms: unknown[]) => {
    const form = plurals.select(Number(value))
    // Two forms are one and other; more are in the order of the languages that have them.
    const named = forms.length > 2 ? pluralForms : (['one', 'other'] as const)
    const at = (named as readonly string[]).indexOf(form)
    const said = forms[at] ?? forms.at(-1)
    return typeof said === 'string' ? said : ''
  })
  return engine
}

const engines = new Map<string, Liquid>()
const maxEngines = 60

function engineFor(settings: TemplateSettings): Liquid {
  const key = `${settings.language} ${settings.timeZone} ${settings.output}`
  const known = engines.get(key)
  if (known) return known
  if (engines.size >= maxEngines) engines.clear()
  const made = makeEngine(settings)
  engines.set(key, made)
  return made
}

/** The parts of a template, for whoever checks it. Throws what the engine says of one it cannot read. */
export const parseTemplate = (text: string): Template[] =>
  engineFor({ language: 'en', timeZone: 'UTC', output: 'text' }).parse(text)

/** Fills a template, within its bounds of time and memory; beyond them it throws. Letters that mark places stay. */
export function fillMarked(text: string, values: object, settings: TemplateSettings): string {
  const engine = engineFor(settings)
  return String(engine.renderSync(engine.parse(text), values))
}

/** The same as it is sent: no letter is of anybody's own making. */
export const fillTemplate = (text: string, values: object, settings: TemplateSettings): string =>
  fillMarked(text, values, settings).replaceAll(/[\uE000-\uF8FF]/g, '')
