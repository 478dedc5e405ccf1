import { readFileSync } from 'node:fs'
import { Liquid, type Template } from 'liquidjs'
import type { Language } from '../../contract/core/languages.ts'
import { readable } from '../core/colour.ts'
import { layoutFile, placeholders } from './layout-source.ts'

export interface LayoutData {
  /** English when not said. */
  language?: Language
  subject: string
  /** The first words a mail program shows beside the subject. */
  preview: string
  business: string
  paragraphs: string[][]
  button: { label: string; link: string; hint: string } | null
  /** Lines at the foot: who sends this, and why. */
  footer: string[]
}

// Every value is escaped where it stands; the layout is ours, so it may have tags.
const engine = new Liquid({
  outputEscape: 'escape',
  ownPropertyOnly: true,
  strictFilters: true,
  strictVariables: true,
  templates: {},
})

const layouts = new Map<string, Template[]>()

/**
 * Tables, for mail programs that know nothing else. They are compiled beforehand, because the compiler weighs ninety megabytes and
 * takes seconds, while others wait for the number of the document a mail is about; a test keeps them in step with their source.
 */
function layoutFor(colour: string, language: Language): Template[] {
  const safe = /^#[0-9a-f]{6}$/i.test(colour) ? colour : '#675DD8'
  const key = `${safe} ${language}`
  const known = layouts.get(key)
  if (known) return known
  const html = readFileSync(layoutFile(language), 'utf8')
    .replaceAll(placeholders.line, safe)
    .replaceAll(placeholders.button, readable(safe))
  const made = engine.parse(html)
  if (layouts.size > 100) layouts.clear()
  layouts.set(key, made)
  return made
}

/** Addresses become links; a number of a document, or an amount, is never divided at the end of a line. */
const special = /(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]]|\b[A-Z]{1,5}-\d+\b|[\u2212]\$[\d,.]+)/
const partsOf = (line: string) =>
  line
    .split(special)
    .map((text, i) => ({ text, is: i % 2 === 0 ? 'words' : text.startsWith('http') ? 'link' : 'number' }))
    .filter(({ text }) => text !== '')

export async function htmlOf(data: LayoutData, colour: string): Promise<string> {
  const layout = layoutFor(colour, data.language ?? 'en')
  const html: unknown = await engine.render(layout, {
    ...data,
    paragraphs: data.paragraphs.map((lines) => lines.map(partsOf)),
  })
  return String(html)
}

/** The same for people who read without HTML. */
export function textOf(data: LayoutData): string {
  const button = data.button ? [`${data.button.label}:\n${data.button.link}`] : []
  return [...data.paragraphs.map((lines) => lines.join('\n')), ...button, `-- \n${data.footer.join('\n')}`]
    .join('\n\n')
    .concat('\n')
}
