import { Tabs } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useRef, useState } from 'react'
import { Controller, useFormState, useWatch, type UseFormReturn } from 'react-hook-form'
import { type Language, languageFacts, languages } from '../../contract/core/languages.ts'
import { schemes, type Scheme, themeColours, withPrimary } from '../../contract/dress.ts'
import { themeInput, themesApi, type ThemeInput } from '../../contract/themes.ts'
import { useCan } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { Crumb } from '../core/layout/page.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { Card } from '../core/ui/card.tsx'
import { SelectField } from '../core/ui/fields.tsx'
import { FormError } from '../core/ui/form-card.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { RichText } from '../core/ui/rich-text/rich-text.tsx'
import { useSaveKey } from '../core/ui/save-key.ts'
import { useUnsaved } from '../core/ui/unsaved.tsx'
import { PlainField } from '../record/plain-field.tsx'
import { saveChanges, type SaveRecord } from '../record/record-form.tsx'
import { useSchemaForm } from '../record/schema-form.ts'
import { ColourRow, type ThemeControl } from './colour-row.tsx'
import { LogoRow } from './logo-row.tsx'
import { areColours, draftOf, fontOptions, isColour, themeFields, type ThemeValues } from './theme-fields.ts'
import { ThemeLook, type ThemeShown, useLooking } from './theme-look.tsx'
import './themes.css'

interface FormProps {
  /** The theme whose business it is of: that of a new one is shown in place of its own. */
  guid: string
  defaults: ThemeValues
  title: string
  crumbs: Crumb[]
  saveLabel: string
  save: SaveRecord<ThemeInput>
  isNew?: boolean
}

const typingMs = 400

/** The editor of a theme: its colours and all else beside what wears it. Ctrl/⌘-S saves. */
export function ThemeForm({ guid, defaults, title, crumbs, saveLabel, save, isNew = false }: FormProps) {
  const t = useT('themes', 'record')
  const mayCreate = useCan(themesApi.create)
  const mayUpdate = useCan(themesApi.update)
  const mayWrite = isNew ? mayCreate : mayUpdate
  const form = useSchemaForm<ThemeValues, ThemeInput>(themeInput, defaults)
  const { control } = form
  const { isDirty, isSubmitting, isSubmitSuccessful } = useFormState({ control })
  const unsaved = useUnsaved(isDirty && !isSubmitting && !isSubmitSuccessful)
  const saveKey = useSaveKey(!mayWrite)
  const [looking, setLooking] = useLooking()
  const [typed] = useDebouncedValue(useWatch({ control }) as ThemeValues, typingMs)
  const { language, part } = looking
  const read = useRead(
    themesApi.preview,
    { guid, language, withPaper: part === 'paper', draft: draftOf(typed) },
    { keep: true },
  )
  const submit = form.handleSubmit(
    (input) => saveChanges(form, input, (changes) => save(input, changes)),
    () => form.setError('root.server', { type: 'fields', message: t('record:lookAgain') }),
  )
  return (
    <form noValidate ref={saveKey} onSubmit={(event) => void submit(event)}>
      {unsaved}
      <PageHeader
        title={title}
        crumbs={crumbs}
        actions={
          mayWrite ? (
            <ActionButton type="submit" icon="save" loading={isSubmitting}>
              {saveLabel}
            </ActionButton>
          ) : null
        }
      />
      <FormError control={control} at="button" />
      <div className="theme-editor">
        <fieldset className="plain-fieldset stack cards" disabled={!mayWrite}>
          <FormError control={control} at="head" />
          <Card title={t('themes:details')}>
            <div className="stack">
              <PlainField of={themeFields} control={control} name="name" />
              <SelectField control={control} name="font" label={t('themes:font')} options={fontOptions()} />
              <PlainField of={themeFields} control={control} name="radius" />
            </div>
          </Card>
          <Card title={t('themes:coloursTitle')}>
            <ColoursPart form={form} isDisabled={!mayWrite} />
          </Card>
          <Card title={t('themes:logos')}>
            <LogosPart control={control} shown={read.data} isDisabled={!mayWrite} />
          </Card>
          <Card title={t('themes:foot')}>
            <FootPart form={form} isDisabled={!mayWrite} />
          </Card>
        </fieldset>
        <div className="theme-beside">
          <Card>
            <ThemeLook looking={looking} onLook={setLooking} shown={read.data} error={read.error} />
          </Card>
        </div>
      </div>
    </form>
  )
}

