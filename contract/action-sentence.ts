import ar from './action-words/ar.json' with { type: 'json' }
import en from './action-words/en.json' with { type: 'json' }
import fr from './action-words/fr.json' with { type: 'json' }
import type { Action, ActionEffect } from './actions.ts'
import { type ComparisonLeaf, type Condition, isLeaf, type Leaf, leavesOf, partsOf } from './core/conditions.ts'
import { type Language, languageFacts } from './core/languages.ts'
import { fieldsOf, type FieldType } from './event-fields.ts'
import { type EventName, events, isEvent } from './events.ts'

/*
 * An action as a sentence: when what happens, under which conditions, after how long, what is done. The server says it
 * of actions that are kept, and the editor of one that is being written.
 */

type Words = typeof en
type Patterns = Readonly<Record<string, string>>
const wordsIn: Readonly<Record<Language, Words>> = { en, fr: fr as unknown as Words, ar: ar as unknown as Words }

/** What records are called that an action speaks of: templates, roles, users, webhooks. */
export type NameOf = (guid: string) => string | undefined

export interface Said extends Pick<Action, 'conditions' | 'delayMinutes' | 'effects'> {
  /** Empty while none is chosen. */
  eventKey: string
}

const fill = (pattern: string, ...values: readonly string[]) =>
  pattern.replaceAll(/\{(\d)\}/g, (_, i: string) => values[Number(i)] ?? '')

interface Speech {
  language: Language
  words: Words
  list: (items: readonly string[]) => string
  number: (value: number, money?: boolean) => string
}

const speeches = new Map<Language, Speech>()
/** Formatters are dear to make: each language has its own once. */
function speechIn(language: Language): Speech {
  const known = speeches.get(language)
  if (known) return known
  const locale = `${languageFacts[language].locale}-u-nu-latn`
  const lists = new Intl.ListFormat(locale, { type: 'conjunction' })
  const plain = new Intl.NumberFormat(locale)
  const money = (digits: number) =>
    new Intl.NumberFormat(language === 'ar' ? languageFacts.en.locale : locale, {
      style: 'currency',
      currency: 'AUD',
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: digits,
    })
  const [whole, exact] = [money(0), money(2)]
  const speech: Speech = {
    language,
    words: wordsIn[language],
    list: (items) => lists.format(items),
    number: (value, isMoney = false) => {
      if (!isMoney) return plain.format(value)
      // Among Arabic letters an amount would else be read from both ends.
      return (language === 'ar' ? '\u200e' : '') + (value % 100 === 0 ? whole : exact).format(value / 100)
    },
  }
  speeches.set(language, speech)
  return speech
}

const quoted = ({ words }: Speech, text: string) => fill(words.quoted, text)
const capital = (text: string) => text.charAt(0).toLocaleUpperCase() + text.slice(1)

/** What a field of an event is called in the middle of a sentence. */
export function fieldName(path: string, language: Language): string {
  return (wordsIn[language].fields as Patterns)[path] ?? path
}

/** What happens, in the middle of a sentence: "an order is completed". */
export function eventName(event: string, language: Language): string {
  return (wordsIn[language].events as Patterns)[event] ?? event
}

/** What a deed does, in the middle of a sentence: "put the order on hold". */
export function deedName(noun: string, deed: string, language: Language): string {
  return (wordsIn[language].deeds as Readonly<Record<string, Patterns>>)[noun]?.[deed] ?? deed
}

/** A day as people read it, as the language writes it. */
const dayIn = (language: Language, day: string) =>
  new Intl.DateTimeFormat(`${languageFacts[language].locale}-u-nu-latn`, { dateStyle: 'long', timeZone: 'UTC' }).format(
    Date.parse(`${day}T00:00:00Z`),
  )

function saidValue(speech: Speech, type: FieldType, value: ComparisonLeaf['value']): string {
  const { words, language } = speech
  if (Array.isArray(value)) return speech.list(value.map((one) => saidValue(speech, type, one)))
  if (value === '') return words.missing
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (typeof value === 'number') return speech.number(value, type === 'money')
  const isDay = (type === 'date' || type === 'dateTime') && !Number.isNaN(Date.parse(value))
  return isDay ? dayIn(language, value.slice(0, 10)) : quoted(speech, value)
}

function saidLeaf(speech: Speech, leaf: Leaf, types: ReadonlyMap<string, FieldType>): string {
  const { words, language } = speech
  const type = types.get(leaf.path) ?? 'text'
  const of = (words.isOf as Readonly<Record<string, Patterns>>)[leaf.path]?.[leaf.is]
  const ofDay = type === 'date' || type === 'dateTime' ? (words.isOfDay as Patterns)[leaf.is] : undefined
  const name = leaf.path === '' ? words.missing : fieldName(leaf.path, language)
  return fill(of ?? ofDay ?? words.is[leaf.is], name, 'value' in leaf ? saidValue(speech, type, leaf.value) : '')
}

