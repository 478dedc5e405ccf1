import { nouns } from '../../contract/nouns.ts'
import {
  substatusChanges,
  substatusColours,
  substatusesApi,
  substatusInput,
  type Substatus,
  type SubstatusInput,
} from '../../contract/substatuses.ts'
import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { useWrite } from '../core/api/hooks.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { SelectField } from '../core/ui/fields.tsx'
import { statusText } from '../core/ui/status-chip.tsx'
import { toast } from '../core/ui/toast.tsx'
import { FormDialog } from '../record/form-dialog.tsx'
import { formValues, type FormValues } from '../record/form-values.ts'
import { RecordField } from '../record/record-fields.tsx'
import { useSaving } from '../record/saving.tsx'
import { useSchemaForm } from '../record/schema-form.ts'
import { SubstatusChip } from './substatus-chip.tsx'
import { substatusFields } from './substatus-fields.ts'

type Changes = z.output<typeof substatusChanges>

/** A sub-status, new or changed, over the list. */
export const SubstatusForm = ({ substatus, onClose }: { substatus: Substatus | null; onClose: () => void }) =>
  substatus ? <Edit substatus={substatus} onClose={onClose} /> : <Add onClose={onClose} />

function Add({ onClose }: { onClose: () => void }) {
  const t = useT('orders', 'record', 'common')
  const form = useSchemaForm<FormValues<SubstatusInput>, SubstatusInput>(substatusInput, formValues(substatusInput))
  const create = useWrite(substatusesApi.create)
  return (
    <FormDialog
      form={form}
      title={t('orders:substatus.add')}
      action={t('orders:substatus.create')}
      size="md"
      onSave={async (input) => {
        await create.mutateAsync(input)
        toast.success(t('orders:substatus.made', { name: input.label }))
      }}
      onClose={onClose}
    >
      <RecordField of={substatusFields} control={form.control} name="label" autoFocus />
      <SelectField
        control={form.control}
        name="core"
        label={t('orders:substatus.core')}
        description={t('orders:substatus.coreHint')}
        isRequired
        options={nouns.Orders.statuses.map((status) => ({ value: status, label: statusText(status, 'orders') }))}
      />
      <Colour control={form.control} />
    </FormDialog>
  )
}

function Edit({ substatus, onClose }: { substatus: Substatus; onClose: () => void }) {
  const update = useWrite(substatusesApi.update)
  const { base, round, save, dialog } = useSaving<SubstatusInput, Substatus>({
    first: substatus,
    noun: 'substatus',
    fields: substatusFields,
    send: async (version, { core: _core, ...changes }) =>
      (await update.mutateAsync({ guid: substatus.guid, version, ...changes })).substatus,
  })
  return (
    <>
      <EditForm key={round} substatus={base} save={save} onClose={onClose} />
      {dialog}
    </>
  )
}

interface EditFormProps {
  substatus: Substatus
  save: (changes: Partial<Changes>) => Promise<Substatus>
  onClose: () => void
}

function EditForm({ substatus, save, onClose }: EditFormProps) {
  const t = useT('orders', 'record', 'common')
  const form = useSchemaForm<FormValues<Changes>, Changes>(substatusChanges, formValues(substatusChanges, substatus))
  return (
    <FormDialog
      form={form}
      title={t('orders:substatus.edit')}
      action={t('orders:substatus.save')}
      size="md"
      isStaleAsked
      onSave={async (_input, changes) => {
        const saved = await save(changes)
        toast.success(t('orders:substatus.changed', { name: saved.label }))
      }}
      onClose={onClose}
    >
      <RecordField of={substatusFields} control={form.control} name="label" autoFocus />
      <Colour control={form.control} />
    </FormDialog>
  )
}

/** Its colour, and how it looks. */
function Colour<V extends FieldValues, O>({ control }: { control: Control<V, unknown, O> }) {
  const t = useT('orders')
  const [label, colour] = useWatch({ control, name: ['label', 'colour'] as FieldPath<V>[] }) as unknown as [
    string,
    Substatus['colour'] | null,
  ]
  return (
    <>
      <SelectField
        control={control}
        name={'colour' as FieldPath<V>}
        label={t('orders:substatus.colour')}
        isRequired
        options={substatusColours.map((value) => ({ value, label: phraseOr(`orders:colours.${value}`, value) }))}
      />
      <p className="no-margin">
        <SubstatusChip substatus={{ label: label.trim() || t('orders:substatus.one'), colour: colour ?? 'grey' }} />
      </p>
    </>
  )
}
