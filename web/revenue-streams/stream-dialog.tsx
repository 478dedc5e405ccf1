import { Button, TextInput } from '@mantine/core'
import { useFieldArray, useController, type UseFormReturn } from 'react-hook-form'
import { revenueStreamsApi, streamInput, type RevenueStream, type StreamInput } from '../../contract/revenue-streams.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { MoneyField } from '../core/ui/fields.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { IconTool } from '../core/ui/icon-tool.tsx'
import { toast } from '../core/ui/toast.tsx'
import { FormDialog } from '../record/form-dialog.tsx'
import { formValues, type FormValues } from '../record/form-values.ts'
import { RecordField } from '../record/record-fields.tsx'
import { useSaving } from '../record/saving.tsx'
import { useSchemaForm } from '../record/schema-form.ts'
import type { z } from 'zod'
import { ParentField } from './parent-field.tsx'
import { streamFields } from './stream-fields.ts'
import './revenue-streams.css'

type Sent = z.output<typeof streamInput>
type Values = FormValues<StreamInput>
type Form = UseFormReturn<Values, unknown, Sent>

/** A revenue stream, new or changed, over the list. */
export function StreamDialog({ stream, onClose }: { stream: RevenueStream | null; onClose: () => void }) {
  return stream ? <Edit stream={stream} onClose={onClose} /> : <Add onClose={onClose} />
}

function Add({ onClose }: { onClose: () => void }) {
  const t = useT('products', 'record')
  const form = useSchemaForm<Values, Sent>(streamInput, formValues(streamInput))
  const create = useWrite(revenueStreamsApi.create)
  return (
    <FormDialog
      form={form}
      title={t('products:streams.add')}
      action={t('products:streams.create')}
      onSave={async (input) => {
        const { stream } = await create.mutateAsync(input)
        toast.success(t('products:streams.made', { name: stream.name }))
      }}
      onClose={onClose}
    >
      <StreamForm form={form} guid={null} />
    </FormDialog>
  )
}

function Edit({ stream, onClose }: { stream: RevenueStream; onClose: () => void }) {
  const t = useT('products', 'record')
  const update = useWrite(revenueStreamsApi.update)
  const { base, round, save, dialog } = useSaving<StreamInput, RevenueStream>({
    first: stream,
    noun: 'stream',
    fields: streamFields,
    send: async (version, changes) => (await update.mutateAsync({ guid: stream.guid, version, ...changes })).stream,
  })
  return (
    <>
      <EditForm
        key={round}
        stream={base}
        save={async (changes) => {
          const saved = await save(changes)
          toast.success(t('products:streams.saved', { name: saved.name }))
        }}
        onClose={onClose}
      />
      {dialog}
    </>
  )
}

function EditForm({
  stream,
  save,
  onClose,
}: {
  stream: RevenueStream
  save: (changes: Partial<Sent>) => Promise<void>
  onClose: () => void
}) {
  const t = useT('products', 'record')
  const form = useSchemaForm<Values, Sent>(streamInput, formValues(streamInput, stream))
  return (
    <FormDialog
      form={form}
      title={t('products:streams.edit')}
      action={t('products:streams.save')}
      isStaleAsked
      onSave={(_input, changes) => save(changes)}
      onClose={onClose}
    >
      <StreamForm form={form} guid={stream.guid} />
    </FormDialog>
  )
}

function StreamForm({ form, guid }: { form: Form; guid: string | null }) {
  const { control } = form
  return (
    <>
      <div className="grid-2 form-grid">
        <RecordField of={streamFields} control={control} name="code" autoFocus />
        <RecordField of={streamFields} control={control} name="name" />
        <RecordField of={streamFields} control={control} name="accountCode" />
        <ParentField control={control} guid={guid} />
      </div>
      <Targets form={form} />
    </>
  )
}

function Targets({ form }: { form: Form }) {
  const t = useT('products')
  const f = useFormat()
  const { control } = form
  const { fields, append, remove } = useFieldArray({ control, name: 'targets' })
  const problem = form.formState.errors.targets
  return (
    <fieldset className="stack plain-fieldset">
      <legend className="strong">{t('products:streams.targets')}</legend>
      <p className="muted small no-margin">{t('products:streams.targetsHint')}</p>
      {fields.map((field, index) => (
        <div key={field.id} className="target-row">
          <MonthField form={form} index={index} />
          <MoneyField
            control={control}
            name={`targets.${index}.cents`}
            label={t('products:streams.aMonth')}
            isRequired
          />
          <IconTool
            icon="delete"
            label={t('products:streams.removeTarget', { position: f.number(index + 1) })}
            onClick={() => remove(index)}
          />
        </div>
      ))}
      {problem?.message || problem?.root?.message ? (
        <p className="loss small no-margin" role="alert">
          {problem.message ?? problem.root?.message}
        </p>
      ) : null}
      <div>
        <Button
          variant="light"
          leftSection={<Icon name="create" size={18} />}
          onClick={() => append({ month: '', cents: null })}
        >
          {t('products:streams.addTarget')}
        </Button>
      </div>
    </fieldset>
  )
}

function MonthField({ form, index }: { form: Form; index: number }) {
  const t = useT('products')
  const { field, fieldState } = useController({ control: form.control, name: `targets.${index}.month` })
  return (
    <TextInput
      type="month"
      label={t('products:streams.from')}
      required
      value={field.value}
      error={fieldState.error?.message}
      onBlur={field.onBlur}
      onChange={(event) => field.onChange(event.currentTarget.value)}
    />
  )
}
