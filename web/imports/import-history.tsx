import { importsApi } from '../../contract/imports.ts'
import { pathOf } from '../../contract/nouns.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'

/** Files that were taken in before, each the way to its undo. */
export function ImportHistory() {
  const t = useT('imports')
  const f = useFormat()
  return (
    <Card title={t('imports:history.title')}>
      <DataTable
        op={importsApi.list}
        label={t('imports:history.label')}
        isEmbedded
        hasSearch={false}
        defaultSort="-createdAt"
        columns={[
          { id: 'fileName', header: t('imports:history.file'), card: 'title', grow: 1, cell: (i) => i.fileName },
          { id: 'source', header: t('imports:history.source'), cell: (i) => t(`imports:sources.${i.source}`) },
          {
            id: 'status',
            header: t('imports:history.status'),
            card: 'side',
            cell: (i) => <StatusChip status={i.status} ns="imports" />,
          },
          { id: 'created', header: t('imports:history.created'), align: 'end', cell: (i) => f.number(i.created) },
          { id: 'filled', header: t('imports:history.filled'), align: 'end', cell: (i) => f.number(i.filled) },
          { id: 'by', header: t('imports:history.by'), cell: (i) => i.createdByName },
          {
            id: 'createdAt',
            header: t('imports:history.at'),
            sort: true,
            cell: (i) => <DateText value={i.createdAt} />,
          },
        ]}
        rowLabel={(i) => i.fileName}
        rowLink={(i) => `${pathOf('Imports', 'import')}?import=${i.guid}`}
        empty={{ title: t('imports:history.empty') }}
      />
    </Card>
  )
}
