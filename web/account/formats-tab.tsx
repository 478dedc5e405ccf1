import { useEffect, useState } from 'react'
import { useController, useWatch, type Control } from 'react-hook-form'
import type { z } from 'zod'
import { authApi } from '../../contract/auth.ts'
import { formatPattern } from '../../contract/core/dates.ts'
import { useFormat } from '../core/i18n/format.ts'
import { changeLanguage, useLanguage, useT } from '../core/i18n/i18n.ts'
import { languageFacts, languages, type Language } from '../../contract/core/languages.ts'
import { localeOf } from '../core/i18n/languages.ts'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { SaveButton } from '../core/ui/save-button.tsx'
import { Card } from '../core/ui/card.tsx'
import { FormCard } from '../core/ui/form-card.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { SuggestInput } from '../core/ui/suggest-input.tsx'
import { toast } from '../core/ui/toast.tsx'
import { useFollow } from '../record/follow.ts'
import type { Fields } from '../record/record-facts.tsx'
import { saveChanges } from '../record/record-form.tsx'
import { useSaving } from '../record/saving.tsx'
import { useSchemaForm } from '../record/schema-form.ts'
import { useOwnAccount, useOwnUpdate, type OwnUser } from './own-account.ts'

const schema = authApi.updateAccount.body.shape.preferences.unwrap().required()
type Sent = z.output<typeof schema>
type Pattern = 'displayDateFormat' | 'displayTimeFormat' | 'displayDateTimeFormat'
type Values = Record<Pattern, string> & { language: string | null }

const usual: Record<Pattern, string[]> = {
  displayDateFormat: ['d-m-Y', 'd/m/Y', 'j M Y', 'D j M Y', 'l j F Y', 'Y-m-d', 'm/d/Y'],
  displayTimeFormat: ['H:i', 'H:i:s', 'g:i a', 'h:i A'],
  displayDateTimeFormat: ['d-m-Y H:i', 'd/m/Y g:i a', 'j M Y H:i', 'D j M Y, H:i', 'Y-m-d H:i:s'],
}
const letters = ['d', 'j', 'D', 'l', 'm', 'n', 'M', 'F', 'Y', 'y', 'H', 'h', 'g', 'i', 's', 'A', 'a'] as const

/** How dates and times look to this person, with an example of now. */
export function FormatsTab() {
  const read = useOwnAccount()
  return <Loaded of={read}>{({ user }) => <Formats user={user} />}</Loaded>
}

/** The present moment, so that the examples run. */
function useNow() {
  const [now, setNow] = useState(() => new Date().toISOString())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date().toISOString()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}

function useExample() {
  const { zone } = useFormat()
  const language = useLanguage()
  return (at: string, pattern: string) => {
    try {
      return formatPattern(at, pattern, { zone, locale: localeOf(language) })
    } catch {
      return ''
    }
  }
}

function PatternRow({
  control,
  name,
  label,
  now,
}: {
  control: Control<Values, unknown, Sent>
  name: Pattern
  label: string
  now: string
}) {
  const t = useT('account')
  const example = useExample()
  const {
    field: { ref, value, onChange, onBlur },
    fieldState,
  } = useController({ control, name })
  const text = fieldState.error ? '' : example(now, value)
  return (
    <div className="format-row">
      <SuggestInput
        ref={ref}
        name={name}
        label={label}
        options={usual[name].map((pattern) => ({ value: pattern, label: pattern, hint: example(now, pattern) }))}
        maxLength={30}
        value={value}
        error={fieldState.error?.message}
        onChange={onChange}
        onBlur={onBlur}
      />
      <p className="format-shown">
        <span className="muted small">{t('account:formats.example')}</span>{' '}
        <output className="format-example tabular">{text || '–'}</output>
      </p>
    </div>
  )
}

type Kept = Sent & { version: number }
const keptOf = ({ version, preferences }: OwnUser): Kept => ({
  version,
  displayDateFormat: preferences.displayDateFormat,
  displayTimeFormat: preferences.displayTimeFormat,
  displayDateTimeFormat: preferences.displayDateTimeFormat,
  language: preferences.language,
})

