import { jobTypeInput, jobTypesApi, type JobType, type JobTypeInput } from '../../contract/job-types.ts'
import { useCan } from '../core/api/can.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { toast } from '../core/ui/toast.tsx'
import { useController, type Control } from 'react-hook-form'
import { ProductOptions } from '../booking-options/product-options.tsx'
import { DepositField } from '../lines/deposit-field.tsx'
import { archivingActions } from '../record/archiving.ts'
import { PlainField } from '../record/plain-field.tsx'
import { RecordFields } from '../record/record-fields.tsx'
import { RecordForm } from '../record/record-form.tsx'
import { RecordFrame } from '../record/record-frame.tsx'
import { useSaving } from '../record/saving.tsx'
import { useSchemaForm } from '../record/schema-form.ts'
import { ChecklistEditor, JobLinesEditor } from './job-lists.tsx'
import { jobTypeFields, valuesOfJobType, type JobTypeValues } from './job-type-fields.ts'
import { StringsEditor } from './strings-editor.tsx'
import './job-types.css'

export function Page() {
  const guid = useGuid()
  // What is being typed must not change under the fingers: the record is read once.
  const read = useRead(jobTypesApi.get, { guid }, { staleTime: Number.POSITIVE_INFINITY })
  return <Loaded of={read}>{({ jobType }) => <Editor key={jobType.guid} first={jobType} />}</Loaded>
}

function Editor({ first }: { first: JobType }) {
  const t = useT('jobs', 'record', 'lines', 'options')
  const update = useWrite(jobTypesApi.update)
  const { base, round, save, restart, dialog } = useSaving({
    first,
    noun: 'jobType',
    fields: jobTypeFields,
    send: async (version, changes) => {
      const { jobType } = await update.mutateAsync({ guid: first.guid, version, ...changes })
      return jobType
    },
  })
  return (
    <RecordFrame
      noun="JobTypes"
      title={base.name}
      badge={first.archivedAt ? <StatusChip status="archived" /> : null}
      listLabel={t('jobs:list.title')}
      actions={archivingActions(t, 'jobs', jobTypesApi, { name: base.name, archivedAt: first.archivedAt })}
      record={first}
    >
      <JobTypeForm
        key={round}
        jobType={base}
        save={async (changes) => {
          const saved = await save(changes)
          toast.success(t('jobs:saved', { name: saved.name }))
          restart(saved)
        }}
      />
      {dialog}
    </RecordFrame>
  )
}

interface FormProps {
  jobType: JobType
  save: (changes: Partial<JobTypeInput>) => Promise<unknown>
}

function JobTypeForm({ jobType, save }: FormProps) {
  const t = useT('jobs')
  const mayWrite = useCan(jobTypesApi.update)
  const form = useSchemaForm<JobTypeValues, JobTypeInput>(jobTypeInput, valuesOfJobType(jobType as JobTypeInput))
  const { control } = form
  return (
    <RecordForm
      form={form}
      save={async (_input, changes) => save(changes)}
      saveLabel={t('jobs:save')}
      isReadOnly={!mayWrite}
      rail={<p className="muted small no-margin">{t('jobs:hint')}</p>}
    >
      <Card title={t('jobs:details')}>
        <div className="stack">
          <PlainField of={jobTypeFields} control={control} name="name" />
          <div className="grid-3 form-grid">
            <RecordFields of={jobTypeFields} control={control} place="times" />
          </div>
          <DepositField control={control} name="depositRule" />
        </div>
      </Card>
      <Card title={t('jobs:checklist')}>
        <ChecklistEditor form={form} isDisabled={!mayWrite} />
      </Card>
      <Card title={t('jobs:lines')}>
        <JobLinesEditor form={form} isDisabled={!mayWrite} products={jobType.products} />
      </Card>
      <Card title={t('jobs:options')}>
        <OptionsField control={control} isDisabled={!mayWrite} />
      </Card>
      <Card title={t('jobs:texts')}>
        <StringsEditor guid={jobType.guid} form={form} />
      </Card>
    </RecordForm>
  )
}

interface OptionsProps {
  control: Control<JobTypeValues, unknown, JobTypeInput>
  isDisabled: boolean
}

function OptionsField({ control, isDisabled }: OptionsProps) {
  const { field, fieldState } = useController({ control, name: 'optionGuids' })
  const { error } = fieldState
  const message = error?.message ?? (Array.isArray(error) ? error.find(Boolean)?.message : undefined)
  return (
    <ProductOptions value={field.value} onChange={isDisabled ? undefined : field.onChange} error={message ?? null} />
  )
}
