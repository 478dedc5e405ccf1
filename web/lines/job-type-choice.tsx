import { jobTypesApi } from '../../contract/job-types.ts'
import { useT } from '../core/i18n/i18n.ts'
import { LookupField } from '../core/ui/lookup.tsx'
import type { BulkControl } from '../record/bulk-edit.tsx'

function JobTypeChoice({ control }: { control: BulkControl }) {
  const t = useT('lines', 'common')
  return (
    <LookupField
      control={control}
      name="jobTypeGuid"
      label={t('common:jobType')}
      op={jobTypesApi.list}
      option={(job) => ({ value: job.guid, label: job.name })}
      isClearable
    />
  )
}

/** The kind of job of many documents, which fills in nothing; empty takes it away. */
export const jobTypeOfMany = {
  label: 'common:jobType',
  defaults: null,
  draw: (control: BulkControl) => <JobTypeChoice control={control} />,
} as const
