import { useState } from 'react'
import { Button } from '@mantine/core'
import { jobTypeInput, jobTypesApi, type JobTypeInput } from '../../contract/job-types.ts'
import { pathTo } from '../../contract/nouns.ts'
import { Can } from '../core/api/can-show.tsx'
import { useWrite } from '../core/api/hooks.ts'
import type { ItemOf } from '../core/api/types.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGo } from '../core/ui/params.ts'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { readListAhead } from '../core/ui/table/list-state.ts'
import type { Column } from '../core/ui/table/types.ts'
import { toast } from '../core/ui/toast.tsx'
import { archiveMany } from '../record/archiving.ts'
import { FormDialog } from '../record/form-dialog.tsx'
import { PlainField } from '../record/plain-field.tsx'
import { useSchemaForm } from '../record/schema-form.ts'
import { jobTypeFields, valuesOfJobType, type JobTypeValues } from './job-type-fields.ts'

const list = { op: jobTypesApi.list, defaultSort: 'name' }

function useColumns(): Column<ItemOf<typeof jobTypesApi.list>>[] {
  const t = useT('jobs')
  return [
    { id: 'name', header: t('jobs:name'), sort: true, card: 'title', grow: 2, cell: (job) => job.name },
    {
      id: 'durationMin',
      header: t('jobs:duration'),
      align: 'end',
      card: 'side',
      cell: (job) => <span className="nowrap">{t('jobs:minutes', { count: job.durationMin })}</span>,
    },
    { id: 'lineCount', header: t('jobs:lines'), align: 'end', cell: (job) => job.lineCount },
    { id: 'optionCount', header: t('jobs:options'), align: 'end', cell: (job) => job.optionCount },
    {
      id: 'lastUsedAt',
      header: t('jobs:lastUsed'),
      cell: (job) =>
        job.lastUsedAt ? <DateText value={job.lastUsedAt} /> : <span className="muted">{t('jobs:neverUsed')}</span>,
    },
    {
      id: 'createdAt',
      header: t('jobs:created'),
      sort: true,
      isHidden: true,
      cell: (job) => <DateText value={job.createdAt} />,
    },
  ]
}

export function Page() {
  const t = useT('jobs', 'record')
  const [isAdding, setAdding] = useState(false)
  const columns = useColumns()
  const title = t('jobs:list.title')
  const add = (
    <Can op={jobTypesApi.create}>
      <Button onClick={() => setAdding(true)}>{t('jobs:new')}</Button>
    </Can>
  )
  return (
    <>
      <PageHeader title={title} subtitle={t('jobs:list.subtitle')} actions={add} />
      <DataTable
        {...list}
        label={title}
        exportOp={jobTypesApi.export}
        searchPlaceholder={t('jobs:list.search')}
        columns={columns}
        rowLabel={(job) => job.name}
        rowLink={(job) => pathTo('JobTypes', job.guid)}
        filters={[
          {
            type: 'one',
            field: 'archived',
            label: t('jobs:archivedFilter'),
            options: [{ value: 'true', label: t('jobs:archivedOnly') }],
          },
        ]}
        bulk={[archiveMany(t, 'jobs', jobTypesApi.bulk)]}
        empty={{ title: t('jobs:empty.title'), text: t('jobs:empty.text'), action: add }}
      />
      {isAdding ? <AddDialog onClose={() => setAdding(false)} /> : null}
    </>
  )
}

Page.beginReads = ((may, search) => readListAhead(may, list, search)) satisfies BeginReads

/** A name and how long it takes; the rest is written on its page. */
function AddDialog({ onClose }: { onClose: () => void }) {
  const t = useT('jobs')
  const go = useGo()
  const create = useWrite(jobTypesApi.create)
  const form = useSchemaForm<JobTypeValues, JobTypeInput>(jobTypeInput, valuesOfJobType())
  return (
    <FormDialog
      form={form}
      title={t('jobs:new')}
      action={t('jobs:create')}
      onClose={onClose}
      size="md"
      onSave={async (input) => {
        const { jobType } = await create.mutateAsync(input)
        toast.success(t('jobs:made', { name: jobType.name }))
        await go(pathTo('JobTypes', jobType.guid))
      }}
    >
      <PlainField of={jobTypeFields} control={form.control} name="name" autoFocus />
      <PlainField of={jobTypeFields} control={form.control} name="durationMin" />
    </FormDialog>
  )
}
