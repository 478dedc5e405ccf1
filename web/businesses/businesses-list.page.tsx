import { businessesApi } from '../../contract/businesses.ts'
import { formatAbn } from '../../contract/core/abn.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { NameCell } from '../core/ui/name-cell.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { readListAhead } from '../core/ui/table/list-state.ts'

const list = { op: businessesApi.list, defaultSort: 'legalName' }

export function Page() {
  const t = useT('setup')
  return (
    <>
      <PageHeader title={t('setup:businesses.title')} subtitle={t('setup:businesses.subtitle')} />
      <DataTable
        {...list}
        label={t('setup:businesses.title')}
        columns={[
          {
            id: 'legalName',
            header: t('setup:businesses.name'),
            sort: true,
            card: 'title',
            cell: (b) => <NameCell name={b.tradingName ?? b.legalName} sub={b.tradingName ? b.legalName : null} />,
          },
          {
            id: 'abn',
            header: t('setup:businesses.abn'),
            cell: (b) =>
              b.abn ? <span className="nowrap tabular">{formatAbn(b.abn)}</span> : <span className="muted">–</span>,
          },
          {
            id: 'gst',
            header: t('setup:businesses.gst'),
            card: 'side',
            cell: (b) => (
              <StatusChip
                status={b.gstRegistered ? 'active' : 'inactive'}
                label={b.gstRegistered ? t('setup:businesses.registered') : t('setup:businesses.notRegistered')}
              />
            ),
          },
          {
            id: 'email',
            header: t('setup:businesses.email'),
            cell: (b) => b.email ?? <span className="muted">–</span>,
          },
          {
            id: 'createdAt',
            header: t('setup:businesses.created'),
            sort: true,
            cell: (b) => <DateText value={b.createdAt} />,
          },
        ]}
        rowLabel={(b) => b.tradingName ?? b.legalName}
        rowLink={(b) => pathTo('Businesses', b.guid)}
        empty={{ title: t('setup:businesses.empty') }}
      />
    </>
  )
}

Page.beginReads = ((may, search) => readListAhead(may, list, search)) satisfies BeginReads
