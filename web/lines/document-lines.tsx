import type { ReactNode } from 'react'
import { isHeading } from '../../contract/core/money.ts'
import type { Line } from '../../contract/lines.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { useFormat } from '../core/i18n/format.ts'
import { Money } from '../core/ui/money.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { shownAmounts } from './shown-amounts.ts'
import { unitText } from './unit-text.ts'
import './lines.css'

type Shown = Omit<Line, 'productGuid' | 'isPriceManual'>

export interface DocumentLinesProps {
  lines: readonly Shown[]
  priceMode: 'exclusive' | 'inclusive'
  /** Put before an optional or alternative line: its check box or radio button on the customer's page. */
  choice?: (line: Shown) => ReactNode
  /** Whether a line counts now; by what is stored when not given. */
  isChosen?: (line: Shown) => boolean
  /** Marks what is taken of alternatives unless the customer says otherwise. */
  isProposed?: (line: Shown) => boolean
  /** What the table is called where something around it already has the name "Lines". */
  label?: string
}

/** The lines of a document as its customer reads them. */
export function DocumentLines({
  lines,
  priceMode,
  choice,
  isChosen = (line) => line.isSelected,
  isProposed,
  label,
}: DocumentLinesProps) {
  const t = useT('lines')
  const f = useFormat()
  const amounts = shownAmounts(lines, priceMode)
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={label ?? t('lines:title')}>
      <table className="plain-table document-lines">
        <thead>
          <tr>
            <th scope="col">{t('lines:name')}</th>
            <th scope="col" className="end">
              {t('lines:quantity')}
            </th>
            <th scope="col" className="end">
              {t('lines:price')}
            </th>
            <th scope="col" className="end">
              {t('lines:amount')}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) =>
            isHeading(line) ? (
              <tr key={line.guid} className={`document-${line.kind}`}>
                <th colSpan={4} scope="rowgroup">
                  {unbroken(line.name)}
                  {line.description ? <p className="document-text">{line.description}</p> : null}
                </th>
              </tr>
            ) : (
              <tr key={line.guid} className={isChoice(line) && !isChosen(line) ? 'document-open' : ''}>
                <td>
                  <div className="document-name">
                    {choice?.(line)}
                    <div>
                      <span className="strong">{unbroken(line.name)}</span>
                      {isChoice(line) ? (
                        <span className="line-badge">
                          {line.alternativeGroup
                            ? t('lines:alternativeOf', { group: line.alternativeGroup })
                            : t('lines:optional')}
                        </span>
                      ) : null}
                      {line.alternativeGroup && isProposed?.(line) ? (
                        <span className="line-badge quiet">{t('lines:byDefault')}</span>
                      ) : null}
                      {line.gstCode !== 'GST' && line.gstCode !== 'NOT_REGISTERED' ? (
                        <span className="line-badge quiet">
                          {phraseOr(`lines:gstCodes.${line.gstCode}`, line.gstCode)}
                        </span>
                      ) : null}
                      {line.hireFrom && line.hireTo ? (
                        <p className="document-text">
                          {t('lines:hireDays', { from: f.date(line.hireFrom), to: f.date(line.hireTo) })}
                        </p>
                      ) : null}
                      {line.description ? <p className="document-text">{line.description}</p> : null}
                      {line.discount ? (
                        <p className="document-text">
                          {t('lines:lineDiscount', {
                            discount:
                              line.discount.type === 'percent'
                                ? f.percent(line.discount.value)
                                : f.money(line.discount.value),
                          })}
                        </p>
                      ) : null}
                    </div>
                  </div>
                </td>
                <td className="end tabular nowrap">
                  {line.kind === 'deposit_credit' ? '' : f.quantity(line.quantity)}{' '}
                  {line.kind === 'deposit_credit' || line.unit === 'each' ? (
                    ''
                  ) : (
                    <span className="muted">{unitText(line.unit, line.quantity)}</span>
                  )}
                </td>
                <td className="end">{line.kind === 'deposit_credit' ? '' : <Money cents={line.unitPriceCents} />}</td>
                <td className="end">
                  <Money cents={amounts[index]?.grossCents ?? 0} />
                  {amounts[index]?.discountCents ? (
                    <p className="document-text">
                      <Money cents={-amounts[index].discountCents} />
                    </p>
                  ) : null}
                </td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  )
}

export const isChoice = (line: Pick<Line, 'isOptional' | 'alternativeGroup'>) =>
  line.isOptional || line.alternativeGroup !== null
