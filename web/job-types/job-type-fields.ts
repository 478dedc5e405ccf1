import { jobStringKeys, jobTypeInput, type JobStrings, type JobTypeInput } from '../../contract/job-types.ts'
import { phraseOr } from '../core/i18n/i18n.ts'
import { formValues, type FormValues } from '../record/form-values.ts'
import type { Fields } from '../record/record-facts.tsx'
import { depositText } from '../lines/terms-text.ts'

export type JobTypeValues = Omit<FormValues<JobTypeInput>, 'depositRule' | 'strings'> & {
  depositRule: NonNullable<JobTypeInput['depositRule']>
  strings: Record<(typeof jobStringKeys)[number], { en: string; fr: string; ar: string }>
}

export const stringText = (key: string) => phraseOr(`jobs:strings.${key}`, key)

const written = (strings: JobStrings | null) =>
  jobStringKeys.flatMap((key) => (strings?.[key]?.en ? [stringText(key)] : [])).join(', ')

/** What is known of a kind of job, in the order of the form. */
export const jobTypeFields: Fields<JobTypeInput> = {
  schema: jobTypeInput,
  rows: {
    name: { label: 'jobs:name' },
    durationMin: { label: 'jobs:durationMin', place: 'times' },
    bufferBeforeMin: { label: 'jobs:bufferBefore', place: 'times' },
    bufferAfterMin: { label: 'jobs:bufferAfter', place: 'times' },
    checklist: { label: 'jobs:checklist', show: (value) => (value ?? []).map(({ label }) => label).join(', ') },
    lines: { label: 'jobs:lines', show: (value) => String((value ?? []).length) },
    optionGuids: { label: 'jobs:options', show: (value) => String((value ?? []).length) },
    depositRule: { label: 'lines:deposit', show: depositText },
    strings: { label: 'jobs:texts', show: (value) => written(value) },
  },
}

export const valuesOfJobType = (jobType?: JobTypeInput): JobTypeValues => ({
  ...(formValues(jobTypeInput, jobType) as unknown as JobTypeValues),
  depositRule: jobType?.depositRule ?? { type: 'none' },
})
