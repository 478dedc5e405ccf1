import { lazy } from 'react'
import { quotesApi, quoteDisplayStatuses } from '../../contract/quotes.ts'
import { pathTo, pathOf } from '../../contract/nouns.ts'
import { Can } from '../core/api/can-show.tsx'
import { readAhead, useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { AppLink } from '../core/ui/link.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { statusText } from '../core/ui/status-chip.tsx'
import { StatusTiles } from '../core/ui/status-tiles.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { readListAhead } from '../core/ui/table/list-state.ts'
import { archiveMany } from '../record/archiving.ts'
import { quoteName } from './quote-name.ts'
import { useQuoteColumns } from './quote-columns.tsx'

const QuotePeek = lazy(() => import('./quote-peek.tsx').then((module) => ({ default: module.QuotePeek })))
const list = { op: quotesApi.list, defaultSort: '-createdAt' }

export function Page() {
  const t = useT('quotes')
  const metrics = useRead(quotesApi.metrics, {})
  const columns = useQuoteColumns()
  const add = (
    <Can op={quotesApi.create}>
      <AppLink to={pathOf('Quotes', 'add')} className="button-link">
        {t('quotes:new')}
      </AppLink>
    </Can>
  )
  return (
    <>
      <PageHeader title={t('quotes:list.title')} subtitle={t('quotes:list.subtitle')} actions={add} />
      <StatusTiles
        op={quotesApi.list}
        label={t('quotes:list.tiles')}
        ns="quotes"
        items={metrics.data?.items}
        statuses={['draft', 'sent', 'viewed', 'changes_requested', 'expired', 'converted', 'declined']}
      />
      <DataTable
        {...list}
        exportOp={quotesApi.export}
        label={t('quotes:list.title')}
        columns={columns}
        rowLabel={(q) => quoteName(q, q.title)}
        rowLink={(q) => pathTo('Quotes', q.guid)}
        peek={(q) => <QuotePeek guid={q.guid} />}
        filters={[
          {
            type: 'many',
            field: 'status',
            label: t('quotes:statusLabel'),
            options: quoteDisplayStatuses.map((status) => ({ value: status, label: statusText(status, 'quotes') })),
          },
          { type: 'days', field: 'createdOn', label: t('quotes:created') },
          {
            type: 'one',
            field: 'archived',
            label: t('quotes:archivedFilter'),
            options: [{ value: 'true', label: t('quotes:archivedOnly') }],
          },
        ]}
        bulk={[archiveMany(t, 'quotes', quotesApi.bulk)]}
        empty={{ title: t('quotes:empty.title'), text: t('quotes:empty.text'), action: add }}
      />
    </>
  )
}

Page.beginReads = ((may, search) =>
  Promise.all([readListAhead(may, list, search), readAhead(may, quotesApi.metrics, {})])) satisfies BeginReads
