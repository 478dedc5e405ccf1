import { bookingOptionsApi, optionStatuses } from '../../contract/booking-options-api.ts'
import { inLanguage, optionAnswerers, optionInputs } from '../../contract/booking-options.ts'
import { pathOf, pathTo } from '../../contract/nouns.ts'
import { Can } from '../core/api/can-show.tsx'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { AppLink } from '../core/ui/link.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { statusText } from '../core/ui/status-chip.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { readListAhead } from '../core/ui/table/list-state.ts'
import { archiveMany } from '../record/archiving.ts'
import { useOptionColumns } from './option-columns.tsx'
import { answererText, inputText } from './option-words.ts'

const list = { op: bookingOptionsApi.list, defaultSort: 'name' }

export function Page() {
  const t = useT('options', 'record', 'common')
  const language = useLanguage()
  const columns = useOptionColumns()
  const title = t('options:list.title')
  const add = (
    <Can op={bookingOptionsApi.create}>
      <AppLink to={pathOf('BookingOptions', 'add')} className="button-link">
        {t('options:new')}
      </AppLink>
    </Can>
  )
  return (
    <>
      <PageHeader title={title} subtitle={t('options:list.subtitle')} actions={add} />
      <DataTable
        {...list}
        label={title}
        exportOp={bookingOptionsApi.export}
        searchPlaceholder={t('options:list.search')}
        columns={columns}
        rowLabel={(option) => inLanguage(option.label, language)}
        rowLink={(option) => pathTo('BookingOptions', option.guid)}
        filters={[
          {
            type: 'many',
            field: 'input',
            label: t('options:input'),
            options: optionInputs.map((value) => ({ value, label: inputText(value) })),
          },
          {
            type: 'many',
            field: 'answeredBy',
            label: t('options:answeredBy'),
            options: optionAnswerers.map((value) => ({ value, label: answererText(value) })),
          },
          {
            type: 'one',
            field: 'status',
            label: t('options:status'),
            options: optionStatuses.map((value) => ({ value, label: statusText(value) })),
          },
        ]}
        bulk={[archiveMany(t, 'options', bookingOptionsApi.bulk)]}
        empty={{ title: t('options:empty.title'), text: t('options:empty.text'), action: add }}
      />
    </>
  )
}

Page.beginReads = ((may, search) => readListAhead(may, list, search)) satisfies BeginReads
