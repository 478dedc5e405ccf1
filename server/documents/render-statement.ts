import './pdf-production.ts'
import { createElement } from 'react'
import { Document, Page, renderToBuffer } from '@react-pdf/renderer'
import type { StatementPaper } from '../../contract/statements.ts'
import type { RenderJob } from '../core/adapters/renderer.ts'
import { phrases } from '../core/i18n/phrases.ts'
import type { RenderData } from './document.ts'
import { printable } from './pdf-fonts.ts'
import { edge, foot, footWords } from './pdf-head.ts'
import { periodOf, statementHead, statementTable, statementTotals, type StatementDrawing } from './pdf-statement.ts'
import { accentsOf, cleaned } from './pdf-sheet.ts'
import { beginSheet, page, size } from './pdf-style.ts'

/** Draws a statement as PDF: from what it is given and the fonts alone, without network. */
export async function renderStatement(job: RenderJob): Promise<Uint8Array> {
  const clean = await printable()
  const given = job.data as unknown as {
    content: StatementPaper
    logo: RenderData['logo']
    suit?: RenderData['suit']
  }
  const content = cleaned(given.content, clean)
  const { language, business } = content
  const t = phrases('documents', language)
  const suit = given.suit ? cleaned(given.suit, clean) : null
  beginSheet(language, suit)
  const title = t('statement.title')
  const drawing: StatementDrawing = { content, logo: given.logo, t, title, ...accentsOf(business, suit) }
  const sheet = createElement(
    Document,
    {
      title: `${title} ${content.to}`,
      author: business.name,
      subject: content.billTo.name,
      language: { en: 'en-AU', fr: 'fr', ar: 'ar' }[language],
      creator: business.name,
      producer: business.name,
    },
    createElement(
      Page,
      { size: size.page, style: page(), experimentalPagination: true },
      edge(drawing),
      foot(drawing, `${title}  ·  ${periodOf(drawing)}`),
      statementHead(drawing),
      statementTable(drawing),
      statementTotals(drawing),
      ...footWords(suit?.foot),
    ),
  )
  return new Uint8Array(await renderToBuffer(sheet))
}
