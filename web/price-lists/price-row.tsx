import { memo } from 'react'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { Comma } from '../core/ui/amounts.ts'
import { IconTool } from '../core/ui/icon-tool.tsx'
import { Money } from '../core/ui/money.tsx'
import { cataloguePrice, isEmpty, type PriceRow, readRow, type RowProblem, withPrice } from './price-rows.ts'
import { problemText } from './problem-text.ts'
import { ProductCell } from './product-cell.tsx'

export interface RowDeeds {
  change: (key: string, change: Partial<PriceRow>) => void
  pick: (key: string, guid: string, name: string) => void
  /** Looks up what was typed for a product. */
  look: (keys: readonly string[]) => void
  remove: (key: string) => void
}

interface RowProps {
  row: PriceRow
  /** From 1. */
  position: number
  problem: RowProblem | undefined
  comma: Comma
  isReadOnly: boolean
  deeds: RowDeeds
  style: React.CSSProperties
}

/** One price: the product, the quantity it holds from, the price, and what the catalogue asks. */
export const PriceRowCells = memo(function PriceRowCells(props: RowProps) {
  const { row, position, problem, comma, isReadOnly, deeds, style } = props
  const t = useT('prices')
  const f = useFormat()
  const { key } = row
  const number = f.number(position)
  const problemId = `problem-${key}`
  const wrong = (column: RowProblem['column']) =>
    problem?.column === column ? { 'aria-invalid': true, 'aria-describedby': problemId } : {}
  return (
    <div role="row" aria-rowindex={position + 1} className="price-row" data-row={key} style={style}>
      <span role="gridcell" className="price-number muted small">
        {number}
      </span>
      <div role="gridcell" className={`price-product ${row.product?.sku ? 'with-code' : ''}`} data-column="product">
        {isReadOnly || row.product?.name === '…' ? (
          <span className="price-text">{row.text}</span>
        ) : (
          <ProductCell
            row={row}
            label={t('prices:productAt', { row: number })}
            isWrong={problem?.column === 'product'}
            describedBy={problem?.column === 'product' ? problemId : undefined}
            onText={(text) => deeds.change(key, { text, product: null, found: null })}
            onPick={(guid, name) => deeds.pick(key, guid, name)}
            onLeave={() => deeds.look([key])}
          />
        )}
        {row.product?.sku ? <span className="price-code muted small">{row.product.sku}</span> : null}
      </div>
      <div role="gridcell" className="price-from" data-column="from">
        <span className="price-label muted small" aria-hidden="true">
          {t('prices:from')}
        </span>
        {isReadOnly ? (
          <span className="price-text">{row.from}</span>
        ) : (
          <input
            className="price-input tabular"
            inputMode="decimal"
            autoComplete="off"
            maxLength={30}
            aria-label={t('prices:fromAt', { row: number })}
            {...wrong('from')}
            placeholder={row.product ? '1' : ''}
            value={row.from}
            onFocus={(event) => event.currentTarget.select()}
            onChange={(event) => deeds.change(key, { from: event.currentTarget.value })}
          />
        )}
      </div>
      <div role="gridcell" className="price-price" data-column="price">
        <span className="price-label muted small" aria-hidden="true">
          {t('prices:price')}
        </span>
        {isReadOnly ? (
          <span className="price-text">
            <Money cents={readRow(row, comma).cents ?? null} />
          </span>
        ) : (
          <input
            className="price-input tabular"
            inputMode="decimal"
            autoComplete="off"
            maxLength={30}
            aria-label={t('prices:priceAt', { row: number })}
            {...wrong('price')}
            value={row.price}
            onFocus={(event) => event.currentTarget.select()}
            onChange={(event) => deeds.change(key, { price: event.currentTarget.value })}
            onBlur={() => {
              const { price } = withPrice(row, comma)
              if (price !== row.price) deeds.change(key, { price })
            }}
          />
        )}
      </div>
      {problem ? (
        <span role="gridcell" id={problemId} className="price-problem small" title={problemText(t, f, problem, row)}>
          {problemText(t, f, problem, row)}
        </span>
      ) : (
        <Compared row={row} comma={comma} />
      )}
      <span role="gridcell" className="price-tools">
        {isReadOnly || isEmpty(row) ? null : (
          <span className="price-remove">
            <IconTool
              icon="delete"
              isSmall
              label={t('prices:remove', { row: number })}
              onClick={() => deeds.remove(key)}
            />
          </span>
        )}
      </span>
    </div>
  )
})

/** What the catalogue asks for as many, and how far the list is from it. */
function Compared({ row, comma }: { row: PriceRow; comma: Comma }) {
  const f = useFormat()
  const t = useT('prices')
  const listed = cataloguePrice(row, comma)
  const { cents } = readRow(row, comma)
  const difference = listed === null || typeof cents !== 'number' ? null : cents - listed
  return (
    <>
      <span role="gridcell" className="price-listed tabular">
        <span className="price-label muted small">{t('prices:catalogue')} </span>
        {listed === null ? null : <Money cents={listed} />}
      </span>
      <span role="gridcell" className="price-difference tabular" data-sign={Math.sign(difference ?? 0)}>
        {difference === null ? null : difference === 0 ? (
          t('prices:same')
        ) : (
          <>
            <Money cents={difference} className={difference > 0 ? 'price-more' : ''} />
            {listed ? (
              <span className="muted small"> {f.percent(Math.round((difference * 10_000) / listed), true)}</span>
            ) : null}
          </>
        )}
      </span>
    </>
  )
}
