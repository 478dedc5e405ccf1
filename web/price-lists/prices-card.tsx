import { Alert, Button, TextInput } from '@mantine/core'
import { useMemo, useRef, useState } from 'react'
import { useFormat } from '../core/i18n/format.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import { commaOf } from '../core/ui/amounts.ts'
import { Card } from '../core/ui/card.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { toast } from '../core/ui/toast.tsx'
import { isEmpty, readRow, type PriceRow } from './price-rows.ts'
import { problemText } from './problem-text.ts'
import { type Cell, type Mark, PricesGrid } from './prices-grid.tsx'
import { type RowsStore, useCanUndo, useRowProblems, useRows } from './rows-store.ts'
import { usePrices } from './use-prices.ts'

/** So many of what is wrong are listed above the sheet; the others are said in their rows. */
const shownProblems = 5

const holds = (row: PriceRow, words: string) =>
  [row.text, row.product?.name, row.product?.sku].some((text) => text?.toLowerCase().includes(words))

interface PricesCardProps {
  store: RowsStore
  isReadOnly: boolean
  scroll: Mark
  /** Problems are listed once somebody tried to save or pasted. */
  isTried: boolean
  target: { cell: Cell } | null
  onTarget: (target: { cell: Cell }) => void
}

/** The prices of a list: the sheet, what can be done with all of it, and what is wrong in which row. */
export function PricesCard({ store, isReadOnly, scroll, isTried, target, onTarget }: PricesCardProps) {
  const t = useT('prices', 'common')
  const f = useFormat()
  const comma = commaOf[useLanguage()]
  const rows = useRows(store)
  const problems = useRowProblems(store)
  const canUndo = useCanUndo(store)
  const { deeds, notice, say, look, onPaste } = usePrices(store, comma)
  const [typed, setTyped] = useState('')
  const wanted = typed.trim().toLowerCase()
  const filled = rows.filter((row) => !isEmpty(row))
  const shown = wanted ? filled.filter((row) => holds(row, wanted)) : isReadOnly ? filled : rows
  const positions = useMemo(() => new Map(rows.map(({ key }, index) => [key, index])), [rows])
  const last = useRef<Cell>(null)
  const isPasted = notice !== null
  const wrong = isTried || isPasted ? filled.filter(({ key }) => problems.has(key)) : []
  const visible = isTried || isPasted ? problems : withoutEmpty(problems)
  const goTo = (key: string) => {
    setTyped('')
    onTarget({ cell: { key, column: problems.get(key)?.column ?? 'product' } })
  }
  return (
    <Card title={t('prices:prices')}>
      <div className="stack">
        <div className="row spread price-bar">
          <TextInput
            className="price-find"
            aria-label={t('prices:find')}
            placeholder={t('prices:find')}
            leftSection={<Icon name="search" size={18} />}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <span className="row">
            {canUndo ? (
              <Button
                variant="default"
                leftSection={<Icon name="undo" size={18} />}
                onClick={() => {
                  store.undo()
                  say(null)
                  // The button may be gone with the last step.
                  if (last.current) onTarget({ cell: last.current })
                }}
              >
                {t('common:undo')}
              </Button>
            ) : null}
            <Button variant="default" disabled={filled.length === 0} onClick={() => void copy()}>
              {t('prices:copy')}
            </Button>
          </span>
        </div>
        {isReadOnly ? null : <p className="muted small no-margin">{t('prices:hint')}</p>}
        {notice ? (
          <Alert color={notice.isWrong ? 'red' : 'green'} variant="light" role="status">
            <span className="row spread">
              {notice.text}
              {notice.again ? (
                <Button size="xs" variant="light" onClick={() => void look(notice.again ?? [])}>
                  {t('common:retry')}
                </Button>
              ) : null}
            </span>
          </Alert>
        ) : null}
        {wrong.length > 0 ? (
          <ul className="price-wrong" aria-label={t('prices:wrong')}>
            {wrong.slice(0, shownProblems).map((row) => {
              const problem = problems.get(row.key)
              return problem ? (
                <li key={row.key}>
                  <button type="button" className="link" onClick={() => goTo(row.key)}>
                    {t('prices:wrongAt', {
                      row: f.number((positions.get(row.key) ?? 0) + 1),
                      column: t(`prices:${problem.column}`),
                    })}
                  </button>{' '}
                  {problemText(t, f, problem, row)}
                </li>
              ) : null
            })}
            {wrong.length > shownProblems ? (
              <li className="muted">{t('prices:moreWrong', { count: wrong.length - shownProblems })}</li>
            ) : null}
          </ul>
        ) : null}
        <PricesGrid
          rows={shown}
          positionOf={(key) => positions.get(key) ?? 0}
          count={rows.length}
          problems={visible}
          comma={comma}
          isReadOnly={isReadOnly}
          deeds={deeds}
          scroll={scroll}
          onEnter={(cell) => {
            last.current = cell
          }}
          target={target}
          onPaste={onPaste}
        />
        <p className="muted small no-margin">{t('prices:count', { count: filled.length })}</p>
      </div>
    </Card>
  )

  /** As a spreadsheet takes it: product, quantity and price. */
  async function copy() {
    const lines = filled.map((row) => {
      const { from } = readRow(row, comma)
      return [row.product?.sku ?? row.text, from ?? row.from, row.price].join('\t')
    })
    try {
      await navigator.clipboard.writeText(lines.join('\n'))
      toast.success(t('prices:copied', { count: filled.length }))
    } catch {
      toast.error(t('prices:notCopied'))
    }
  }
}

/** While a row is being typed, what is still missing in it is nothing wrong. */
const withoutEmpty = (problems: ReturnType<typeof useRowProblems>): ReturnType<typeof useRowProblems> =>
  new Map([...problems].filter(([, { key }]) => key !== 'required' && key !== 'unmatched'))
