import { invoiceDisplayStatuses, invoiceKinds, invoicesApi } from '../../contract/invoices.ts'
import { Can } from '../core/api/can-show.tsx'
import { useRead, useWrite } from '../core/api/hooks.ts'
import type { ItemOf } from '../core/api/types.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { Money } from '../core/ui/money.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { StatusChip, statusText } from '../core/ui/status-chip.tsx'
import { StatusTiles } from '../core/ui/status-tiles.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import type { Column } from '../core/ui/table/types.ts'
import { InvoicePeek } from './invoice-peek.tsx'

type Item = ItemOf<typeof invoicesApi.list>

export function useInvoiceColumns(): Column<Item>[] {
  const t = useT('invoices')
  return [
    { id: 'number', header: t('invoices:number'), sort: true, card: 'title', cell: (i) => i.number ?? t('invoices:draftNumber') },
    { id: 'title', header: t('invoices:name'), sort: true, cell: (i) => i.title },
    { id: 'customer', header: t('invoices:customer'), cell: (i) => i.customerName },
    { id: 'kind', header: t('invoices:kind'), isHidden: true, cell: (i) => phraseOr(`invoices:kinds.${i.kind}`, i.kind) },
    { id: 'status', header: t('invoices:statusLabel'), card: 'side', cell: (i) => <StatusChip status={i.displayStatus} ns="invoices" /> },
    { id: 'issueOn', header: t('invoices:issueOn'), sort: true, cell: (i) => <DateText value={i.issueOn} /> },
    { id: 'dueOn', header: t('invoices:dueOn'), sort: true, cell: (i) => <DateText value={i.dueOn} /> },
    { id: 'createdAt', header: t('invoices:created'), sort: true, isHidden: true, cell: (i) => <DateText value={i.createdAt} /> },
    { id: 'totalCents', header: t('invoices:total'), sort: true, align: 'end', cell: (i) => <Money cents={i.totalCents} /> },
    { id: 'balanceCents', header: t('invoices:balance'), sort: true, align: 'end', card: 'side', cell: (i) => <Money cents={i.balanceCents} /> },
  ]
}

export function Page() {
  const t = useT('invoices')
  const metrics = useRead(invoicesApi.metrics, {})
  const columns = useInvoiceColumns()
  const bulk = useWrite(invoicesApi.bulk, { stale: ['dashboards', 'orders', 'customers'] })
  const add = (
    <Can op={invoicesApi.create}>
      <AppLink to="/apps/invoices/add" className="button-link">
        {t('invoices:new')}
      </AppLink>
    </Can>
  )
  return (
    <>
      <PageHeader title={t('invoices:list.title')} subtitle={t('invoices:list.subtitle')} actions={add} />
      <StatusTiles op={invoicesApi.list} label={t('invoices:list.tiles')} ns="invoices" items={metrics.data?.items} statuses={['draft', 'sent', 'viewed', 'partially_paid', 'overdue', 'paid']} />
      <DataTable
        op={invoicesApi.list}
        exportOp={invoicesApi.export}
        label={t('invoices:list.title')}
        defaultSort="-createdAt"
        columns={columns}
        rowLabel={(i) => i.number ?? i.title}
        rowLink={(i) => `/apps/invoices/preview/${i.guid}`}
        peek={(i) => <InvoicePeek guid={i.guid} />}
        filters={[
          { type: 'many', field: 'status', label: t('invoices:statusLabel'), options: invoiceDisplayStatuses.map((status) => ({ value: status, label: statusText(status, 'invoices') })) },
          { type: 'many', field: 'kind', label: t('invoices:kind'), options: invoiceKinds.map((kind) => ({ value: kind, label: phraseOr(`invoices:kinds.${kind}`, kind) })) },
          { type: 'days', field: 'issueOn', label: t('invoices:issueOn') },
          { type: 'days', field: 'dueOn', label: t('invoices:dueOn') },
          { type: 'one', field: 'archived', label: t('invoices:archivedFilter'), options: [{ value: 'true', label: t('invoices:archivedOnly') }] },
        ]}
        bulk={[
          { key: 'issue', label: t('invoices:bulkIssue'), icon: 'invoice', run: (guids) => bulk.mutateAsync({ action: 'issue', guids }), confirm: { title: (count) => t('invoices:bulkIssueTitle', { count }), text: t('invoices:bulkIssueText'), label: t('invoices:bulkIssue') } },
          { key: 'archive', label: t('invoices:archive'), icon: 'archive', run: (guids) => bulk.mutateAsync({ action: 'archive', guids }), undo: (guids) => bulk.mutateAsync({ action: 'restore', guids }) },
        ]}
        empty={{ title: t('invoices:empty.title'), text: t('invoices:empty.text'), action: add }}
      />
    </>
  )
}
