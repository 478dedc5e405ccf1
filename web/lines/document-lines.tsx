import type { ReactNode } from 'react'
import { inLanguage } from '../../contract/booking-options.ts'
import { isPart, isText } from '../../contract/core/money.ts'
import type { Line, ShownLine } from '../../contract/lines.ts'
import { gstCodeOf, isNumberedByName, shownAmounts } from '../../contract/shown-lines.ts'
import { phraseOr, useLanguage, useT } from '../core/i18n/i18n.ts'
import { type Format, useFormat } from '../core/i18n/format.ts'
import { Money } from '../core/ui/money.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { LineAnswers } from './line-answers.tsx'
import { LinesTable } from './lines-table.tsx'
import { useStreamNames } from './stream-names.ts'
import { unitText } from './unit-text.ts'
import './lines-below.css'

type Shown = ShownLine

export interface DocumentLinesProps {
  lines: readonly Shown[]
  priceMode: 'exclusive' | 'inclusive'
  /** Put before an optional or alternative line: its check box or radio button on the customer's page. */
  choice?: (line: Shown) => ReactNode
  /** Whether a line counts now; by what is stored when not given. */
  isChosen?: (line: Shown) => boolean
  /** Marks what is taken of alternatives unless the customer says otherwise. */
  isProposed?: (line: Shown) => boolean
  /** Also parts of bundles that their customer does not see. */
  hasAllParts?: boolean
  /** What the table is called where something around it already has the name "Lines". */
  label?: string
  /** How what surrounds them writes days; by the reader's own formats when not given. */
  format?: Format
}

/** The lines of a document as its customer reads them. */
export function DocumentLines({
  lines,
  priceMode,
  choice,
  isChosen = (line) => line.isSelected,
  isProposed,
  hasAllParts = false,
  label,
  format,
}: DocumentLinesProps) {
  const t = useT('lines')
  const own = useFormat()
  const f = format ?? own
  const language = useLanguage()
  const streamOf = useStreamNames(lines.some((line) => line.revenueStreamGuid))
  const amounts = shownAmounts(lines, priceMode, hasAllParts)
  const above = new Map(lines.map((line) => [line.guid, line]))
  return (
    <LinesTable columns={['quantity', 'price', 'amount']} label={label}>
      {lines.map((line, index) =>
        amounts[index] === null ? null : isText(line) ? (
          <tr key={line.guid} className={`document-${line.kind}`}>
            <th colSpan={4} scope="rowgroup">
              {unbroken(line.name)}
              {line.description ? <p className="document-text">{line.description}</p> : null}
            </th>
          </tr>
        ) : (
          <tr
            key={line.guid}
            className={[
              isChoice(line) && !isChosen(above.get(line.parentLineGuid ?? '') ?? line) ? 'document-open' : '',
              line.parentLineGuid === null ? '' : 'document-child',
              isPart(line) ? 'document-part' : '',
              choice && line.parentLineGuid !== null && isChoice(line) ? 'document-choice-child' : '',
            ].join(' ')}
          >
            <td>
              <div className="document-name">
                {line.parentLineGuid === null ? choice?.(line) : null}
                <div>
                  <span className="strong">
                    <bdi>{unbroken(line.wording ? inLanguage(line.wording, language) : line.name)}</bdi>
                  </span>
                  {isChoice(line) && line.parentLineGuid === null ? (
                    <span className="line-badge">
                      {line.alternativeGroup
                        ? t('lines:alternativeOf', { group: line.alternativeGroup })
                        : t('lines:optional')}
                    </span>
                  ) : null}
                  {line.alternativeGroup && line.parentLineGuid === null && isProposed?.(line) ? (
                    <span className="line-badge quiet">{t('lines:byDefault')}</span>
                  ) : null}
                  {hasAllParts && line.showsParts === false ? (
                    <span className="line-badge quiet">{t('lines:seenAsOne')}</span>
                  ) : null}
                  <GstBadge code={gstCodeOf(line, lines)} />
                  {line.hireFrom && line.hireTo ? (
                    <p className="document-text">
                      {t('lines:hireDays', { from: f.date(line.hireFrom), to: f.date(line.hireTo) })}
                    </p>
                  ) : null}
                  <LineAnswers line={line} format={f} />
                  {line.description ? <p className="document-text">{line.description}</p> : null}
                  {streamOf(line.revenueStreamGuid) ? (
                    <p className="document-text no-print">
                      {t('lines:streamOf', { name: streamOf(line.revenueStreamGuid) ?? '' })}
                    </p>
                  ) : null}
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
            <td className="end tabular nowrap">{hasNoNumber(line) ? null : <Count line={line} />}</td>
            <td className="end">{hasNoNumber(line) && !isPart(line) ? null : <Money cents={priceOf(line)} />}</td>
            <td className="end">
              {typeof amounts[index]?.grossCents === 'number' ? <Money cents={amounts[index].grossCents} /> : null}
              {amounts[index]?.discountCents ? (
                <p className="document-text">
                  <Money cents={-amounts[index].discountCents} />
                </p>
              ) : null}
            </td>
          </tr>
        ),
      )}
    </LinesTable>
  )
}

/** What is taxed as usual is not worth a word. */
function GstBadge({ code }: { code: Line['gstCode'] | null }) {
  const t = useT('lines')
  if (code === 'GST' || code === 'NOT_REGISTERED') return null
  const text = code === null ? t('lines:gstMixed') : phraseOr(`lines:gstCodes.${code}`, code)
  return <span className="line-badge quiet">{text}</span>
}

/** Deposits that are credited are not counted, and of others the name says how many there are. */
const hasNoNumber = (line: Shown) => line.kind === 'deposit_credit' || isNumberedByName(line)

function Count({ line }: { line: Pick<Shown, 'quantity' | 'unit'> }) {
  const t = useT('lines')
  const f = useFormat()
  // Nothing is entered with none of it: this one was taken off an order.
  if (Number(line.quantity) === 0) return <span className="muted">{t('lines:takenOff')}</span>
  return (
    <>
      {f.quantity(line.quantity)}
      {line.unit === 'each' ? null : <span className="muted"> {unitText(line.unit, line.quantity)}</span>}
    </>
  )
}

/** What one costs: of a discount what it takes off. */
const priceOf = ({ kind, unitPriceCents }: Pick<Line, 'kind' | 'unitPriceCents'>) =>
  kind === 'discount' ? -Math.abs(unitPriceCents) : unitPriceCents

export const isChoice = (line: Pick<Line, 'isOptional' | 'alternativeGroup'>) =>
  line.isOptional || line.alternativeGroup !== null
