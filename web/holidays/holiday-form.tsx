import { Controller, type Control, type FieldPath, type FieldValues } from 'react-hook-form'
import type { z } from 'zod'
import type { State } from '../../contract/core/address.ts'
import {
  holidayChanges,
  holidayInput,
  type HolidayInput,
  type HolidayOfBusiness,
  holidaysApi,
} from '../../contract/holidays.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { TimeInput } from '../core/ui/date-input.tsx'
import { toast } from '../core/ui/toast.tsx'
import { FormDialog } from '../record/form-dialog.tsx'
import { formValues, type FormValues } from '../record/form-values.ts'
import { RecordField } from '../record/record-fields.tsx'
import { useSaving } from '../record/saving.tsx'
import { useSchemaForm } from '../record/schema-form.ts'
import { holidayFields } from './holiday-fields.ts'

type Changes = z.output<typeof holidayChanges>

interface AddHolidayProps {
  state: State
  /** What a day of a state is called where it is a holiday already. */
  nameOf: (state: State, day: string) => string | null
  onAdded: (change: HolidayOfBusiness) => void
  onClose: () => void
}

/** A holiday that the business adds. On a holiday of the state it gives it another name or other hours. */
export function AddHoliday({ state, nameOf, onAdded, onClose }: AddHolidayProps) {
  const t = useT('setup', 'record', 'common')
  const form = useSchemaForm<FormValues<HolidayInput>, HolidayInput>(holidayInput, formValues(holidayInput, { state }))
  const create = useWrite(holidaysApi.create)
  return (
    <FormDialog
      form={form}
      title={t('setup:holidays.add')}
      action={t('setup:holidays.add')}
      size="md"
      onSave={async (input) => {
        const { change } = await create.mutateAsync(input)
        const replaced = nameOf(change.state, change.day)
        toast.success(
          replaced && replaced !== change.name
            ? t('setup:holidays.replaced', { name: change.name, replaced })
            : t('setup:holidays.added', { name: change.name }),
        )
        onAdded(change)
      }}
      onClose={onClose}
    >
      <RecordField of={holidayFields} control={form.control} name="day" isRequired />
      <RecordField of={holidayFields} control={form.control} name="name" isRequired />
      <From control={form.control} />
      <RecordField of={holidayFields} control={form.control} name="state" />
    </FormDialog>
  )
}

export function EditHoliday({ change, onClose }: { change: HolidayOfBusiness; onClose: () => void }) {
  const update = useWrite(holidaysApi.update)
  const { base, round, save, dialog } = useSaving<HolidayInput, HolidayOfBusiness>({
    first: change,
    noun: 'change',
    fields: holidayFields,
    send: async (version, { name, fromMin }) => {
      const changes = { ...(name ? { name } : {}), ...(fromMin === undefined ? {} : { fromMin }) }
      return (await update.mutateAsync({ guid: change.guid, version, ...changes })).change
    },
  })
  return (
    <>
      <EditForm key={round} change={base} save={save} onClose={onClose} />
      {dialog}
    </>
  )
}

interface EditFormProps {
  change: HolidayOfBusiness
  save: (changes: Partial<Changes>) => Promise<HolidayOfBusiness>
  onClose: () => void
}

function EditForm({ change, save, onClose }: EditFormProps) {
  const t = useT('setup', 'record', 'common')
  const form = useSchemaForm<FormValues<Changes>, Changes>(holidayChanges, formValues(holidayChanges, change))
  return (
    <FormDialog
      form={form}
      title={t('setup:holidays.edit')}
      action={t('setup:holidays.save')}
      size="md"
      isStaleAsked
      onSave={async (_input, changes) => {
        const saved = await save(changes)
        toast.success(t('setup:holidays.saved', { name: saved.name }))
      }}
      onClose={onClose}
    >
      <RecordField of={holidayFields} control={form.control} name="name" isRequired autoFocus />
      <From control={form.control} />
    </FormDialog>
  )
}

/** From when on: empty is the whole day. */
function From<V extends FieldValues, O>({ control }: { control: Control<V, unknown, O> }) {
  const t = useT('setup')
  return (
    <Controller
      control={control}
      name={'fromMin' as FieldPath<V>}
      render={({ field, fieldState: { error } }) => (
        <TimeInput
          label={t('setup:holidays.from')}
          description={t('setup:holidays.fromHint')}
          value={field.value as number | null}
          onChange={field.onChange}
          error={error?.message}
        />
      )}
    />
  )
}