type ThemeUse = UseFormReturn<ThemeValues, unknown, ThemeInput>

/** What had the primary colour follows it while another is chosen, as when the colour of a business is changed. */
function useFollowing({ getValues, setValue }: ThemeUse) {
  const last = useRef(getValues('light.primary'))
  return (primary: string) => {
    const { light, dark } = getValues()
    const before = { light: { ...light, primary: last.current }, dark }
    if (!isColour(primary) || !areColours(before.light) || !areColours(dark)) return
    last.current = primary
    const next = withPrimary(before, primary)
    const change = { shouldDirty: true }
    setValue('light.link', next.light.link, change)
    setValue('dark.primary', next.dark.primary, change)
    setValue('dark.link', next.dark.link, change)
  }
}

function ColoursPart({ form, isDisabled }: { form: ThemeUse; isDisabled: boolean }) {
  const t = useT('themes')
  const follow = useFollowing(form)
  const [scheme, setScheme] = useState<Scheme>('light')
  return (
    <div className="stack">
      <p className="muted small no-margin">{t('themes:coloursHint')}</p>
      <Tabs value={scheme} onChange={(value) => setScheme(value === 'dark' ? 'dark' : 'light')}>
        <Tabs.List aria-label={t('themes:scheme')}>
          {schemes.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`themes:${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      {themeColours.map((name) => (
        <ColourRow
          key={`${scheme}.${name}`}
          control={form.control}
          scheme={scheme}
          name={name}
          isDisabled={isDisabled}
          {...(scheme === 'light' && name === 'primary' ? { onChosen: follow } : {})}
        />
      ))}
    </div>
  )
}

function LogosPart({
  control,
  shown,
  isDisabled,
}: {
  control: ThemeControl
  shown: ThemeShown | undefined
  isDisabled: boolean
}) {
  const t = useT('themes')
  return (
    <div className="stack">
      <LogoRow
        control={control}
        name="logoFileGuid"
        label={t('themes:logo')}
        hint={t('themes:logoHint')}
        shown={shown?.business.logo ?? null}
        isDark={false}
        isDisabled={isDisabled}
      />
      <LogoRow
        control={control}
        name="logoDarkFileGuid"
        label={t('themes:logoDark')}
        hint={t('themes:logoDarkHint')}
        shown={shown?.business.theme.logoDark ?? null}
        isDark
        isDisabled={isDisabled}
      />
    </div>
  )
}

function FootPart({ form, isDisabled }: { form: ThemeUse; isDisabled: boolean }) {
  const t = useT('themes')
  const [language, setLanguage] = useState<Language>('en')
  return (
    <div className="stack">
      <Tabs value={language} onChange={(value) => setLanguage(languages.find((one) => one === value) ?? 'en')}>
        <Tabs.List aria-label={t('themes:language')}>
          {languages.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {languageFacts[one].name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      <Controller
        key={language}
        control={form.control}
        name={`footerHtml.${language}`}
        render={({ field, fieldState }) => (
          <RichText
            label={t('themes:footLabel')}
            description={t('themes:footHint')}
            language={language}
            value={field.value}
            onChange={field.onChange}
            onBlur={field.onBlur}
            isDisabled={isDisabled}
            error={fieldState.error?.message ?? null}
          />
        )}
      />
    </div>
  )
}