const formatFields: Fields<Sent> = {
  schema,
  rows: {
    displayDateFormat: { label: 'account:formats.date' },
    displayTimeFormat: { label: 'account:formats.time' },
    displayDateTimeFormat: { label: 'account:formats.dateTime' },
    language: { label: 'account:formats.language', words: (language) => languageFacts[language as Language].name },
  },
}

function Formats({ user }: { user: OwnUser }) {
  const t = useT('account')
  const update = useOwnUpdate({ onSuccess: () => toast.success(t('account:formats.saved')) })
  const { base, round, restart, save, dialog } = useSaving<Sent, Kept>({
    first: keptOf(user),
    noun: 'user',
    of: keptOf,
    fields: formatFields,
    send: async (version, preferences) => keptOf((await update.mutateAsync({ version, preferences })).user),
  })
  return (
    <>
      <FormatsForm
        key={round}
        kept={base}
        newest={keptOf(user)}
        onNewer={restart}
        save={async (changes) => {
          const saved = await save(changes)
          if (changes.language && saved.language) changeLanguage(saved.language)
          restart(saved)
        }}
      />
      {dialog}
    </>
  )
}

interface FormatsFormProps {
  kept: Kept
  newest: Kept
  onNewer: (kept: Kept) => void
  save: (changes: Partial<Sent>) => Promise<void>
}

function FormatsForm({ kept, newest, onNewer, save }: FormatsFormProps) {
  const t = useT('account', 'record')
  const f = useFormat()
  const now = useNow()
  const { version: _version, ...defaults } = kept
  const form = useSchemaForm<Values, Sent>(schema, defaults)
  const { control, formState } = form
  useFollow(newest, kept, formState.isDirty, onNewer)
  const submit = form.handleSubmit((input) => saveChanges(form, input, save))
  return (
    <div className="security-grid">
      <FormCard
        control={control}
        onSubmit={submit}
        title={t('account:formats.title')}
        actions={<SaveButton control={control}>{t('account:save')}</SaveButton>}
      >
        <p className="muted no-margin">{t('account:formats.text', { zone: f.zone.replaceAll('_', ' ') })}</p>
        <div className="format-rows">
          <PatternRow control={control} name="displayDateFormat" label={t('account:formats.date')} now={now} />
          <PatternRow control={control} name="displayTimeFormat" label={t('account:formats.time')} now={now} />
          <PatternRow control={control} name="displayDateTimeFormat" label={t('account:formats.dateTime')} now={now} />
          <LanguageRow control={control} />
        </div>
      </FormCard>
      <Letters now={now} />
    </div>
  )
}

function LanguageRow({ control }: { control: Control<Values, unknown, Sent> }) {
  const t = useT('account')
  const { field } = useController({ control, name: 'language' })
  useWatch({ control, name: 'language' })
  return (
    <div className="format-row">
      <ChoiceInput
        label={t('account:formats.language')}
        placeholder={t('account:formats.browser')}
        clearable
        data={languages.map((language) => ({ value: language, label: languageFacts[language].name }))}
        value={field.value}
        onChange={field.onChange}
      />
      <p className="format-shown muted small">{t('account:formats.languageHint')}</p>
    </div>
  )
}

/** What the letters mean, each with what it makes of now. */
const meaningOf = (letter: (typeof letters)[number]) => {
  const name = letter === letter.toLowerCase() ? letter : `upper${letter}`
  return `account:formats.meanings.${name}` as 'account:formats.meanings.d'
}

function Letters({ now }: { now: string }) {
  const t = useT('account')
  const example = useExample()
  return (
    <Card title={t('account:formats.letters')}>
      <table className="plain-table letters-table">
        <thead>
          <tr>
            <th scope="col">{t('account:formats.letter')}</th>
            <th scope="col">{t('account:formats.meaning')}</th>
            <th scope="col">{t('account:formats.now')}</th>
          </tr>
        </thead>
        <tbody>
          {letters.map((letter) => (
            <tr key={letter}>
              <th scope="row">
                <code>{letter}</code>
              </th>
              <td>{t(meaningOf(letter))}</td>
              <td className="tabular">{example(now, letter)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}
