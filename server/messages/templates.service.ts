import { inQuotes } from '../../contract/core/sentences.ts'
import type { Language } from '../../contract/core/languages.ts'
import type { TemplateTexts } from '../../contract/email-templates.ts'
import type { TemplateKind } from '../../contract/messages.ts'
import { fillableVariables } from '../../contract/template-kinds.ts'
import type { Db } from '../core/ctx.ts'
import { cleanFilled } from '../core/html/body.ts'
import { checkTemplate } from '../core/templates/check.ts'
import { fillTemplate, type TemplateSettings } from '../core/templates/engine.ts'
import { firstTemplates, oneLine } from './templates.ts'

export { firstTemplates, type LadderTemplate, ladderTemplates } from './templates.ts'

/** What there is to say in a language that there is, for whoever reads another. */
export interface ChosenTemplate extends TemplateTexts {
  /** None for the words that every business starts with. */
  templateVersionGuid: string | null
  language: Language
}

const chosen = (
  row: { guid: string; languages: Partial<Record<Language, TemplateTexts>> } | undefined,
  kind: TemplateKind,
  wanted: Language,
): ChosenTemplate => {
  const texts = row?.languages[wanted]
  if (row && texts) return { ...texts, templateVersionGuid: row.guid, language: wanted }
  const english = row?.languages.en
  if (row && english) return { ...english, templateVersionGuid: row.guid, language: 'en' }
  return { ...firstTemplates[wanted][kind], templateVersionGuid: null, language: wanted }
}

const inUse = (db: Db) =>
  db
    .selectFrom('templates as t')
    .innerJoin('templateVersions as v', 'v.guid', 't.activeVersionGuid')
    .select(['v.guid', 'v.languages'])
    .where('t.status', '=', 'active')

/** What a business says on an occasion; the words it started with when it has none. */
export async function activeTemplate(
  db: Db,
  businessGuid: string,
  kind: TemplateKind,
  language: Language,
): Promise<ChosenTemplate> {
  const row = await inUse(db)
    .where('t.businessGuid', '=', businessGuid)
    .where('t.kind', '=', kind)
    .where('t.isDefault', '=', true)
    .executeTakeFirst()
  return chosen(row, kind, language)
}

/** One that somebody chose: the version of it that is in use. Null when the business has none such. */
export async function templateByGuid(
  db: Db,
  businessGuid: string,
  guid: string,
  language: Language,
): Promise<(ChosenTemplate & { kind: TemplateKind; category: 'transactional' | 'commercial' }) | null> {
  const row = await inUse(db)
    .select(['t.kind', 't.category'])
    .where('t.guid', '=', guid)
    .where('t.businessGuid', '=', businessGuid)
    .executeTakeFirst()
  return row ? { ...chosen(row, row.kind, language), kind: row.kind, category: row.category } : null
}

/** What a template that cannot be filled has wrong. */
class BrokenTemplate extends Error {}

/** A value of many lines keeps them; a letter of its own stands for the end of one until it is HTML. */
const lineEnd = '\u2028'
const held = (value: unknown): unknown => {
  if (typeof value === 'string') return value.replaceAll('\r\n', '\n').replaceAll('\n', lineEnd)
  if (Array.isArray(value)) return value.map(held)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, held(inner)]))
}

/** Fields that have words of the same name are written as those words, where no field is named. */
export function valuesWith(words: Readonly<Record<string, string>>, fields: object): Record<string, unknown> {
  const values: Record<string, unknown> = { ...words, ...fields }
  for (const [name, inner] of Object.entries(fields) as [string, unknown][]) {
    const said = words[name]
    if (said === undefined || inner === null || typeof inner !== 'object' || Array.isArray(inner)) continue
    values[name] = { ...inner, '': said }
  }
  return values
}
const spoken = (value: unknown): unknown => {
  if (value === null || typeof value !== 'object' || Array.isArray(value) || !('' in value)) return value
  const { '': said, ...fields } = value
  return Object.assign(Object.create({ toString: () => String(said) }) as object, fields)
}
export const ready = (values: object, isHtml: boolean): object =>
  Object.fromEntries(
    Object.entries(isHtml ? (held(values) as object) : values).map(([name, inner]) => [name, spoken(inner)]),
  )

/** Checking takes as long as filling, and the same few templates are filled again and again. */
const passed = new Set<string>()
const maxPassed = 500
function needSound(text: string, kind: TemplateKind): void {
  const key = `${kind} ${text}`
  if (passed.has(key)) return
  const [problem] = checkTemplate(text, fillableVariables(kind))
  if (problem) throw new BrokenTemplate(inQuotes(problem.message))
  if (passed.size >= maxPassed) passed.clear()
  passed.add(key)
}

/** Whatever has nothing to say vanishes. */
const silent = /<p(?: [a-z]+="[^"]*")*>(?:\s|\u00a0|<br \/>)*<\/p>/g

interface Filling {
  language: Language
  timeZone: string
}

/** One of the lines of a template. */
export function fillLine(text: string, kind: TemplateKind, values: object, settings: Filling): string {
  needSound(text, kind)
  return oneLine(fillTemplate(text, ready(values, false), { ...settings, output: 'text' })).slice(0, 250)
}

/** Its body: safe HTML, whatever the values are. */
export const fillBodyHtml = (html: string, kind: TemplateKind, values: object, settings: Filling): string =>
  cleanFilled(filledAsIs(html, kind, values, settings)).replace(silent, '')

/** The same before anything is mended, for whoever asks whether there is something to mend. */
export function filledAsIs(html: string, kind: TemplateKind, values: object, settings: Filling): string {
  needSound(html, kind)
  const filled: TemplateSettings = { ...settings, output: 'html' }
  return fillTemplate(html, ready(values, true), filled).replaceAll(lineEnd, '<br />')
}

/** What a template says of a record. Throws `BrokenTemplate`, or what the engine says of one without end. */
export const fillTemplateVersion = (
  { subject, preheader, bodyHtml, button }: TemplateTexts,
  kind: TemplateKind,
  values: object,
  settings: Filling,
): TemplateTexts => ({
  subject: fillLine(subject, kind, values, settings),
  preheader: fillLine(preheader, kind, values, settings),
  bodyHtml: fillBodyHtml(bodyHtml, kind, values, settings),
  button: fillLine(button, kind, values, settings),
})
