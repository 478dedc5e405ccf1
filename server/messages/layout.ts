import { readFileSync } from 'node:fs'
import { Liquid, type Template } from 'liquidjs'
import type { Language } from '../../contract/core/languages.ts'
import type { RenderJob } from '../core/adapters/renderer.ts'
import { readable } from '../../contract/contrast.ts'
import type { LayoutData } from './compose.ts'
import { dressed } from './dress.ts'
import { layoutFile, placeholders } from './layout-source.ts'

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
 * Tables, for mail programs that know nothing else. They are compiled beforehand, because the compiler weighs ninety
 * megabytes and takes seconds; a test keeps them in step with their source.
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

export async function htmlOf(data: LayoutData, colour: string): Promise<string> {
  const layout = layoutFor(colour, data.language)
  const html: unknown = await engine.render(layout, {
    ...data,
    body: dressed(data.bodyHtml, data.language),
  })
  return String(html)
}

/** For the render worker, the only process that reads layouts. */
export async function renderMail({ data }: RenderJob): Promise<Uint8Array> {
  const { colour, ...layout } = data as unknown as LayoutData & { colour: string }
  return new TextEncoder().encode(await htmlOf(layout, colour))
}
