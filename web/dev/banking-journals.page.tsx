import { paymentsApi } from '../../contract/payments.ts'
import type { ItemOf } from '../core/api/types.ts'
import { phrase, useT } from '../core/i18n/i18n.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { Money } from '../core/ui/money.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { EntryLines } from '../accounting/entry-lines.tsx'
import './dev.css'

type Entry = ItemOf<typeof paymentsApi.journals>

const sum = (entry: Entry) => entry.lines.reduce((total, line) => total + line.debitCents, 0)

export function Page() {
  const t = useT('dev', 'accounting')
  return (
    <>
      <PageHeader title={t('dev:journals.title')} subtitle={t('dev:journals.subtitle')} />
      <DataTable
        op={paymentsApi.journals}
        label={t('dev:journals.title')}
        searchPlaceholder={t('dev:journals.search')}
        defaultSort="-postedOn"
        defaultSize={25}
        columns={[
          { id: 'postedOn', header: t('dev:journals.postedOn'), cell: (e) => <DateText value={e.postedOn} /> },
          {
            id: 'narrative',
            header: t('dev:journals.narrative'),
            card: 'title',
            cell: (e) => (
              <>
                {unbroken(e.narrative)}
                <span className="cell-sub">{phrase(`accounting:sources.${e.source}`)}</span>
              </>
            ),
          },
          { id: 'lines', header: t('dev:journals.lines'), cell: (e) => <EntryLines lines={e.lines} /> },
          {
            id: 'createdAt',
            header: t('dev:journals.at'),
            sort: true,
            isHidden: true,
            cell: (e) => <DateText value={e.at} as="dateTime" />,
          },
          {
            id: 'total',
            header: t('dev:journals.total'),
            align: 'end',
            card: 'side',
            cell: (e) => <Money cents={sum(e)} />,
          },
        ]}
        rowLabel={(e) => e.narrative}
        empty={{ title: t('dev:journals.empty.title'), text: t('dev:journals.empty.text') }}
      />
    </>
  )
}
