import type { Phrase } from '../core/i18n/phrases.ts'
import type { DocumentContent } from './document.ts'

/** What a document is called. The words "Tax invoice" stand on documents of registered businesses alone. */
export function titleOf(
  content: Pick<DocumentContent, 'kind' | 'invoiceKind' | 'isTaxInvoice' | 'forfeitureClause'>,
  t: Phrase,
): string {
  if (content.kind !== 'invoice') return t(`title.${content.kind}`)
  if (content.invoiceKind === 'adjustment_note')
    return t(content.isTaxInvoice ? 'title.adjustmentNote' : 'title.creditNote')
  if (content.forfeitureClause !== undefined) return t('title.depositRequest')
  if (content.invoiceKind === 'deposit')
    return t(content.isTaxInvoice ? 'title.depositTaxInvoice' : 'title.depositInvoice')
  return t(content.isTaxInvoice ? 'title.taxInvoice' : 'title.invoice')
}
