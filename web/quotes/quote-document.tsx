import type { Quote } from '../../contract/quotes.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { DocumentCard, DocumentText } from '../lines/document-card.tsx'
import { DocumentLines } from '../lines/document-lines.tsx'
import { TotalsBlock } from '../lines/totals-block.tsx'
import { quoteName } from './quote-name.ts'

function Banner({ quote }: { quote: Quote }) {
  const t = useT('quotes')
  if (quote.changeRequest && quote.status === 'changes_requested')
    return (
      <div className="document-banner" data-tone="warning">
        <strong>{t('quotes:changeRequest')}</strong>
        <span>{quote.changeRequest.note}</span>
      </div>
    )
  if (quote.decline)
    return (
      <div className="document-banner" data-tone="error">
        <strong>{t('quotes:declinedBecause', { reason: phraseOr(`quotes:reasons.${quote.decline.reasonCode}`, quote.decline.reasonCode) })}</strong>
        {quote.decline.note ? <span>{quote.decline.note}</span> : null}
      </div>
    )
  return null
}

export function QuoteDocument({ quote }: { quote: Quote }) {
  const t = useT('quotes', 'lines')
  return (
    <DocumentCard
      kind={t('quotes:preview.title')}
      number={quoteName(quote, t('quotes:draftNumber'))}
      title={quote.title}
      stamp={<Banner quote={quote} />}
      party={{ heading: t('quotes:customer'), name: quote.customer.displayName, lines: [quote.contact?.name, quote.contact?.email ?? quote.customer.email, quote.site?.label] }}
      facts={[
        { label: t('quotes:created'), value: <DateText value={quote.createdAt} /> },
        { label: t('quotes:sentAt'), value: <DateText value={quote.sentAt} />, isHidden: !quote.sentAt },
        { label: t('quotes:validUntil'), value: <DateText value={quote.validUntil} />, isHidden: !quote.validUntil },
      ]}
    >
      <DocumentText>{quote.intro}</DocumentText>
      <DocumentLines lines={quote.lines} priceMode={quote.priceMode} />
      <TotalsBlock totals={quote.totals} />
      <DocumentText heading={t('quotes:terms')}>{quote.terms}</DocumentText>
    </DocumentCard>
  )
}
