import { quotesApi } from '../../contract/quotes.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useMay } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { DocumentLines } from '../lines/document-lines.tsx'
import { TotalsBlock } from '../lines/totals-block.tsx'
import { NextActionButton } from '../record/next-action.tsx'
import { nextOf } from '../record/actions.ts'
import { quoteActions } from './quote-actions.ts'

/** A quote at a glance, without leaving the list. */
export function QuotePeek({ guid }: { guid: string }) {
  const t = useT('quotes', 'lines', 'templates')
  const may = useMay()
  const read = useRead(quotesApi.get, { guid })
  return (
    <Loaded of={read}>
      {({ quote }) => (
        <div className="stack">
          {quote.number ? <strong>{quote.title}</strong> : null}
          <div className="row spread">
            <StatusChip status={quote.displayStatus} ns="quotes" />
            <NextActionButton next={nextOf(quoteActions(quote, t), may)} page={pathTo('Quotes', guid)} />
          </div>
          <KeyValueList
            items={[
              { label: t('quotes:customer'), value: quote.customer.displayName },
              { label: t('quotes:site'), value: quote.site?.label, isHidden: !quote.site },
              {
                label: t('quotes:sentAt'),
                value: <DateText value={quote.sentAt} as="dateTime" />,
                isHidden: !quote.sentAt,
              },
              {
                label: t('quotes:validUntil'),
                value: <DateText value={quote.validUntil} />,
                isHidden: !quote.validUntil,
              },
            ]}
          />
          <DocumentLines lines={quote.lines} priceMode={quote.priceMode} hasAllParts />
          <TotalsBlock totals={quote.totals} />
        </div>
      )}
    </Loaded>
  )
}
