import type { ReactNode } from 'react'
import type { PublicBusiness } from '../../contract/businesses.ts'
import type { ServiceQuote } from '../../contract/service-quotes.ts'
import type { Format } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { TotalsBlock, TotalsRow } from '../lines/totals-block.tsx'
import { Letter } from './letter.tsx'
import { type ChooseLine, QuoteLines } from './quote-lines.tsx'
import { useServiceFormat } from './service-format.ts'
import { depositFor, type ServiceLine, stagesFor, totalsWith } from './shown-lines.ts'
import { Terms } from './terms.tsx'

/** What stands in the letter, for its customer and for whoever writes it. */
export type LetterQuote = Pick<
  ServiceQuote,
  | 'number'
  | 'revision'
  | 'title'
  | 'customer'
  | 'siteLabel'
  | 'sentAt'
  | 'validUntil'
  | 'priceMode'
  | 'roundingRule'
  | 'discount'
  | 'depositRule'
  | 'schedule'
  | 'stages'
  | 'intro'
  | 'terms'
  | 'lines'
  | 'totals'
  | 'acceptedBy'
> & { status: string }

export const isDecided = ({ status }: Pick<LetterQuote, 'status'>) => status === 'accepted' || status === 'converted'

/** As it was signed: drawn by hand, or the name in letters of a hand. Who agreed by phone has signed nothing. */
function Signed({ by }: { by: NonNullable<ServiceQuote['acceptedBy']> }) {
  const t = useT('service')
  if (by.signature === null)
    return (
      <>
        {t('service:quote.acceptedBy')} <span className="strong">{by.name}</span>
      </>
    )
  const label = t('service:quote.signed')
  if (by.signature.method === 'typed')
    return (
      <>
        {label} <span className="letter-signature">{by.name}</span>
      </>
    )
  return (
    <>
      {label} <span className="strong">{by.name}</span>
      <img
        className="letter-drawn"
        src={`data:image/png;base64,${by.signature.png}`}
        alt={t('service:quote.signatureOf', { name: by.name })}
      />
    </>
  )
}

/** What is paid when, of a quote that is paid in stages. */
function StageRows({ stages, format: f }: { stages: ServiceQuote['stages']; format: Format }) {
  const t = useT('service')
  return stages.map(({ label, due, cents }, i) => (
    <TotalsRow
      key={i}
      label={t('service:stages.row', {
        label,
        due: due.type === 'day' ? f.date(due.on) : t(`service:stages.dues.${due.type}`),
      })}
      cents={cents}
    />
  ))
}

interface QuoteLetterProps {
  quote: LetterQuote
  business: PublicBusiness
  chosen: ReadonlySet<string>
  /** Only the customer chooses. */
  onChoose?: ChooseLine
  below?: (line: ServiceLine) => ReactNode
  isInset?: boolean
}

/** The quote itself, complete on paper. */
export function QuoteLetter({ quote, business, chosen, onChoose, below, isInset = false }: QuoteLetterProps) {
  const t = useT('service')
  const f = useServiceFormat(business.timeZone)
  const isOpen = quote.status === 'sent' && onChoose !== undefined
  const totals = isOpen ? totalsWith(quote, chosen) : quote.totals
  const deposit = depositFor(quote, totals.totalCents)
  const { depositRule } = quote
  const shownStages = isOpen ? stagesFor(quote, totals.totalCents) : quote.stages
  return (
    <Letter
      isInset={isInset}
      business={business}
      kind={t('service:quote.kind')}
      number={quote.number}
      detail={quote.revision > 0 ? t('service:quote.revision', { revision: quote.revision }) : null}
      title={quote.title}
      facts={[
        { label: t('service:facts.preparedFor'), value: quote.customer.name },
        quote.sentAt ? { label: t('service:facts.date'), value: f.date(quote.sentAt) } : null,
        quote.validUntil ? { label: t('service:facts.validUntil'), value: f.date(quote.validUntil) } : null,
        quote.siteLabel ? { label: t('service:facts.site'), value: quote.siteLabel } : null,
      ]}
    >
      {quote.intro ? <p className="letter-prose">{quote.intro}</p> : null}
      <QuoteLines
        quote={quote}
        chosen={chosen}
        isOpen={isOpen}
        hasAllParts={isInset}
        format={f}
        {...(onChoose ? { onChoose } : {})}
        below={below}
      />
      <TotalsBlock totals={isDecided(quote) ? { ...totals, optionalTotalCents: 0 } : totals}>
        {deposit > 0 && depositRule && shownStages.length === 0 ? (
          <TotalsRow
            label={
              depositRule.type === 'percent'
                ? t('service:quote.depositPercent', { percent: f.percent(depositRule.value) })
                : t('service:quote.depositFixed')
            }
            cents={deposit}
          />
        ) : null}
        <StageRows stages={shownStages} format={f} />
      </TotalsBlock>
      {business.gstRegistered ? (
        <p className="letter-small">
          {quote.priceMode === 'inclusive' ? t('service:prices.inclusive') : t('service:prices.exclusive')}
        </p>
      ) : null}
      {quote.acceptedBy ? (
        <p className="letter-signed">
          <Signed by={quote.acceptedBy} /> <span className="muted">{f.dateTime(quote.acceptedBy.at)}</span>
        </p>
      ) : null}
      {quote.terms ? <Terms text={quote.terms} /> : null}
    </Letter>
  )
}
