import { Button, Checkbox, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { jobTypesApi } from '../../contract/job-types.ts'
import { type RequestForm, type RequestFormInput, requestFormsApi } from '../../contract/requests.ts'
import { usersApi } from '../../contract/users.ts'
import { inLanguage } from '../../contract/booking-options.ts'
import { useCan } from '../core/api/can.ts'
import { asApiError, type FieldProblem } from '../core/api/error.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import { inLanguage as sentence } from '../core/i18n/sentences.ts'
import { Dialog, DialogActions } from '../core/ui/dialog.tsx'
import { LookupInput } from '../core/ui/lookup.tsx'
import { toast } from '../core/ui/toast.tsx'

type Words = { en: string; fr?: string | null; ar?: string | null }
interface Values {
  name: string
  slug: string
  jobTypeGuid: string | null
  notifyGuid: string | null
  optionGuids: string[] | null
  heading: Words
  intro: Words
  thanks: Words
  isActive: boolean
}
const noWords: Words = { en: '', fr: '', ar: '' }

const valuesOf = (form: RequestForm | null): Values => ({
  name: form?.name ?? '',
  slug: form?.slug ?? '',
  jobTypeGuid: form?.jobTypeGuid ?? null,
  notifyGuid: form?.notifyGuid ?? null,
  optionGuids: form?.optionGuids ?? null,
  heading: form?.heading ?? noWords,
  intro: form?.intro ?? noWords,
  thanks: form?.thanks ?? noWords,
  isActive: form?.isActive ?? true,
})
const said = (words: Words) => ({ en: words.en, fr: words.fr || null, ar: words.ar || null })
const saidOrNone = (words: Words) => (words.en || words.fr || words.ar ? said(words) : null)

const inputOf = (values: Values): RequestFormInput => ({
  ...values,
  jobTypeGuid: values.jobTypeGuid ?? '',
  heading: said(values.heading),
  intro: saidOrNone(values.intro),
  thanks: saidOrNone(values.thanks),
})

/** What a name suggests as an address. */
const slugOf = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60)

