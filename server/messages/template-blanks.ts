import { replaceLiquid } from '../../contract/core/liquid.ts'
import { type TemplatePart, templateParts, type TemplateTexts } from '../../contract/email-templates.ts'
import type { TemplateKind } from '../../contract/messages.ts'
import { templateKindFacts } from '../../contract/template-kinds.ts'
import { fillMarked, type TemplateSettings } from '../core/templates/engine.ts'
import { ready } from './templates.service.ts'

/** Letters of nobody's own: one of them before what a variable writes, by its place, and the last of them behind. */
const firstMark = 0xe000
const lastMark = '\uF8FF'
const maxMarked = 1000

/** A template whose variables are marked. One that says what stands for nothing is none of them. */
function markVariables(text: string): { marked: string; variables: string[] } {
  const variables: string[] = []
  const marked = replaceLiquid(text, (token) => {
    const variable = /^\{\{-?\s*([a-z_][\w.]*)/i.exec(token)?.[1]
    if (!variable || /\|\s*default\b/.test(token) || variables.length === maxMarked) return token
    return `${String.fromCharCode(firstMark + variables.push(variable) - 1)}${token}${lastMark}`
  })
  return { marked, variables }
}

const lineEnds = /<\/?(?:p|li|h2|h3|td|th|tr|table|thead|tbody|ul|ol|blockquote|hr|br)\b[^>]*>/
const gap = /([\uE000-\uF8FE])\s*\uF8FF/g
const saysNothing = (line: string) => line.replaceAll(/<[^>]*>|[\uE000-\uF8FF]|&nbsp;|\s/g, '') === ''

/** Which variables left a gap. One that stands alone in its line leaves none: the line goes with it. */
function gapsOf(part: TemplatePart, filled: string, variables: readonly string[]): string[] {
  const lines = part === 'bodyHtml' ? filled.split(lineEnds) : [filled]
  return lines
    .filter((line) => part === 'subject' || !saysNothing(line))
    .flatMap((line) => [...line.matchAll(gap)])
    .flatMap(([, mark = '']) => variables[mark.charCodeAt(0) - firstMark] ?? [])
}

/** What a document gets when it is sent or issued. A draft has none yet, and its email will have it. */
const comesWithSending = /^(?:number|link|(?:quote|invoice)\.(?:number|issuedOn|dueOn))$/

/** The variables of a template that come out empty in the midst of other words, each once. */
export function blanksOf(
  kind: TemplateKind,
  texts: TemplateTexts,
  values: object,
  settings: Omit<TemplateSettings, 'output'>,
): string[] {
  const isDocument = ['quote', 'invoice'].includes(templateKindFacts[kind].record)
  const found = templateParts.flatMap((part) => {
    const { marked, variables } = markVariables(texts[part])
    if (variables.length === 0) return []
    const isHtml = part === 'bodyHtml'
    const filled = fillMarked(marked, ready(values, isHtml), { ...settings, output: isHtml ? 'html' : 'text' })
    return gapsOf(part, filled, variables)
  })
  return [...new Set(found)].filter((variable) => !isDocument || !comesWithSending.test(variable))
}
