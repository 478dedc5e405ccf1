import { actionsApi } from '../../contract/actions.ts'
import { pathTo } from '../../contract/nouns.ts'
import type { ItemOf } from '../core/api/types.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { PrintButton } from '../core/ui/print-button.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { readListAhead } from '../core/ui/table/list-state.ts'
import type { Column } from '../core/ui/table/types.ts'
import './actions.css'

const list = { op: actionsApi.register, defaultSort: 'action' }

function useColumns(): Column<ItemOf<typeof actionsApi.register>>[] {
  const t = useT('actions')
  return [
    {
      id: 'action',
      header: t('actions:register.action'),
      sort: true,
      grow: 1.2,
      isTall: true,
      card: 'title',
      cell: ({ action }) => <bdi>{action}</bdi>,
    },
    {
      id: 'decides',
      header: t('actions:register.decides'),
      grow: 3,
      isTall: true,
      cell: ({ decides }) => <bdi title={decides}>{decides}</bdi>,
    },
    { id: 'uses', header: t('actions:register.uses'), grow: 1.2, isTall: true, cell: ({ uses }) => uses },
    { id: 'affects', header: t('actions:register.affects'), grow: 1, isTall: true, cell: ({ affects }) => affects },
    {
      id: 'responsible',
      header: t('actions:register.responsible'),
      grow: 1,
      isTall: true,
      cell: ({ responsible }) => <bdi>{responsible}</bdi>,
    },
    {
      id: 'since',
      header: t('actions:register.since'),
      sort: true,
      cell: ({ since }) => <DateText value={since} />,
    },
    {
      id: 'until',
      header: t('actions:register.until'),
      cell: ({ until }) => (until ? <DateText value={until} /> : t('actions:register.now')),
    },
  ]
}

/** Every decision that is made by itself, with who answers for it: to be read, printed and kept. */
export function Page() {
  const t = useT('actions')
  const columns = useColumns()
  const title = t('actions:register.title')
  return (
    <div className="action-register">
      <PageHeader
        title={title}
        subtitle={t('actions:register.subtitle')}
        crumbs={[{ to: pathTo('Actions'), label: t('actions:list.title') }]}
        actions={<PrintButton />}
      />
      <DataTable
        {...list}
        label={title}
        exportOp={actionsApi.registerExport}
        columns={columns}
        rowLabel={({ action }) => action}
        rowLink={({ guid }) => pathTo('Actions', guid)}
        empty={{ title: t('actions:register.empty.title'), text: t('actions:register.empty.text') }}
      />
    </div>
  )
}

Page.beginReads = ((may, search) => readListAhead(may, list, search)) satisfies BeginReads