/** A request form, new or changed. */
export function RequestFormDialog({
  form,
  onDone,
  onClose,
}: {
  form: RequestForm | null
  onDone?: (saved: RequestForm) => unknown
  onClose: () => void
}) {
  const t = useT('requests', 'common')
  const text = useErrorText()
  const language = useLanguage()
  const mayPeople = useCan(usersApi.people)
  const [values, setValues] = useState(() => valuesOf(form))
  const [problems, setProblems] = useState<readonly FieldProblem[]>([])
  const [failure, setFailure] = useState<string | null>(null)
  const create = useWrite(requestFormsApi.create)
  const update = useWrite(requestFormsApi.update)
  const set = (part: Partial<Values>) => setValues((before) => ({ ...before, ...part }))
  const wrong = (path: string) => {
    const found = problems.find((one) => one.path === path || one.path.startsWith(`${path}.`))
    return found ? sentence(found.message) : null
  }
  const isBusy = create.isPending || update.isPending
  const save = async () => {
    setFailure(null)
    try {
      const input = inputOf(values)
      const { requestForm } = form
        ? await update.mutateAsync({ guid: form.guid, version: form.version, ...input })
        : await create.mutateAsync(input)
      toast.success(t(form ? 'requests:forms.changed' : 'requests:forms.made', { name: requestForm.name }))
      await onDone?.(requestForm)
      onClose()
    } catch (thrown) {
      const error = asApiError(thrown)
      setProblems(error.errors)
      setFailure(text(error))
    }
  }
  // Questions of another job type are not known before it is saved.
  const questions = form && values.jobTypeGuid === form.jobTypeGuid ? form.questions : []
  const wording = (name: 'heading' | 'intro' | 'thanks', label: string, isRequired = false) => (
    <>
      <Wording
        label={label}
        isRequired={isRequired}
        isLong={name !== 'heading'}
        value={values[name].en}
        error={wrong(`${name}.en`)}
        onChange={(en) => set({ [name]: { ...values[name], en } })}
        lang="en"
      />
      <Wording
        label={t('requests:forms.inFrench', { label })}
        isLong={name !== 'heading'}
        value={values[name].fr ?? ''}
        error={wrong(`${name}.fr`)}
        onChange={(fr) => set({ [name]: { ...values[name], fr } })}
        lang="fr"
      />
      <Wording
        label={t('requests:forms.inArabic', { label })}
        isLong={name !== 'heading'}
        value={values[name].ar ?? ''}
        error={wrong(`${name}.ar`)}
        onChange={(ar) => set({ [name]: { ...values[name], ar } })}
        lang="ar"
      />
    </>
  )
  return (
    <Dialog isBusy={isBusy} onClose={onClose} title={t(form ? 'requests:forms.edit' : 'requests:forms.new')} size="lg">
      <form
        noValidate
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <TextInput
          label={t('requests:forms.name')}
          required
          maxLength={120}
          value={values.name}
          error={wrong('name')}
          onChange={(event) => {
            const name = event.currentTarget.value
            set({ name, ...(!form && values.slug === slugOf(values.name) && { slug: slugOf(name) }) })
          }}
        />
        <TextInput
          label={t('requests:forms.slug')}
          description={t('requests:forms.slugHint')}
          required
          dir="ltr"
          maxLength={60}
          value={values.slug}
          error={wrong('slug')}
          onChange={(event) => set({ slug: event.currentTarget.value })}
        />
        <LookupInput
          op={jobTypesApi.list}
          option={(job) => ({ value: job.guid, label: job.name })}
          chosen={form ? { value: form.jobType.guid, label: form.jobType.label } : null}
          value={values.jobTypeGuid}
          onChange={(jobTypeGuid) => set({ jobTypeGuid, optionGuids: null })}
          label={t('requests:forms.jobType')}
          description={t('requests:forms.jobTypeHint')}
          required
          error={wrong('jobTypeGuid')}
        />
        {mayPeople ? (
          <LookupInput
            op={usersApi.people}
            option={(person) => ({ value: person.guid, label: person.name })}
            chosen={form?.owner ? { value: form.owner.guid, label: form.owner.label } : null}
            value={values.notifyGuid}
            onChange={(notifyGuid) => set({ notifyGuid })}
            label={t('requests:forms.owner')}
            description={t('requests:forms.ownerHint')}
            clearable
            error={wrong('notifyGuid')}
          />
        ) : null}
        {questions.length > 0 ? (
          <fieldset className="plain-fieldset">
            <legend>{t('requests:forms.questions')}</legend>
            <Stack gap="xs">
              <Checkbox
                label={t('requests:forms.allQuestions')}
                checked={values.optionGuids === null}
                onChange={(event) =>
                  set({ optionGuids: event.currentTarget.checked ? null : questions.map(({ guid }) => guid) })
                }
              />
              {values.optionGuids === null
                ? null
                : questions.map(({ guid, label }) => (
                    <Checkbox
                      key={guid}
                      ms="lg"
                      label={inLanguage(label, language)}
                      checked={values.optionGuids?.includes(guid) ?? false}
                      onChange={(event) =>
                        set({
                          optionGuids: event.currentTarget.checked
                            ? [...(values.optionGuids ?? []), guid]
                            : (values.optionGuids ?? []).filter((one) => one !== guid),
                        })
                      }
                    />
                  ))}
            </Stack>
          </fieldset>
        ) : null}
        {wording('heading', t('requests:forms.heading'), true)}
        {wording('intro', t('requests:forms.intro'))}
        {wording('thanks', t('requests:forms.thanks'))}
        <Switch
          label={t('requests:forms.active')}
          description={t('requests:forms.activeHint')}
          checked={values.isActive}
          onChange={(event) => set({ isActive: event.currentTarget.checked })}
        />
        {failure ? (
          <p role="alert" className="form-error no-margin">
            {failure}
          </p>
        ) : null}
        <DialogActions>
          <Button variant="default" disabled={isBusy} onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={isBusy}>
            {t(form ? 'requests:forms.save' : 'requests:forms.create')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

interface WordingProps {
  label: string
  value: string
  error: string | null
  onChange: (value: string) => void
  lang: 'en' | 'fr' | 'ar'
  isLong: boolean
  isRequired?: boolean
}

function Wording({ label, value, error, onChange, lang, isLong, isRequired = false }: WordingProps) {
  const common = { label, value, error, required: isRequired, lang, dir: lang === 'ar' ? 'rtl' : 'ltr' } as const
  return isLong ? (
    <Textarea {...common} autosize minRows={2} onChange={(event) => onChange(event.currentTarget.value)} />
  ) : (
    <TextInput {...common} maxLength={120} onChange={(event) => onChange(event.currentTarget.value)} />
  )
}