function saidCondition(
  speech: Speech,
  condition: Condition,
  types: ReadonlyMap<string, FieldType>,
  isInside = false,
): string {
  const { joins } = speech.words
  if (isLeaf(condition)) return saidLeaf(speech, condition, types)
  const parts = partsOf(condition).map((part) => saidCondition(speech, part, types, true))
  if ('not' in condition) return fill(joins.not, parts[0] ?? '')
  const said = parts.join('any' in condition ? joins.any : joins.all)
  return parts.length > 1 && (isInside || 'any' in condition) ? fill(joins.group, said) : said
}

const minutesOf = { day: 1440, hour: 60, minute: 1 } as const
/** How long, in the largest units that say it: "one day and two hours". */
function saidDelay(speech: Speech, minutes: number): string {
  const { words, language } = speech
  const rules = new Intl.PluralRules(languageFacts[language].locale)
  let left = minutes
  const parts = (['day', 'hour', 'minute'] as const).flatMap((unit) => {
    const count = Math.floor(left / minutesOf[unit])
    left -= count * minutesOf[unit]
    if (count === 0) return []
    const patterns = words.units[unit] as Patterns
    return [fill(patterns[rules.select(count)] ?? patterns['other'] ?? '', words.counts[count] || speech.number(count))]
  })
  return speech.list(parts)
}

function saidEffect(speech: Speech, effect: ActionEffect, noun: string, nameOf: NameOf, customer?: string): string {
  const { words, language } = speech
  const { effects, missing } = words
  const named = (guid: string) => nameOf(guid) ?? missing
  if (effect.type === 'message') {
    const pattern = effect.attachDocument ? effects.messageWith : effects.message
    const to = effect.to === 'customer' && customer ? fill(effects.toName, customer) : effects[effect.to]
    return fill(pattern, quoted(speech, named(effect.templateGuid)), to)
  }
  if (effect.type === 'notify') {
    const { to } = effect
    if (to === 'recordOwner') return fill(effects.notify, effects.recordOwner)
    return fill(effects.notify, named('roleGuid' in to ? to.roleGuid : to.userGuid))
  }
  if (effect.type === 'transition') return effect.deed ? deedName(noun, effect.deed, language) : missing
  if (effect.type === 'webhook') return fill(effects.webhook, named(effect.webhookGuid))
  const tags = (list: readonly string[], one: string, some: string) =>
    list.length === 0 ? [] : [fill(list.length === 1 ? one : some, speech.list(list.map((tag) => quoted(speech, tag))))]
  const said = [
    ...tags(effect.add, effects.addOne, effects.add),
    ...tags(effect.remove, effects.removeOne, effects.remove),
  ]
  return said.length > 0 ? speech.list(said) : missing
}

const nounOfEvent = (event: string) => (isEvent(event) ? (events[event].noun ?? '') : '')

/** What one effect does, as a sentence of its own; of the customer where it is known which. */
export function effectSentence(
  effect: ActionEffect,
  event: string,
  language: Language,
  nameOf: NameOf,
  customer?: string,
): string {
  return capital(saidEffect(speechIn(language), effect, nounOfEvent(event), nameOf, customer))
}

/** The whole action: "When an order is completed and the total is more than $5,000, notify Office." */
export function actionSentence(action: Said, language: Language, nameOf: NameOf): string {
  const speech = speechIn(language)
  const { words } = speech
  const types = new Map(
    isEvent(action.eventKey) ? fieldsOf(action.eventKey as EventName).map(({ path, type }) => [path, type]) : [],
  )
  const event = action.eventKey ? eventName(action.eventKey, language) : words.missing
  const happens = action.conditions
    ? fill(words.joins.event, event, saidCondition(speech, action.conditions, types))
    : event
  const noun = nounOfEvent(action.eventKey)
  const done = action.effects.map((effect) => saidEffect(speech, effect, noun, nameOf))
  const parts = [
    fill(words.when, happens),
    ...(action.delayMinutes > 0 ? [fill(words.after, saidDelay(speech, action.delayMinutes))] : []),
    done.length > 0 ? speech.list(done) : words.missing,
  ]
  return `${capital(parts.join(language === 'ar' ? '، ' : ', '))}.`
}

/** Which data an action looks at, and whom it reaches or what it changes: for the register. */
export function actionReach(action: Said, language: Language): { uses: string; affects: string } {
  const { words, list } = speechIn(language)
  const paths = action.conditions ? new Set(leavesOf(action.conditions).map(({ path }) => path)) : new Set<string>()
  const uses = [...paths].map((path) => fieldName(path, language))
  const reached = new Set(action.effects.map(({ type }) => words.affects[reach[type]]))
  return { uses: uses.length > 0 ? list(uses) : words.usesEvent, affects: list([...reached]) }
}
const reach = {
  message: 'customer',
  notify: 'staff',
  webhook: 'programs',
  transition: 'record',
  tag: 'record',
} as const satisfies Record<ActionEffect['type'], keyof Words['affects']>
