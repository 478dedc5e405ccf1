import { trimQuantity } from '../../contract/lines.ts'
import type { Ask } from '../../contract/negotiation.ts'
import type { Quote } from '../../contract/quotes.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { unitText } from '../lines/unit-text.ts'

/** What was asked, in a sentence. */
export function useAskText() {
  const t = useT('quotes', 'lines')
  const f = useFormat()
  return ({ kind, lineGuid, quantity }: Ask, lines: Quote['lines']): string => {
    if (kind === 'drop') return t('quotes:asks.drop')
    if (kind === 'comment') return t('quotes:asks.comment')
    const line = lines.find(({ guid }) => guid === lineGuid)
    const to = trimQuantity(quantity ?? '0')
    const unit = line && line.unit !== 'each' ? ` ${unitText(line.unit, to)}` : ''
    return line
      ? t('quotes:asks.quantity', { from: f.quantity(line.quantity), to: `${f.quantity(to)}${unit}` })
      : t('quotes:asks.quantityTo', { to: f.quantity(to) })
  }
}
