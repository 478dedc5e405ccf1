import { lazy } from 'react'
import { pathOf } from '../../contract/nouns.ts'
import { lostReasons, ofNone } from '../../contract/outcome.ts'
import { quotesApi, quoteDisplayStatuses } from '../../contract/quotes.ts'
import { spanOf } from '../core/api/business.ts'
import { Can } from '../core/api/can-show.tsx'
import { readAhead } from '../core/api/hooks.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { AppLink } from '../core/ui/link.tsx'
import { readListAhead } from '../core/ui/table/list-state.ts'
import { quoteName } from './quote-name.ts'
import { useJobTypeFilter } from '../lines/job-type-filter.ts'
import { editMany } from '../record/edit-many.tsx'
import { ListFrame, statusFilter } from '../record/list-frame.tsx'
import { BeginQuote } from './begin-quote.tsx'
import { useMarginFilter } from './margin-filter.ts'
import { useOutcomeFilters } from './outcome-filters.ts'
import { useOwnerFilter } from './owner-filter.ts'
import { useQuoteColumns } from './quote-columns.tsx'

const QuotePeek = lazy(() => import('./quote-peek.tsx').then((module) => ({ default: module.QuotePeek })))
const EditQuotes = lazy(() => import('./edit-quotes.tsx').then((module) => ({ default: module.EditQuotes })))
const list = { op: quotesApi.list, defaultSort: '-createdAt' }

export function Page() {
  const t = useT('quotes')
  const columns = useQuoteColumns()
  const jobTypes = useJobTypeFilter([{ value: ofNone, label: t('quotes:outcome.none.jobType') }])
  const owners = useOwnerFilter()
  const margins = useMarginFilter()
  const outcomes = useOutcomeFilters()
  return (
    <ListFrame
      noun="Quotes"
      createOp={quotesApi.create}
      tagsOp={quotesApi.tags}
      actions={
        <>
          <Can op={quotesApi.outcome}>
            <AppLink to={pathOf('Quotes', 'outcome')} className="button-link quiet">
              {t('quotes:outcome.title')}
            </AppLink>
          </Can>
          <BeginQuote />
        </>
      }
      bulkOp={quotesApi.bulk}
      tiles={{
        label: t('quotes:list.tiles'),
        metricsOp: quotesApi.metrics,
        statuses: ['draft', 'sent', 'viewed', 'changes_requested', 'expired', 'converted', 'declined'],
      }}
      {...list}
      exportOp={quotesApi.export}
      columns={columns}
      rowLabel={(q) => quoteName(q, q.title)}
      peek={(q) => <QuotePeek guid={q.guid} />}
      bulk={[editMany(t, quotesApi.edit, 'quotes:counted', EditQuotes)]}
      filters={[
        statusFilter(t('quotes:statusLabel'), quoteDisplayStatuses, 'Quotes'),
        {
          type: 'one',
          field: 'requests',
          label: t('quotes:requests'),
          options: [{ value: 'open', label: t('quotes:requestsOpen') }],
        },
        ...owners,
        ...margins,
        ...jobTypes,
        {
          type: 'many',
          field: 'lostReason',
          label: t('quotes:lostReason'),
          options: lostReasons.map((value) => ({
            value,
            label: value === 'expired' ? t('quotes:outcome.expired') : phraseOr(`quotes:reasons.${value}`, value),
          })),
        },
        { type: 'days', field: 'createdOn', label: t('quotes:created') },
        ...outcomes,
      ]}
    />
  )
}

Page.beginReads = ((may, search) =>
  Promise.all([
    readListAhead(may, list, search),
    readAhead(may, quotesApi.metrics, spanOf(quotesApi.metrics)),
  ])) satisfies BeginReads
