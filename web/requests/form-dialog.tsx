import { Checkbox, Stack } from '@mantine/core'
import { useController, type UseFormReturn, useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { inLanguage } from '../../contract/booking-options.ts'
import { jobTypesApi } from '../../contract/job-types.ts'
import { type RequestForm, type RequestFormInput, requestFormInput, requestFormsApi } from '../../contract/requests.ts'
import { usersApi } from '../../contract/users.ts'
import { useCan } from '../core/api/can.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import { TextAreaField, TextField } from '../core/ui/fields.tsx'
import { LookupField } from '../core/ui/lookup.tsx'
import { toast } from '../core/ui/toast.tsx'
import { FormDialog } from '../record/form-dialog.tsx'
import { formValues, type FormValues } from '../record/form-values.ts'
import { RecordField } from '../record/record-fields.tsx'
import { useSaving } from '../record/saving.tsx'
import { useSchemaForm } from '../record/schema-form.ts'
import { requestFormFields } from './form-fields.ts'

type Sent = z.output<typeof requestFormInput>
type Values = Omit<FormValues<RequestFormInput>, 'optionGuids'> & { optionGuids: string[] | null }
type Form = UseFormReturn<Values, unknown, Sent>

/** No selection of questions is not the same as none of them. */
const valuesOf = (form: RequestForm | null): Values => ({
  ...formValues(requestFormInput, form ?? {}),
  optionGuids: form?.optionGuids ?? null,
})

/** What a name suggests as an address. */
const slugOf = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60)

interface DialogProps {
  form: RequestForm | null
  onDone?: (saved: RequestForm) => unknown
  onClose: () => void
}

/** A request form, new or changed. */
export const RequestFormDialog = ({ form, onDone, onClose }: DialogProps) =>
  form ? <Edit requestForm={form} onClose={onClose} /> : <Add onDone={onDone} onClose={onClose} />

function Add({ onDone, onClose }: { onDone: DialogProps['onDone']; onClose: () => void }) {
  const t = useT('requests', 'record', 'common')
  const form = useSchemaForm<Values, Sent>(requestFormInput, valuesOf(null))
  const create = useWrite(requestFormsApi.create)
  return (
    <FormDialog
      form={form}
      title={t('requests:forms.new')}
      action={t('requests:forms.create')}
      onSave={async (input) => {
        const { requestForm } = await create.mutateAsync(input)
        toast.success(t('requests:forms.made', { name: requestForm.name }))
        await onDone?.(requestForm)
      }}
      onClose={onClose}
    >
      <FormFields form={form} of={null} />
    </FormDialog>
  )
}

function Edit({ requestForm, onClose }: { requestForm: RequestForm; onClose: () => void }) {
  const update = useWrite(requestFormsApi.update)
  const { base, round, save, dialog } = useSaving<RequestFormInput, RequestForm>({
    first: requestForm,
    noun: 'requestForm',
    fields: requestFormFields,
    // Which questions there are to choose from is the job type’s to say.
    together: [['jobTypeGuid', 'optionGuids']],
    send: async (version, changes) =>
      (await update.mutateAsync({ guid: requestForm.guid, version, ...changes })).requestForm,
  })
  return (
    <>
      <EditForm key={round} requestForm={base} save={save} onClose={onClose} />
      {dialog}
    </>
  )
}

interface EditFormProps {
  requestForm: RequestForm
  save: (changes: Partial<Sent>) => Promise<RequestForm>
  onClose: () => void
}

function EditForm({ requestForm, save, onClose }: EditFormProps) {
  const t = useT('requests', 'record', 'common')
  const form = useSchemaForm<Values, Sent>(requestFormInput, valuesOf(requestForm))
  return (
    <FormDialog
      form={form}
      title={t('requests:forms.edit')}
      action={t('requests:forms.save')}
      isStaleAsked
      onSave={async (_input, changes) => {
        const saved = await save(changes)
        toast.success(t('requests:forms.changed', { name: saved.name }))
      }}
      onClose={onClose}
    >
      <FormFields form={form} of={requestForm} />
    </FormDialog>
  )
}

