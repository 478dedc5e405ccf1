import { useState } from 'react'
import { emailTemplatesApi, type EmailTemplateItem } from '../../contract/email-templates.ts'
import { templateKinds } from '../../contract/messages.ts'
import { pathTo } from '../../contract/nouns.ts'
import { Can } from '../core/api/can-show.tsx'
import { useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { readListAhead } from '../core/ui/table/list-state.ts'
import type { Column } from '../core/ui/table/types.ts'
import { whenOpen } from '../core/ui/when-open.tsx'
import { archiveMany } from '../record/archiving.ts'

const list = { op: emailTemplatesApi.list, defaultSort: 'name' }
const AddDialog = whenOpen(() => import('./add-dialog.tsx').then((module) => module.AddDialog))

function useColumns(): Column<EmailTemplateItem>[] {
  const t = useT('mails', 'common')
  return [
    { id: 'name', header: t('mails:name'), sort: true, card: 'title', grow: 2, cell: (one) => one.name },
    { id: 'kind', header: t('mails:kind'), sort: true, grow: 2, cell: (one) => t(`mails:kinds.${one.kind}`) },
    {
      id: 'languages',
      header: t('mails:languages'),
      cell: (one) => one.languages.map((language) => language.toUpperCase()).join(' '),
    },
    { id: 'status', header: t('mails:status'), card: 'side', cell: (one) => <StatusChip status={one.status} /> },
    { id: 'isDefault', header: t('mails:default'), cell: (one) => (one.isDefault ? t('common:yes') : '') },
    { id: 'updatedAt', header: t('mails:changed'), sort: true, cell: (one) => <DateText value={one.changedAt} /> },
  ]
}

export function Page() {
  const t = useT('mails', 'record')
  const columns = useColumns()
  const [isAdding, setAdding] = useState(false)
  const title = t('mails:list.title')
  const add = (
    <Can op={emailTemplatesApi.create}>
      <ActionButton icon="create" onClick={() => setAdding(true)}>
        {t('mails:add')}
      </ActionButton>
    </Can>
  )
  return (
    <>
      <PageHeader title={title} subtitle={t('mails:list.subtitle')} actions={add} />
      <DataTable
        {...list}
        label={title}
        exportOp={emailTemplatesApi.export}
        searchPlaceholder={t('mails:list.search')}
        columns={columns}
        rowLabel={(one) => one.name}
        rowLink={(one) => pathTo('EmailTemplates', one.guid)}
        filters={[
          {
            type: 'many',
            field: 'kind',
            label: t('mails:kind'),
            options: templateKinds.map((kind) => ({ value: kind, label: t(`mails:kinds.${kind}`) })),
          },
          {
            type: 'one',
            field: 'archived',
            label: t('mails:archivedFilter'),
            options: [{ value: 'true', label: t('mails:archivedOnly') }],
          },
        ]}
        bulk={[archiveMany(t, 'mails', emailTemplatesApi.bulk)]}
        empty={{ title: t('mails:empty.title'), text: t('mails:empty.text'), action: add }}
      />
      {isAdding ? <AddDialog onClose={() => setAdding(false)} /> : null}
    </>
  )
}

Page.beginReads = ((may, search) => readListAhead(may, list, search)) satisfies BeginReads
