import { eventName } from '../../contract/action-sentence.ts'
import { eventLogApi, keptEvents, keptNouns } from '../../contract/event-log.ts'
import { pathTo } from '../../contract/nouns.ts'
import { nounText } from '../access/words.ts'
import { capital } from '../actions/conditions.ts'
import type { ItemOf } from '../core/api/types.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { DateInput } from '../core/ui/date-input.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { readListAhead } from '../core/ui/table/list-state.ts'
import type { Column } from '../core/ui/table/types.ts'
import { RecordLink } from '../record/record-link.tsx'
import { timelineTitle } from '../timeline/record-timeline.tsx'
import { doerText } from './event-text.ts'

const list = { op: eventLogApi.list, defaultSort: '-at' }
type Item = ItemOf<typeof eventLogApi.list>

function useColumns(): Column<Item>[] {
  const t = useT('events', 'timeline')
  const f = useFormat()
  return [
    {
      id: 'at',
      header: t('events:column.when'),
      sort: true,
      card: 'side',
      cell: ({ at }) => <DateText value={at} as="dateTime" />,
    },
    {
      id: 'what',
      header: t('events:column.what'),
      grow: 2,
      card: 'title',
      cell: (event) => timelineTitle({ what: event.key, values: event.values }, f),
    },
    {
      id: 'record',
      header: t('events:column.record'),
      grow: 1,
      cell: ({ noun, record }) => (
        <RecordLink noun={noun} guid={record.guid}>
          <bdi>{record.label}</bdi>
        </RecordLink>
      ),
    },
    { id: 'by', header: t('events:column.by'), cell: (event) => <bdi>{doerText(t, event)}</bdi> },
    {
      id: 'started',
      header: t('events:column.started'),
      align: 'end',
      isSpare: true,
      cell: ({ started }) => (started > 0 ? f.number(started) : null),
    },
  ]
}

const byLabel = (a: { label: string }, b: { label: string }) => a.label.localeCompare(b.label)

export function Page() {
  const t = useT('events', 'timeline', 'access')
  const f = useFormat()
  const language = useLanguage()
  const columns = useColumns()
  const title = t('events:list.title')
  return (
    <>
      <PageHeader title={title} subtitle={t('events:list.subtitle')} />
      <DataTable
        {...list}
        label={title}
        columns={columns}
        rowLabel={(event) => timelineTitle({ what: event.key, values: event.values }, f)}
        rowLink={(event) => pathTo('Events', event.guid)}
        filters={[
          {
            type: 'one',
            field: 'key',
            label: t('events:filter.key'),
            options: keptEvents
              .map((key) => ({ value: key, label: capital(eventName(key, language)) }))
              .toSorted(byLabel),
          },
          {
            type: 'one',
            field: 'noun',
            label: t('events:filter.noun'),
            options: keptNouns.map((noun) => ({ value: noun, label: nounText(noun) })).toSorted(byLabel),
          },
          {
            type: 'own',
            field: 'day',
            label: t('events:filter.day'),
            render: (value, set) => (
              <DateInput
                aria-label={t('events:filter.day')}
                placeholder={t('events:filter.day')}
                value={value ?? ''}
                onChange={(day) => set(day || null)}
              />
            ),
          },
        ]}
        empty={{ title: t('events:list.empty.title'), text: t('events:list.empty.text') }}
      />
    </>
  )
}

Page.beginReads = ((may, search) => readListAhead(may, list, search)) satisfies BeginReads
