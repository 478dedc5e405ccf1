import './pdf-production.ts'
import { createElement } from 'react'
import { Document, Page, renderToBuffer } from '@react-pdf/renderer'
import type { RenderJob } from '../core/adapters/renderer.ts'
import { phrases } from '../core/i18n/phrases.ts'
import type { RenderData } from './document.ts'
import { printable } from './pdf-fonts.ts'
import { edge, foot, footWords, head } from './pdf-head.ts'
import { lines } from './pdf-lines.ts'
import { accentsOf, cleaned } from './pdf-sheet.ts'
import { beginSheet, type Drawing, page, size } from './pdf-style.ts'
import { endMatter, totals } from './pdf-totals.ts'
import { titleOf } from './title.ts'

/** Draws a document as PDF: from what it is given and the fonts alone, without network. */
export async function renderDocument(job: RenderJob): Promise<Uint8Array> {
  const clean = await printable()
  const given = job.data as unknown as RenderData
  const data: RenderData = { ...given, content: cleaned(given.content, clean), state: cleaned(given.state, clean) }
  const language = data.content.language ?? 'en'
  const t = phrases('documents', language)
  const suit = given.suit ? cleaned(given.suit, clean) : null
  beginSheet(language, suit)
  const accents = accentsOf(data.content.business, suit)
  const drawing: Drawing = { ...data, suit, t, ...accents, title: titleOf(data.content, t) }
  return new Uint8Array(await renderToBuffer(sheet(drawing)))
}

function sheet(d: Drawing) {
  const { content, title } = d
  const name = [title, content.number ?? d.t('draft')].join(' ')
  return createElement(
    Document,
    {
      title: name,
      author: content.business.name,
      subject: content.title,
      language: { en: 'en-AU', fr: 'fr', ar: 'ar' }[content.language ?? 'en'],
      creator: content.business.name,
      producer: content.business.name,
    },
    createElement(
      Page,
      { size: size.page, style: page(), experimentalPagination: true },
      edge(d),
      foot(d, d.t('footer', { title, number: content.number ?? d.t('draft') })),
      head(d),
      lines(d),
      totals(d),
      ...endMatter(d),
      ...footWords(d.suit?.foot),
    ),
  )
}
