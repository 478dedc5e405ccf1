import { readFileSync } from 'node:fs'
import { Liquid, type Template } from 'liquidjs'
import type { Language } from '../../contract/core/languages.ts'
import type { RenderJob } from '../core/adapters/renderer.ts'
import { type Dress, type Dressed, schemes } from '../../contract/dress.ts'
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

/** Every word that no theme says, with what this one does. */
const worn = ({ light, dark, radius, fontStack }: Dress): [string, string][] => [
  ...schemes.flatMap((scheme) =>
    Object.entries(placeholders[scheme]).map(([name, word]): [string, string] => [
      word,
      { light, dark }[scheme][name as keyof Dressed],
    ]),
  ),
  [placeholders.radius, `${radius}px`],
  [placeholders.font, fontStack],
]

/**
 * Tables, for mail programs that know nothing else. They are compiled beforehand, because the compiler weighs ninety
 * megabytes and takes seconds; a test keeps them in step with their source.
 */
function layoutFor(dress: Dress, language: Language): Template[] {
  const key = `${JSON.stringify(dress)} ${language}`
  const known = layouts.get(key)
  if (known) return known
  let html = readFileSync(layoutFile(language), 'utf8')
  for (const [word, said] of worn(dress)) html = html.replaceAll(word, said)
  const made = engine.parse(html)
  if (layouts.size > 100) layouts.clear()
  layouts.set(key, made)
  return made
}

export async function htmlOf(data: LayoutData): Promise<string> {
  const layout = layoutFor(data.dress, data.language)
  const { link } = data.dress.light
  const html: unknown = await engine.render(layout, {
    ...data,
    body: dressed(data.bodyHtml, data.language, link),
    foot: dressed(data.foot, data.language, link),
  })
  return String(html)
}

/** For the render worker, the only process that reads layouts. */
export const renderMail = async ({ data }: RenderJob): Promise<Uint8Array> =>
  new TextEncoder().encode(await htmlOf(data as unknown as LayoutData))
