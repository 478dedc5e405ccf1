import { Fragment, type ReactNode } from 'react'
import { inLanguage } from '../../contract/booking-options.ts'
import { isPart, isText } from '../../contract/core/money.ts'
import type { ServiceQuote } from '../../contract/service-quotes.ts'
import { gstCodeOf, isNumberedByName, shownAmounts } from '../../contract/shown-lines.ts'
import type { Format } from '../core/i18n/format.ts'
import { phraseOr, useLanguage, useT } from '../core/i18n/i18n.ts'
import { Money } from '../core/ui/money.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { LineAnswers } from '../lines/line-answers.tsx'
import { LinesTable } from '../lines/lines-table.tsx'
import { unitText } from '../lines/unit-text.ts'
import { isChoice, proposedChoice, type ServiceLine } from './shown-lines.ts'
import '../lines/lines-below.css'

interface OfferProps {
  quote: Pick<ServiceQuote, 'lines' | 'priceMode'>
  chosen: ReadonlySet<string>
  isOpen: boolean
  format: Format
  choice: (line: ServiceLine) => ReactNode
  /** What can be done with a line and was said of it, below everything it consists of; null where there is nothing. */
  below: (line: ServiceLine) => ReactNode
}

/** The lines of a quote as its customer talks about them: each with room below for what he moves and asks. */
export function OfferLines(props: OfferProps) {
  const { quote, below } = props
  const amounts = shownAmounts(quote.lines, quote.priceMode, false)
  const tops = quote.lines.filter(({ parentLineGuid }) => parentLineGuid === null)
  return (
    <LinesTable columns={['quantity', 'price', 'amount']}>
      {tops.map((top) => {
        const rows = quote.lines.flatMap((line, index) => {
          const amount = amounts[index] ?? null
          const isOf = line.guid === top.guid || line.parentLineGuid === top.guid
          return isOf && amount !== null
            ? [<Row key={line.guid} {...props} line={line} top={top} amount={amount} />]
            : []
        })
        const under = below(top)
        return (
          <Fragment key={top.guid}>
            {rows}
            {under === null ? null : (
              <tr className="offer-below no-print">
                <td colSpan={4}>{under}</td>
              </tr>
            )}
          </Fragment>
        )
      })}
    </LinesTable>
  )
}

type Amount = NonNullable<ReturnType<typeof shownAmounts>[number]>

function Row({
  line,
  top,
  amount,
  quote,
  chosen,
  isOpen,
  format: f,
  choice,
}: OfferProps & { line: ServiceLine; top: ServiceLine; amount: Amount }) {
  const isTop = line.parentLineGuid === null
  if (isText(line))
    return (
      <tr className={`document-${line.kind}`}>
        <th colSpan={4} scope="rowgroup">
          {unbroken(line.name)}
          {line.description ? <p className="document-text">{line.description}</p> : null}
        </th>
      </tr>
    )
  const hasNoNumber = line.kind === 'deposit_credit' || isNumberedByName(line)
  const classes = [
    isChoice(line) && !chosen.has(top.guid) ? 'document-open' : '',
    isTop ? '' : 'document-child',
    isPart(line) ? 'document-part' : '',
    !isTop && isChoice(line) ? 'document-choice-child' : '',
  ]
  return (
    <tr className={classes.join(' ')}>
      <td>
        <div className="document-name">
          {isTop ? choice(line) : null}
          <div>
            <Named line={line} lines={quote.lines} isOpen={isOpen} format={f} />
          </div>
        </div>
      </td>
      <td className="end tabular nowrap">
        {hasNoNumber ? null : (
          <>
            {f.quantity(line.quantity)}
            {line.unit === 'each' ? null : <span className="muted"> {unitText(line.unit, line.quantity)}</span>}
          </>
        )}
      </td>
      <td className="end">
        {hasNoNumber && !isPart(line) ? null : (
          <Money cents={line.kind === 'discount' ? -Math.abs(line.unitPriceCents) : line.unitPriceCents} />
        )}
      </td>
      <td className="end">
        {amount.grossCents === null ? null : <Money cents={amount.grossCents} />}
        {amount.discountCents ? (
          <p className="document-text">
            <Money cents={-amount.discountCents} />
          </p>
        ) : null}
      </td>
    </tr>
  )
}

/** What a line is, with all that is said of it. */
function Named({
  line,
  lines,
  isOpen,
  format: f,
}: {
  line: ServiceLine
  lines: readonly ServiceLine[]
  isOpen: boolean
  format: Format
}) {
  const t = useT('lines')
  const language = useLanguage()
  const isTopChoice = isChoice(line) && line.parentLineGuid === null
  const isProposed = isOpen && line.alternativeGroup !== null && proposedChoice(lines).has(line.guid)
  const gstCode = gstCodeOf(line, lines)
  return (
    <>
      <span className="strong">
        <bdi>{unbroken(line.wording ? inLanguage(line.wording, language) : line.name)}</bdi>
      </span>
      {isTopChoice ? (
        <span className="line-badge">
          {line.alternativeGroup ? t('lines:alternativeOf', { group: line.alternativeGroup }) : t('lines:optional')}
        </span>
      ) : null}
      {isTopChoice && isProposed ? <span className="line-badge quiet">{t('lines:byDefault')}</span> : null}
      {gstCode === 'GST' || gstCode === 'NOT_REGISTERED' ? null : (
        <span className="line-badge quiet">
          {gstCode === null ? t('lines:gstMixed') : phraseOr(`lines:gstCodes.${gstCode}`, gstCode)}
        </span>
      )}
      {line.hireFrom && line.hireTo ? (
        <p className="document-text">{t('lines:hireDays', { from: f.date(line.hireFrom), to: f.date(line.hireTo) })}</p>
      ) : null}
      <LineAnswers line={line} format={f} />
      {line.description ? <p className="document-text">{line.description}</p> : null}
      {line.discount ? (
        <p className="document-text">
          {t('lines:lineDiscount', {
            discount: line.discount.type === 'percent' ? f.percent(line.discount.value) : f.money(line.discount.value),
          })}
        </p>
      ) : null}
    </>
  )
}
