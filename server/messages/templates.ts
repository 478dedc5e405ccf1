import { Liquid } from 'liquidjs'
import { templateKinds, type TemplateKind } from '../../contract/messages.ts'
import type { Language } from '../../contract/core/languages.ts'
import { serverPhrases } from '../core/i18n/phrases.ts'

/** Names from a fixed list and nothing else: no tags, no filters, no reaching into values. */
const engine = new Liquid({
  ownPropertyOnly: true,
  strictVariables: true,
  strictFilters: true,
  parseLimit: 20_000,
  renderLimit: 200,
  memoryLimit: 200_000,
  templates: {},
})
for (const name of Object.keys(engine.tags)) delete engine.tags[name]
for (const name of Object.keys(engine.filters)) delete engine.filters[name]

export interface TemplateText {
  subject: string
  body: string
  button: string | null
}

/** The templates every business starts with, in every language. */
export const firstTemplates: Readonly<Record<Language, Readonly<Record<TemplateKind, TemplateText>>>> = {
  en: serverPhrases.en.messages.template,
  fr: serverPhrases.fr.messages.template,
  ar: serverPhrases.ar.messages.template,
}
export const allTemplateKinds = templateKinds

const fill = (template: string, values: Readonly<Record<string, string>>) =>
  String(engine.parseAndRenderSync(template, values))
// oxlint-disable-next-line no-control-regex -- a header line holds no control characters
const controls = /[\u0000-\u001f\u007f\u2028\u2029]+/g

/** One header line: whatever was put in, it has no line break. */
export const oneLine = (text: string): string => text.replace(controls, ' ').replace(/ {2,}/g, ' ').trim()

export const fillSubject = (template: string, values: Readonly<Record<string, string>>): string =>
  oneLine(fill(template, values)).slice(0, 250)

/** The paragraphs of a message, each of one or more lines; those that have nothing to say vanish. */
export const fillBody = (template: string, values: Readonly<Record<string, string>>): string[][] =>
  template
    .split(/\n{2,}/)
    .flatMap((paragraph) => fill(paragraph, values).split(/\n{2,}/))
    .map((paragraph) => paragraph.split('\n').map((line) => line.trim()))
    .filter((lines) => lines.some((line) => line !== ''))
