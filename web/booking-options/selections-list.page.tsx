import { bookingOptionsApi } from '../../contract/booking-options-api.ts'
import { inLanguage } from '../../contract/booking-options.ts'
import { bookingSelectionsApi } from '../../contract/booking-selections.ts'
import { pathTo } from '../../contract/nouns.ts'
import { productsApi } from '../../contract/products.ts'
import { useCan } from '../core/api/can.ts'
import { readAhead, useRead } from '../core/api/hooks.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { PageHeader } from '../core/ui/page-header.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { readListAhead, useListState } from '../core/ui/table/list-state.ts'
import type { Filter } from '../core/ui/table/types.ts'
import { useSelectionColumns } from './selection-columns.tsx'
import { SelectionTotals } from './selection-totals.tsx'

const list = { op: bookingSelectionsApi.list, defaultSort: '-answeredAt' }
const everyone = { size: 100, sort: 'name' } as const
const totalled = ['option', 'product', 'answeredOn.gte', 'answeredOn.lte'] as const

/** By option and by product, for those who know of them. */
function useFilters(): Filter[] {
  const t = useT('options')
  const language = useLanguage()
  const knowsOptions = useCan(bookingOptionsApi.list)
  const knowsProducts = useCan(productsApi.list)
  const options = useRead(bookingOptionsApi.list, everyone, { enabled: knowsOptions })
  const products = useRead(productsApi.list, everyone, { enabled: knowsProducts })
  const named = (field: string, label: string, items: { value: string; label: string }[]): Filter => ({
    type: 'one',
    field,
    label,
    options: items,
  })
  return [
    ...(knowsOptions
      ? [
          named(
            'option',
            t('options:selections.option'),
            (options.data?.items ?? []).map(({ guid, label }) => ({ value: guid, label: inLanguage(label, language) })),
          ),
        ]
      : []),
    ...(knowsProducts
      ? [
          named(
            'product',
            t('options:selections.product'),
            (products.data?.items ?? []).map(({ guid, name }) => ({ value: guid, label: name })),
          ),
        ]
      : []),
    { type: 'days', field: 'answeredOn', label: t('options:selections.date') },
  ]
}

export function Page() {
  const t = useT('options', 'common')
  const columns = useSelectionColumns()
  const filters = useFilters()
  const { query } = useListState(list.op, list)
  const asked = Object.fromEntries(totalled.flatMap((field) => (query[field] ? [[field, query[field]]] : [])))
  const totals = useRead(bookingSelectionsApi.totals, asked, { keep: true })
  const title = t('options:selections.title')
  return (
    <>
      <PageHeader title={title} subtitle={t('options:selections.subtitle')} />
      {totals.data ? <SelectionTotals totals={totals.data} /> : null}
      <DataTable
        {...list}
        label={title}
        exportOp={bookingSelectionsApi.export}
        columns={columns}
        rowLabel={(one) => `${one.label}: ${one.answer}`}
        rowLink={(one) => pathTo(one.document.noun, one.document.guid)}
        filters={filters}
        empty={{ title: t('options:selections.empty'), text: t('options:selections.emptyText') }}
      />
    </>
  )
}

Page.beginReads = ((may, search) =>
  Promise.all([readListAhead(may, list, search), readAhead(may, bookingSelectionsApi.totals, {})])) satisfies BeginReads
