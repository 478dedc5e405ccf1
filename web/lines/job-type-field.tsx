import { useEffect, useEffectEvent, useState } from 'react'
import { useController, useWatch, type FieldPath, type UseFormReturn } from 'react-hook-form'
import { type JobDefaults, jobTypesApi } from '../../contract/job-types.ts'
import type { DepositRule } from '../../contract/lines.ts'
import { useCan } from '../core/api/can.ts'
import { request } from '../core/api/client.ts'
import { asApiError } from '../core/api/error.ts'
import { useT } from '../core/i18n/i18n.ts'
import { LookupInput } from '../core/ui/lookup.tsx'
import { whenOpen } from '../core/ui/when-open.tsx'
import type { Editing } from './document-form.tsx'
import type { DocumentValues } from './document-values.ts'
import { enteredLines, fillIn, reworded, takeBack, type Filled, type JobTexts } from './job-defaults.ts'
import { JobFilled } from './job-filled.tsx'

const JobDialog = whenOpen(() => import('./job-dialog.tsx').then((module) => module.JobDialog))

/** A document with a kind of job; an order has no introduction and no deposit of its own. */
export type JobValues = DocumentValues & { jobTypeGuid: string | null; intro?: string; depositRule?: DepositRule }

interface JobTypeFieldProps<T extends JobValues> {
  editing: Editing<T>
  isRegistered: boolean
  /** The kind of job it has now, by name. */
  chosen: { guid: string; label: string } | null
  /** The deposit of a document that nobody changed. */
  usualDeposit?: DepositRule
  /** Whether lines may go; those that are invoiced may not. */
  isReplaceable?: boolean
}

const named = ['title', 'intro', 'depositRule'] as const

/** What the job fills in, as the form holds it. */
function textsOf<T extends JobValues>(form: UseFormReturn<T>): Partial<JobTexts> {
  const values = form.getValues() as Partial<JobTexts>
  return Object.fromEntries(named.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])))
}

/** The kind of job: choosing one fills in what it usually takes, and says so. */
export function JobTypeField<T extends JobValues>({
  editing: { form, store },
  isRegistered,
  chosen,
  usualDeposit,
  isReplaceable = true,
}: JobTypeFieldProps<T>) {
  const t = useT('lines', 'common')
  const mayList = useCan(jobTypesApi.list)
  const mayFill = useCan(jobTypesApi.defaults)
  const control = form.control as unknown as UseFormReturn<JobValues>['control']
  const { field, fieldState } = useController({ control, name: 'jobTypeGuid' })
  const [customerGuid, siteGuid] = useWatch({ control, name: ['customerGuid', 'siteGuid'] })
  const [filled, setFilled] = useState<Filled | null>(null)
  const [asking, setAsking] = useState<{ defaults: JobDefaults; before: string | null } | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  const read = (guid: string) =>
    request(jobTypesApi.defaults, {
      guid,
      ...(customerGuid ? { customerGuid } : {}),
      ...(siteGuid ? { siteGuid } : {}),
    })
  const setTexts = (texts: Partial<JobTexts>) => {
    const before = textsOf(form)
    for (const name of named)
      if (texts[name] !== undefined && texts[name] !== before[name])
        form.setValue(name as FieldPath<T>, texts[name] as never, { shouldDirty: true })
    if (texts.title) form.clearErrors('title' as FieldPath<T>)
  }
  const fill = (defaults: JobDefaults, before: string | null, keepsLines: boolean) => {
    const { priceMode } = form.getValues()
    const untouched = { title: '', intro: '', ...(usualDeposit ? { depositRule: usualDeposit } : {}) }
    const now = { lines: store.get(), texts: textsOf(form) }
    const done = fillIn(defaults, now, { last: filled, keepsLines, untouched, before, priceMode, isRegistered })
    store.set(done.content.lines)
    setTexts(done.content.texts)
    setFilled(done.filled)
    setAsking(null)
  }
  const choose = async (guid: string | null) => {
    const before = field.value
    field.onChange(guid)
    setProblem(null)
    if (guid === null || !mayFill) return
    try {
      const { defaults } = await read(guid)
      // Somebody chose on meanwhile.
      if (form.getValues().jobTypeGuid !== guid) return
      if (defaults.lines.length > 0 && enteredLines(store.get(), filled).length > 0) setAsking({ defaults, before })
      else fill(defaults, before, true)
    } catch (failure) {
      setProblem(asApiError(failure).message)
    }
  }
  const undo = () => {
    if (!filled) return
    const content = takeBack(filled, { lines: store.get(), texts: textsOf(form) })
    store.set(content.lines)
    setTexts(content.texts)
    field.onChange(filled.before)
    setFilled(null)
  }

  // The words speak of the customer: another one reads others.
  const reword = useEffectEvent(async () => {
    if (!filled) return
    try {
      const { defaults } = await read(filled.guid)
      const next = reworded(filled, defaults, textsOf(form))
      if (!next) return
      setTexts(Object.fromEntries(Object.entries(next.texts).map(([name, { after }]) => [name, after])))
      setFilled(next)
    } catch {
      // What was filled in stays, to be changed by hand.
    }
  })
  useEffect(() => void reword(), [customerGuid, siteGuid])

  if (!mayList) return null
  return (
    <div className="job-type-field">
      <LookupInput
        op={jobTypesApi.list}
        option={(job) => ({ value: job.guid, label: job.name })}
        chosen={chosen ? { value: chosen.guid, label: chosen.label } : null}
        value={field.value}
        onChange={(guid) => void choose(guid)}
        label={t('common:jobType')}
        clearable
        error={fieldState.error?.message ?? problem}
      />
      {filled && filled.guid === field.value ? <JobFilled filled={filled} onUndo={undo} /> : null}
      {asking ? (
        <JobDialog
          defaults={asking.defaults}
          count={enteredLines(store.get(), filled).length}
          isReplaceable={isReplaceable}
          onAdd={() => fill(asking.defaults, asking.before, true)}
          onReplace={() => fill(asking.defaults, asking.before, false)}
          onClose={() => setAsking(null)}
        />
      ) : null}
    </div>
  )
}
