import { ActionIcon } from '@mantine/core'
import { useController, type Control } from 'react-hook-form'
import { jobTypesApi } from '../../contract/job-types.ts'
import type { Quote } from '../../contract/quotes.ts'
import { useCan } from '../core/api/can.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import { LookupInput } from '../core/ui/lookup.tsx'
import type { QuoteValues } from './quote-form.tsx'
import './job-type.css'

interface JobTypeFieldProps {
  control: Control<QuoteValues>
  chosen: Quote['jobType']
}

/** The kind of job, which brings the words of the customer's page. */
export function JobTypeField({ control, chosen }: JobTypeFieldProps) {
  const t = useT('quotes')
  const mayList = useCan(jobTypesApi.list)
  const { field, fieldState } = useController({ control, name: 'jobTypeGuid' })
  if (!mayList) return null
  return (
    <div className="job-type-field">
      <LookupInput
        op={jobTypesApi.list}
        option={(job) => ({ value: job.guid, label: job.name })}
        chosen={chosen ? { value: chosen.guid, label: chosen.label } : null}
        value={field.value}
        onChange={field.onChange}
        label={t('quotes:jobType')}
        error={fieldState.error?.message}
      />
      {field.value ? (
        <ActionIcon
          variant="subtle"
          color="gray"
          c="inherit"
          size={36}
          aria-label={t('quotes:noJobType')}
          title={t('quotes:noJobType')}
          onClick={() => field.onChange(null)}
        >
          <Icon name="close" size={18} />
        </ActionIcon>
      ) : null}
    </div>
  )
}
