import { ActionIcon, Checkbox, Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { Icon } from '../icon.tsx'
import { AppLink } from '../link.tsx'
import { unbroken } from '../unbroken.tsx'
import type { RowsProps } from './table-grid.tsx'
import './table.css'

/** Words stand in the direction of their own letters. */
const isolated = (content: ReactNode) =>
  typeof content === 'string' ? <bdi>{unbroken(content)}</bdi> : unbroken(content)

/** Nothing to show needs no name beside it. */
const isNothing = (content: ReactNode) => content === null || content === undefined || content === ''

interface CardsProps<T> extends Omit<RowsProps<T>, 'onSelect'> {
  onSelect: ((selected: Record<string, boolean>) => void) | null
  /** Of a row that is not chosen any more. */
  isFixed?: (item: T) => boolean
}

/** The rows as cards: on phones. */
export function TableCards<T>({
  columns,
  items,
  rowKey,
  rowLabel,
  rowLink,
  onPeek,
  label,
  isBusy,
  selected,
  onSelect,
  isFixed,
}: CardsProps<T>) {
  const t = useT('common')
  const title = columns.find((column) => column.card === 'title') ?? columns[0]
  const side = columns.filter((column) => column.card === 'side' && column !== title)
  const lines = columns.filter((column) => column !== title && (column.card ?? 'line') === 'line')
  return (
    <ul className="row-cards" aria-label={label} aria-busy={isBusy}>
      {items.map((item) => {
        const key = rowKey(item)
        const link = rowLink?.(item)
        return (
          <li key={key} className="row-card" data-selected={selected[key] === true}>
            <div className="row-card-head">
              {onSelect ? (
                <Checkbox
                  aria-label={t('common:table.select', { name: rowLabel(item) })}
                  checked={selected[key] === true}
                  disabled={isFixed?.(item) ?? false}
                  onChange={(event) => onSelect({ ...selected, [key]: event.currentTarget.checked })}
                />
              ) : null}
              <div className="row-card-title">
                {link ? (
                  <AppLink to={link} className="link row-card-link">
                    {isolated(title?.cell(item))}
                  </AppLink>
                ) : (
                  isolated(title?.cell(item))
                )}
              </div>
              <div className="row-card-side">
                {side.map((column) => (
                  <span key={column.id}>{unbroken(column.cell(item))}</span>
                ))}
              </div>
            </div>
            {lines.length || onPeek ? (
              <div className="row-card-foot">
                <dl>
                  {lines.map((column) => {
                    const content = column.cell(item)
                    return isNothing(content) ? null : (
                      <div key={column.id}>
                        <dt hidden={column.header === ''}>{column.header}</dt>
                        <dd>{unbroken(content)}</dd>
                      </div>
                    )
                  })}
                </dl>
                {onPeek ? (
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    c="inherit"
                    size={40}
                    className="row-card-peek"
                    aria-label={t('common:table.peekAt', { name: rowLabel(item) })}
                    onClick={() => onPeek(item)}
                  >
                    <Icon name="peek" />
                  </ActionIcon>
                ) : null}
              </div>
            ) : null}
          </li>
        )
      })}
    </ul>
  )
}

export function CardSkeletons() {
  return (
    <div className="row-cards" aria-busy="true">
      {[0, 1, 2, 3, 4].map((i) => (
        <div key={i} className="row-card">
          <Skeleton height={16} width="50%" />
          <Skeleton height={12} width="80%" mt={12} />
          <Skeleton height={12} width="65%" mt={8} />
        </div>
      ))}
    </div>
  )
}
