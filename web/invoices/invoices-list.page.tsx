import { lazy } from 'react'
import { batchesApi } from '../../contract/batches.ts'
import { invoiceDisplayStatuses, invoiceKinds, invoicesApi } from '../../contract/invoices.ts'
import { pathOf } from '../../contract/nouns.ts'
import { spanOf } from '../core/api/business.ts'
import { Can } from '../core/api/can-show.tsx'
import { readAhead } from '../core/api/hooks.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { AppLink } from '../core/ui/link.tsx'
import { readListAhead } from '../core/ui/table/list-state.ts'
import { editMany } from '../record/edit-many.tsx'
import { ListFrame, statusFilter } from '../record/list-frame.tsx'
import { useInvoiceColumns } from './invoice-columns.tsx'

const InvoicePeek = lazy(() => import('./invoice-peek.tsx').then((module) => ({ default: module.InvoicePeek })))
const EditInvoices = lazy(() => import('./edit-invoices.tsx').then((module) => ({ default: module.EditInvoices })))
const list = { op: invoicesApi.list, defaultSort: '-createdAt' }

export function Page() {
  const t = useT('invoices', 'mailing')
  const columns = useInvoiceColumns()
  return (
    <ListFrame
      noun="Invoices"
      createOp={invoicesApi.create}
      tagsOp={invoicesApi.tags}
      bulkOp={invoicesApi.bulk}
      tiles={{
        label: t('invoices:list.tiles'),
        metricsOp: invoicesApi.metrics,
        statuses: ['draft', 'sent', 'viewed', 'partially_paid', 'overdue', 'paid'],
      }}
      {...list}
      exportOp={invoicesApi.export}
      columns={columns}
      rowLabel={(i) => i.number ?? i.title}
      peek={(i) => <InvoicePeek guid={i.guid} />}
      filters={[
        statusFilter(t('invoices:statusLabel'), invoiceDisplayStatuses, 'Invoices'),
        {
          type: 'many',
          field: 'kind',
          label: t('invoices:kind'),
          options: invoiceKinds.map((kind) => ({ value: kind, label: phraseOr(`invoices:kinds.${kind}`, kind) })),
        },
        { type: 'days', field: 'issueOn', label: t('invoices:issueOn') },
        { type: 'days', field: 'dueOn', label: t('invoices:dueOn') },
      ]}
      actions={
        <Can op={batchesApi.begin}>
          <AppLink to={pathOf('Invoices', 'message')} className="button-link quiet">
            {t('mailing:bulk.title')}
          </AppLink>
        </Can>
      }
      bulk={[
        {
          key: 'message',
          op: batchesApi.begin,
          label: t('mailing:bulk.action'),
          icon: 'send',
          to: (guids) => `${pathOf('Invoices', 'message')}?guids=${guids.join()}`,
        },
        editMany(t, invoicesApi.edit, 'invoices:counted', EditInvoices),
        {
          key: 'issue',
          op: invoicesApi.bulk,
          label: t('invoices:bulkIssue'),
          icon: 'invoice',
          said: (count) => t('invoices:bulkIssued', { count }),
          confirm: { title: (count) => t('invoices:bulkIssueTitle', { count }), text: t('invoices:bulkIssueText') },
        },
      ]}
    />
  )
}

Page.beginReads = ((may, search) =>
  Promise.all([
    readListAhead(may, list, search),
    readAhead(may, invoicesApi.metrics, spanOf(invoicesApi.metrics)),
  ])) satisfies BeginReads
