import type { Quote } from '../../contract/quotes.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { DocumentBanner } from '../lines/document-banner.tsx'
import { OwnLetter } from '../portal/own-letter.tsx'
import { type LetterQuote, QuoteLetter } from '../portal/quote-letter.tsx'
import { proposedChoice } from '../portal/shown-lines.ts'

/** What its customer gets. */
const letterOf = (quote: Quote, draftNumber: string): LetterQuote => ({
  ...quote,
  number: quote.number ?? draftNumber,
  customer: { name: quote.customer.displayName, language: 'en' },
  siteLabel: quote.site?.label ?? null,
  depositRule: quote.depositRule === null || quote.depositRule.type === 'none' ? null : quote.depositRule,
  acceptedBy: quote.acceptance,
})

/** What the customer said to it, above the letter. */
function Answer({ quote }: { quote: Quote }) {
  const t = useT('quotes')
  if (quote.changeRequest && quote.status === 'changes_requested')
    return (
      <DocumentBanner tone="warning">
        <strong>{t('quotes:changeRequest')}</strong>
        <span>{quote.changeRequest.note}</span>
      </DocumentBanner>
    )
  if (!quote.decline) return null
  return (
    <DocumentBanner tone="error">
      <strong>
        {t('quotes:declinedBecause', {
          reason: phraseOr(`quotes:reasons.${quote.decline.reasonCode}`, quote.decline.reasonCode),
        })}
      </strong>
      {quote.competitor ? <span>{t('quotes:declinedTo', { name: quote.competitor })}</span> : null}
      {quote.decline.note ? <span>{quote.decline.note}</span> : null}
    </DocumentBanner>
  )
}

export function QuoteDocument({ quote }: { quote: Quote }) {
  const t = useT('quotes', 'service', 'lines')
  return (
    <>
      <Answer quote={quote} />
      <OwnLetter of={quote} document={quote.status === 'draft' ? undefined : { quoteGuid: quote.guid }}>
        {(business) => (
          <QuoteLetter
            quote={letterOf(quote, t('quotes:draftNumber'))}
            business={business}
            chosen={proposedChoice(quote.lines)}
            isInset
          />
        )}
      </OwnLetter>
    </>
  )
}
