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
      <NumberCell
        column="from"
        heading={t('prices:from')}
        label={t('prices:fromAt', { row: number })}
        shown={isReadOnly ? row.from : null}
        placeholder={row.product ? '1' : ''}
        value={row.from}
        onText={(from) => deeds.change(key, { from })}
        {...wrong('from')}
      />
      <NumberCell
        column="price"
        heading={t('prices:price')}
        label={t('prices:priceAt', { row: number })}
        shown={isReadOnly ? <Money cents={readRow(row, comma).cents ?? null} /> : null}
        value={row.price}
        onText={(price) => deeds.change(key, { price })}
        onBlur={() => {
          const { price } = withPrice(row, comma)
          if (price !== row.price) deeds.change(key, { price })
        }}
        {...wrong('price')}
      />
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

interface NumberCellProps extends Pick<
  React.ComponentProps<'input'>,
  'placeholder' | 'onBlur' | 'aria-invalid' | 'aria-describedby'
> {
  column: 'from' | 'price'
  /** Beside the number where the columns have no headings. */
  heading: string
  label: string
  /** What stands there where nothing is typed; null where it is. */
  shown: React.ReactNode
  value: string
  onText: (text: string) => void
}

/** A number of a row: typed, or shown. */
function NumberCell({ column, heading, label, shown, value, onText, ...input }: NumberCellProps) {
  return (
    <div role="gridcell" className={`price-${column}`} data-column={column}>
      <span className="price-label muted small" aria-hidden="true">
        {heading}
      </span>
      {shown === null ? (
        <input
          className="price-input tabular"
          inputMode="decimal"
          autoComplete="off"
          maxLength={30}
          aria-label={label}
          {...input}
          value={value}
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => onText(event.currentTarget.value)}
        />
      ) : (
        <span className="price-text">{shown}</span>
      )}
    </div>
  )
}

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
