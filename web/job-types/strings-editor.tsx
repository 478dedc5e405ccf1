import { Tabs } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { type Language, languageFacts, languages } from '../../contract/core/languages.ts'
import { jobStringKeys, type JobTypeInput } from '../../contract/job-types.ts'
import { useT } from '../core/i18n/i18n.ts'
import { TextAreaField } from '../core/ui/fields.tsx'
import { stringText, type JobTypeValues } from './job-type-fields.ts'
import { StringsPreview } from './strings-preview.tsx'

type Form = UseFormReturn<JobTypeValues, unknown, JobTypeInput>

const typingMs = 400

/** What such a job says on its customers' pages: each text beside what becomes of it. */
export function StringsEditor({ guid, form }: { guid: string; form: Form }) {
  const t = useT('jobs')
  const { control } = form
  const [language, setLanguage] = useState<Language>('en')
  const typed = useWatch({ control, name: 'strings' })
  const [strings] = useDebouncedValue(typed, typingMs)
  return (
    <div className="strings">
      <div className="stack">
        <p className="muted small no-margin">{t('jobs:textsHint')}</p>
        <Tabs value={language} onChange={(value) => setLanguage(languages.find((one) => one === value) ?? 'en')}>
          <Tabs.List>
            {languages.map((one) => (
              <Tabs.Tab key={one} value={one}>
                {languageFacts[one].name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Tabs>
        <div className="stack" dir={languageFacts[language].direction} lang={language} key={language}>
          {jobStringKeys.map((key) => (
            <TextAreaField
              key={key}
              control={control}
              name={`strings.${key}.${language}`}
              label={stringText(key)}
              rows={/Text|description|crew/.test(key) ? 3 : 1}
              maxLength={4000}
            />
          ))}
        </div>
      </div>
      <StringsPreview guid={guid} strings={strings} language={language} />
    </div>
  )
}
