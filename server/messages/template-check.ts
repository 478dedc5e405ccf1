import { linesOfBody, replaceLiquid } from '../../contract/core/liquid.ts'
import type { Language } from '../../contract/core/languages.ts'
import {
  maxTemplateProblems,
  type TemplateLanguages,
  type TemplatePart,
  templateParts,
  type TemplateProblem,
  type TemplateTexts,
  writtenLanguages,
} from '../../contract/email-templates.ts'
import type { TemplateKind } from '../../contract/messages.ts'
import { offeredVariables, subjectOf, type TemplateSubject, variablesOf } from '../../contract/template-kinds.ts'
import { cleanFilled } from '../core/html/body.ts'
import { checkTemplate } from '../core/templates/check.ts'

export const crossingProblem = 'This block begins inside one element and ends in another.'
const voids = new Set(['br', 'hr'])

/**
 * Whether every block of a template begins and ends in the same element; where those begin that don’t. Whatever is
 * chosen or repeated then, the HTML stays whole.
 */
export function crossingBlocks(html: string): { line: number; at: string }[] {
  const tokens: string[] = []
  const hidden = replaceLiquid(html, (token) => `\uE000${tokens.push(token) - 1}\uE001`)
  const open: string[] = []
  const blocks: { height: number; line: number; at: string }[] = []
  const crossing = new Set<(typeof blocks)[number]>()
  let line = 1
  const say = (block: (typeof blocks)[number] | undefined) => {
    if (block) crossing.add(block)
  }
  for (const [piece] of hidden.matchAll(/\n|<\/?[a-z][^>]*>|\uE000\d+\uE001/gi)) {
    if (piece === '\n') {
      line++
      continue
    }
    const token = /^\uE000(\d+)/.exec(piece)?.[1]
    const said = token === undefined ? '' : (tokens[Number(token)] ?? '')
    const word = /^\{%-?\s*(\w+)/.exec(said)?.[1] ?? ''
    const block = blocks.at(-1)
    if (/^(if|unless|for)$/.test(word)) blocks.push({ height: open.length, line, at: said })
    else if (/^(elsif|else)$/.test(word) && block && open.length !== block.height) {
      say(block)
      open.length = Math.min(open.length, block.height)
    } else if (word.startsWith('end') && block) {
      if (open.length !== block.height) say(block)
      blocks.pop()
    } else if (piece.startsWith('</')) {
      // An element that began before the block is closed within it.
      if (block && open.length <= block.height) say(block)
      open.pop()
    } else if (piece.startsWith('<')) {
      const name = /^<([a-z0-9]+)/i.exec(piece)?.[1]?.toLowerCase() ?? ''
      if (!voids.has(name)) open.push(name)
    }
    line += said.split('\n').length - 1
  }
  return [...crossing].map(({ line: begin, at }) => ({ line: begin, at }))
}

/** What is left of differences that mean nothing: how letters are written, and which kind of line end a tag has. */
const canonical = (html: string) =>
  html
    .replaceAll(/&(?:amp|#38);/g, '&')
    .replaceAll(/&(?:lt|#60);/g, '\uE002')
    .replaceAll(/&(?:gt|#62);/g, '\uE003')
    .replaceAll(/&(?:quot|#34);/g, '"')
    .replaceAll(/&(?:apos|#39);/g, "'")
    .replaceAll(/\s*\/>/g, '>')
    .trim()

/** Whether filled-in HTML is whole: nothing has to be closed, opened or taken away. */
export const isWhole = (html: string): boolean => canonical(cleanFilled(html)) === canonical(html)

type Found = Omit<TemplateProblem, 'language' | 'record'>

/** A part as it is read line by line: a line break within a paragraph makes no other of it. */
const readable = (part: TemplatePart, text: string) =>
  part === 'bodyHtml'
    ? linesOfBody(text)
        .map((line) => line.replaceAll('\n', ' '))
        .join('\n')
    : text

const belongs: Readonly<Record<TemplateSubject, (path: string) => string>> = {
  quote: (path) => `\`${path}\` belongs to emails about quotes.`,
  order: (path) => `\`${path}\` belongs to emails about orders.`,
  invoice: (path) => `\`${path}\` belongs to emails about invoices.`,
  payment: (path) => `\`${path}\` belongs to emails about payments.`,
  refund: (path) => `\`${path}\` belongs to emails about refunds.`,
  change: (path) => `\`${path}\` belongs to emails about changes to an order.`,
  reminder: (path) => `\`${path}\` belongs to reminders.`,
}
const elsewhere = (path: string) => {
  const subject = subjectOf(path)
  return subject ? belongs[subject](path) : null
}

/** What is wrong with the variables of one part. */
export const variableProblems = <P extends TemplatePart>(kind: TemplateKind, part: P, text: string) =>
  checkTemplate(readable(part, text), variablesOf(kind), { offered: offeredVariables(kind), elsewhere }).map(
    (problem) => ({ part, ...problem }),
  )

function bodyProblems(kind: TemplateKind, html: string): Found[] {
  const found = variableProblems(kind, 'bodyHtml', html)
  const told = new Set(found.map(({ line }) => line))
  // A block that isn’t closed crosses whatever comes after it.
  const crossing = crossingBlocks(readable('bodyHtml', html))
    .filter(({ line }) => !told.has(line))
    .map((block) => ({ part: 'bodyHtml' as const, ...block, message: crossingProblem }))
  return [...found, ...crossing].toSorted((a, b) => a.line - b.line)
}

/** What is wrong with the words of one language, whatever the record. */
export function textProblems(kind: TemplateKind, texts: TemplateTexts): Found[] {
  return templateParts.flatMap((part): Found[] =>
    part === 'bodyHtml' ? bodyProblems(kind, texts.bodyHtml) : variableProblems(kind, part, texts[part]),
  )
}

/** What is wrong with a version in any of its languages. */
export const versionProblems = (kind: TemplateKind, said: TemplateLanguages): TemplateProblem[] =>
  writtenLanguages(said)
    .flatMap((language: Language): TemplateProblem[] =>
      textProblems(kind, said[language] as TemplateTexts).map((found) => ({ language, record: null, ...found })),
    )
    .slice(0, maxTemplateProblems)
