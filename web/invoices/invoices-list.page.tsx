import { lazy } from 'react'
import { invoiceDisplayStatuses, invoiceKinds, invoicesApi } from '../../contract/invoices.ts'
import { pathTo, pathOf } from '../../contract/nouns.ts'
import { Can } from '../core/api/can-show.tsx'
import { readAhead, useRead } from '../core/api/hooks.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { AppLink } from '../core/ui/link.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { statusText } from '../core/ui/status-chip.tsx'
import { StatusTiles } from '../core/ui/status-tiles.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { readListAhead } from '../core/ui/table/list-state.ts'
import { archiveMany } from '../record/archiving.ts'
import { useInvoiceColumns } from './invoice-columns.tsx'

const InvoicePeek = lazy(() => import('./invoice-peek.tsx').then((module) => ({ default: module.InvoicePeek })))
const list = { op: invoicesApi.list, defaultSort: '-createdAt' }

export function Page() {
  const t = useT('invoices')
  const metrics = useRead(invoicesApi.metrics, {})
  const columns = useInvoiceColumns()
  const add = (
    <Can op={invoicesApi.create}>
      <AppLink to={pathOf('Invoices', 'add')} className="button-link">
        {t('invoices:new')}
      </AppLink>
    </Can>
  )
  return (
    <>
      <PageHeader title={t('invoices:list.title')} subtitle={t('invoices:list.subtitle')} actions={add} />
      <StatusTiles
        op={invoicesApi.list}
        label={t('invoices:list.tiles')}
        ns="invoices"
        items={metrics.data?.items}
        statuses={['draft', 'sent', 'viewed', 'partially_paid', 'overdue', 'paid']}
      />
      <DataTable
        {...list}
        exportOp={invoicesApi.export}
        label={t('invoices:list.title')}
        columns={columns}
        rowLabel={(i) => i.number ?? i.title}
        rowLink={(i) => pathTo('Invoices', i.guid)}
        peek={(i) => <InvoicePeek guid={i.guid} />}
        filters={[
          {
            type: 'many',
            field: 'status',
            label: t('invoices:statusLabel'),
            options: invoiceDisplayStatuses.map((status) => ({ value: status, label: statusText(status, 'invoices') })),
          },
          {
            type: 'many',
            field: 'kind',
            label: t('invoices:kind'),
            options: invoiceKinds.map((kind) => ({ value: kind, label: phraseOr(`invoices:kinds.${kind}`, kind) })),
          },
          { type: 'days', field: 'issueOn', label: t('invoices:issueOn') },
          { type: 'days', field: 'dueOn', label: t('invoices:dueOn') },
          {
            type: 'one',
            field: 'archived',
            label: t('invoices:archivedFilter'),
            options: [{ value: 'true', label: t('invoices:archivedOnly') }],
          },
        ]}
        bulk={[
          {
            key: 'issue',
            op: invoicesApi.bulk,
            label: t('invoices:bulkIssue'),
            icon: 'invoice',
            said: (count) => t('invoices:bulkIssued', { count }),
            confirm: { title: (count) => t('invoices:bulkIssueTitle', { count }), text: t('invoices:bulkIssueText') },
          },
          archiveMany(t, 'invoices', invoicesApi.bulk),
        ]}
        empty={{ title: t('invoices:empty.title'), text: t('invoices:empty.text'), action: add }}
      />
    </>
  )
}

Page.beginReads = ((may, search) =>
  Promise.all([readListAhead(may, list, search), readAhead(may, invoicesApi.metrics, {})])) satisfies BeginReads
