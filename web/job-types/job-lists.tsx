import { Button } from '@mantine/core'
import { useFieldArray, type UseFormReturn } from 'react-hook-form'
import { productsApi } from '../../contract/products.ts'
import type { JobTypeInput } from '../../contract/job-types.ts'
import { useT } from '../core/i18n/i18n.ts'
import { TextField, useField } from '../core/ui/fields.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { IconTool } from '../core/ui/icon-tool.tsx'
import { QuantityInput } from '../core/ui/inputs.tsx'
import { LookupField } from '../core/ui/lookup.tsx'
import { SwitchField } from '../core/ui/switch-field.tsx'
import type { JobTypeValues } from './job-type-fields.ts'

type Form = UseFormReturn<JobTypeValues, unknown, JobTypeInput>

/** What is ticked off on such a job. */
export function ChecklistEditor({ form, isDisabled }: { form: Form; isDisabled: boolean }) {
  const t = useT('jobs')
  const { control } = form
  const { fields, append, remove } = useFieldArray({ control, name: 'checklist' })
  return (
    <div className="stack">
      {fields.length ? null : <p className="muted no-margin">{t('jobs:noChecklist')}</p>}
      {fields.map((field, index) => (
        <div key={field.id} className="job-row">
          <TextField
            control={control}
            name={`checklist.${index}.label`}
            label={t('jobs:check', { position: index + 1 })}
            maxLength={200}
          />
          <SwitchField control={control} name={`checklist.${index}.required`} label={t('jobs:mustCheck')} />
          <IconTool
            icon="delete"
            isDisabled={isDisabled}
            label={t('jobs:removeCheck', { position: index + 1 })}
            onClick={() => remove(index)}
          />
        </div>
      ))}
      {isDisabled || fields.length >= 50 ? null : (
        <Add
          label={t('jobs:addCheck')}
          run={() => append({ code: `check-${Date.now().toString(36)}`, label: '', required: false })}
        />
      )}
    </div>
  )
}

interface LinesProps {
  form: Form
  isDisabled: boolean
  products: readonly { guid: string; label: string }[]
}

/** What such a job usually needs. */
export function JobLinesEditor({ form, isDisabled, products }: LinesProps) {
  const t = useT('jobs')
  const { control } = form
  const { fields, append, remove } = useFieldArray({ control, name: 'lines' })
  return (
    <div className="stack">
      {fields.length ? null : <p className="muted no-margin">{t('jobs:noLines')}</p>}
      {fields.map((field, index) => {
        const known = products.find(({ guid }) => guid === field.productGuid)
        return (
          <div key={field.id} className="job-row">
            <LookupField
              control={control}
              name={`lines.${index}.productGuid`}
              label={t('jobs:product')}
              op={productsApi.list}
              option={(product) => ({ value: product.guid, label: product.name })}
              chosen={known ? { value: known.guid, label: known.label } : null}
            />
            <Quantity form={form} index={index} />
            <IconTool
              icon="delete"
              isDisabled={isDisabled}
              label={t('jobs:removeLine', { position: index + 1 })}
              onClick={() => remove(index)}
            />
          </div>
        )
      })}
      {isDisabled || fields.length >= 50 ? null : (
        <Add label={t('jobs:addLine')} run={() => append({ productGuid: '', quantity: '1' })} />
      )}
    </div>
  )
}

function Quantity({ form, index }: { form: Form; index: number }) {
  const t = useT('jobs')
  const { value, set, common } = useField({
    control: form.control,
    name: `lines.${index}.quantity`,
    label: t('jobs:quantity'),
  })
  return <QuantityInput {...common} value={typeof value === 'string' ? value : '1'} onChange={set} />
}

function Add({ label, run }: { label: string; run: () => void }) {
  return (
    <div>
      <Button variant="light" leftSection={<Icon name="create" size={18} />} onClick={run}>
        {label}
      </Button>
    </div>
  )
}
