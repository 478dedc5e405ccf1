import type { businessesApi } from '../../contract/businesses.ts'
import type { Line } from '../../contract/lines.ts'
import type { Answer } from '../core/api/types.ts'
import { editorLines, newLine, type EditorLine, type Terms } from './line-state.ts'

/** The business, which a new document takes its terms from. */
export type Defaults = Answer<typeof businessesApi.current>['business']

/** What the editors of quotes, orders and invoices have in common. */
export interface DocumentValues extends Terms {
  customerGuid: string | null
  contactGuid: string | null
  siteGuid: string | null
  title: string
  internalNotes: string
  /** As they are at first; while they are edited they stand in a store of their own. */
  lines: readonly EditorLine[]
}

export const emptyDocument = (business: Defaults, customerGuid: string | null): DocumentValues => ({
  customerGuid,
  contactGuid: null,
  siteGuid: null,
  title: '',
  priceMode: business.defaultPriceMode,
  roundingRule: business.roundingRule,
  discount: null,
  internalNotes: '',
  lines: [newLine('item', business.gstRegistered ? 'GST' : 'NOT_REGISTERED')],
})

type Saved = Omit<DocumentValues, 'internalNotes' | 'lines'> & { internalNotes: string | null; lines: readonly Line[] }

export const valuesOfDocument = (document: Saved): DocumentValues => ({
  customerGuid: document.customerGuid,
  contactGuid: document.contactGuid,
  siteGuid: document.siteGuid,
  title: document.title,
  priceMode: document.priceMode,
  roundingRule: document.roundingRule,
  discount: document.discount,
  internalNotes: document.internalNotes ?? '',
  lines: document.lines.length ? editorLines(document.lines) : [newLine()],
})
