import { quotesApi, quoteDisplayStatuses } from '../../contract/quotes.ts'
import { Can } from '../core/api/can-show.tsx'
import { useRead, useWrite } from '../core/api/hooks.ts'
import type { ItemOf } from '../core/api/types.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { Money } from '../core/ui/money.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { StatusChip, statusText } from '../core/ui/status-chip.tsx'
import { StatusTiles } from '../core/ui/status-tiles.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import type { Column } from '../core/ui/table/types.ts'
import { QuotePeek } from './quote-peek.tsx'

type Item = ItemOf<typeof quotesApi.list>

export function useQuoteColumns(): Column<Item>[] {
  const t = useT('quotes')
  return [
    { id: 'number', header: t('quotes:number'), sort: true, card: 'title', cell: (q) => q.number ?? t('quotes:draftNumber') },
    { id: 'title', header: t('quotes:name'), sort: true, cell: (q) => q.title },
    { id: 'customer', header: t('quotes:customer'), cell: (q) => q.customerName },
    { id: 'status', header: t('quotes:statusLabel'), card: 'side', cell: (q) => <StatusChip status={q.displayStatus} ns="quotes" /> },
    { id: 'createdAt', header: t('quotes:created'), sort: true, cell: (q) => <DateText value={q.createdAt} /> },
    { id: 'validUntil', header: t('quotes:validUntil'), sort: true, cell: (q) => <DateText value={q.validUntil} /> },
    { id: 'sentAt', header: t('quotes:sentAt'), sort: true, isHidden: true, cell: (q) => <DateText value={q.sentAt} /> },
    { id: 'totalCents', header: t('quotes:total'), sort: true, align: 'end', card: 'side', cell: (q) => <Money cents={q.totalCents} /> },
  ]
}

export function Page() {
  const t = useT('quotes')
  const metrics = useRead(quotesApi.metrics, {})
  const columns = useQuoteColumns()
  const bulk = useWrite(quotesApi.bulk)
  const add = (
    <Can op={quotesApi.create}>
      <AppLink to="/apps/quotes/add" className="button-link">
        {t('quotes:new')}
      </AppLink>
    </Can>
  )
  return (
    <>
      <PageHeader title={t('quotes:list.title')} subtitle={t('quotes:list.subtitle')} actions={add} />
      <StatusTiles op={quotesApi.list} label={t('quotes:list.tiles')} ns="quotes" items={metrics.data?.items} statuses={['draft', 'sent', 'viewed', 'changes_requested', 'expired', 'converted', 'declined']} />
      <DataTable
        op={quotesApi.list}
        exportOp={quotesApi.export}
        label={t('quotes:list.title')}
        defaultSort="-createdAt"
        columns={columns}
        rowLabel={(q) => q.number ?? q.title}
        rowLink={(q) => `/apps/quotes/preview/${q.guid}`}
        peek={(q) => <QuotePeek guid={q.guid} />}
        filters={[
          { type: 'many', field: 'status', label: t('quotes:statusLabel'), options: quoteDisplayStatuses.map((status) => ({ value: status, label: statusText(status, 'quotes') })) },
          { type: 'days', field: 'createdOn', label: t('quotes:created') },
          {
            type: 'one',
            field: 'archived',
            label: t('quotes:archivedFilter'),
            options: [{ value: 'true', label: t('quotes:archivedOnly') }],
          },
        ]}
        bulk={[{ key: 'archive', label: t('quotes:archive'), icon: 'archive', run: (guids) => bulk.mutateAsync({ action: 'archive', guids }), undo: (guids) => bulk.mutateAsync({ action: 'restore', guids }) }]}
        empty={{ title: t('quotes:empty.title'), text: t('quotes:empty.text'), action: add }}
      />
    </>
  )
}