function FormFields({ form, of }: { form: Form; of: RequestForm | null }) {
  const t = useT('requests')
  const mayPeople = useCan(usersApi.people)
  const { control } = form
  return (
    <>
      <NameField form={form} isNew={!of} />
      <RecordField of={requestFormFields} control={control} name="slug" />
      <LookupField
        control={control}
        name="jobTypeGuid"
        op={jobTypesApi.list}
        option={(job) => ({ value: job.guid, label: job.name })}
        chosen={of ? { value: of.jobType.guid, label: of.jobType.label } : null}
        onPick={() => form.setValue('optionGuids', null)}
        label={t('requests:forms.jobType')}
        description={t('requests:forms.jobTypeHint')}
        isRequired
      />
      {mayPeople ? (
        <LookupField
          control={control}
          name="notifyGuid"
          op={usersApi.people}
          option={(person) => ({ value: person.guid, label: person.name })}
          chosen={of?.owner ? { value: of.owner.guid, label: of.owner.label } : null}
          label={t('requests:forms.owner')}
          description={t('requests:forms.ownerHint')}
          isClearable
        />
      ) : null}
      {of ? <QuestionsField form={form} of={of} /> : null}
      <Wording form={form} name="heading" isRequired />
      <Wording form={form} name="intro" maxLength={2000} />
      <Wording form={form} name="thanks" maxLength={1000} />
      <RecordField of={requestFormFields} control={control} name="isActive" />
    </>
  )
}

/** As long as nobody has entered an address, it follows the name. */
function NameField({ form, isNew }: { form: Form; isNew: boolean }) {
  const { field } = useController({ control: form.control, name: 'name' })
  const follow = (name: string) => {
    if (isNew && form.getValues('slug') === slugOf(field.value)) form.setValue('slug', slugOf(name))
  }
  return (
    <div onInput={(event) => follow((event.target as HTMLInputElement).value)}>
      <RecordField of={requestFormFields} control={form.control} name="name" autoFocus />
    </div>
  )
}

/** Which of the questions of its job type it asks; those of another job type are not known before it is saved. */
function QuestionsField({ form, of }: { form: Form; of: RequestForm }) {
  const t = useT('requests')
  const language = useLanguage()
  const jobTypeGuid = useWatch({ control: form.control, name: 'jobTypeGuid' })
  const { field } = useController({ control: form.control, name: 'optionGuids' })
  const chosen = field.value
  if (jobTypeGuid !== of.jobTypeGuid || of.questions.length === 0) return null
  return (
    <fieldset className="plain-fieldset">
      <legend>{t('requests:forms.questions')}</legend>
      <Stack gap="xs">
        <Checkbox
          label={t('requests:forms.allQuestions')}
          checked={chosen === null}
          onChange={(event) =>
            field.onChange(event.currentTarget.checked ? null : of.questions.map(({ guid }) => guid))
          }
        />
        {chosen === null
          ? null
          : of.questions.map(({ guid, label }) => (
              <Checkbox
                key={guid}
                ms="lg"
                label={inLanguage(label, language)}
                checked={chosen.includes(guid)}
                onChange={(event) =>
                  field.onChange(event.currentTarget.checked ? [...chosen, guid] : chosen.filter((one) => one !== guid))
                }
              />
            ))}
      </Stack>
    </fieldset>
  )
}

interface WordingProps {
  form: Form
  name: 'heading' | 'intro' | 'thanks'
  /** Of a text of several lines. */
  maxLength?: number
  isRequired?: boolean
}

/** A text in the three languages. */
function Wording({ form: { control }, name, maxLength, isRequired = false }: WordingProps) {
  const t = useT('requests')
  const label = t(`requests:forms.${name}`)
  const fields = [
    { at: `${name}.en`, language: 'en', label, isRequired },
    { at: `${name}.fr`, language: 'fr', label: t('requests:forms.inFrench', { label }), isRequired: false },
    { at: `${name}.ar`, language: 'ar', label: t('requests:forms.inArabic', { label }), isRequired: false },
  ] as const
  return fields.map(({ at, ...words }) =>
    maxLength ? (
      <TextAreaField key={at} control={control} name={at} {...words} rows={2} maxLength={maxLength} />
    ) : (
      <TextField key={at} control={control} name={at} {...words} maxLength={120} />
    ),
  )
}
