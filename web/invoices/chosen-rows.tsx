import { Checkbox } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useT } from '../core/i18n/i18n.ts'
import { TableCards } from '../core/ui/table/table-cards.tsx'
import type { Column } from '../core/ui/table/types.ts'

interface Props<T> {
  label: string
  /** The first one names the row. */
  columns: readonly Column<T>[]
  items: readonly T[]
  guidOf: (item: T) => string
  nameOf: (item: T) => string
  /** Null while nothing can be chosen any more. */
  chosen: ReadonlySet<string> | null
  onChoose: (chosen: ReadonlySet<string>) => void
  /** Of a row that is not chosen from. */
  isFixed?: (item: T) => boolean
}

/** Invoices to choose from, all at once or one by one: a table, and cards on a phone. */
export function ChosenRows<T>(props: Props<T>) {
  const { label, columns, items, guidOf, nameOf, chosen, onChoose, isFixed } = props
  const t = useT('mailing')
  const isPhone = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false })
  const open = items.filter((item) => !isFixed?.(item)).map(guidOf)
  const areAll = chosen !== null && open.length > 0 && open.every((guid) => chosen.has(guid))
  const set = (guids: readonly string[], isIn: boolean) => {
    const next = new Set(chosen)
    for (const guid of guids)
      if (isIn) next.add(guid)
      else next.delete(guid)
    onChoose(next)
  }
  const all = {
    checked: areAll,
    indeterminate: !areAll && open.some((guid) => chosen?.has(guid)),
    disabled: open.length === 0,
    onChange: () => set(open, !areAll),
  }
  if (isPhone)
    return (
      <>
        {chosen ? (
          <div className="batch-all">
            <Checkbox label={t('mailing:bulk.all')} {...all} />
          </div>
        ) : null}
        <TableCards
          label={label}
          columns={columns}
          items={[...items]}
          rowKey={guidOf}
          rowLabel={nameOf}
          isBusy={false}
          selected={Object.fromEntries([...(chosen ?? [])].map((guid) => [guid, true]))}
          onSelect={
            chosen ? (next) => onChoose(new Set(Object.keys(next).filter((guid) => next[guid] === true))) : null
          }
          {...(isFixed ? { isFixed } : {})}
        />
      </>
    )
  return (
    <div className="table-scroll" role="region" aria-label={label} tabIndex={0}>
      <table className="plain-table">
        <thead>
          <tr>
            {chosen ? (
              <th scope="col">
                <Checkbox aria-label={t('mailing:bulk.all')} {...all} />
              </th>
            ) : null}
            {columns.map(({ id, header, align }) => (
              <th key={id} scope="col" className={align}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={guidOf(item)}>
              {chosen ? (
                <td>
                  <Checkbox
                    aria-label={nameOf(item)}
                    checked={chosen.has(guidOf(item))}
                    disabled={isFixed?.(item) ?? false}
                    onChange={(event) => set([guidOf(item)], event.currentTarget.checked)}
                  />
                </td>
              ) : null}
              {columns.map(({ id, align, cell }, i) =>
                i === 0 ? (
                  <th key={id} scope="row" className="nowrap">
                    {cell(item)}
                  </th>
                ) : (
                  <td key={id} className={align === 'end' ? 'end tabular' : undefined}>
                    {cell(item)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
