import { useState } from 'react'
import { type Language, languageFacts, languages } from '../../contract/core/languages.ts'
import { jobTypesApi } from '../../contract/job-types.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { LookupInput } from '../core/ui/lookup.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { StringsPreview } from '../job-types/strings-preview.tsx'

/** What each kind of job says, filled from any record, in any language. */
export function Page() {
  const t = useT('dev', 'jobs')
  const [guid, setGuid] = useState<string | null>(null)
  const [language, setLanguage] = useState<Language>('en')
  return (
    <>
      <PageHeader title={t('dev:strings.title')} subtitle={t('dev:strings.subtitle')} />
      <Card>
        <div className="stack">
          <div className="grid-2 form-grid">
            <LookupInput
              label={t('jobs:one')}
              op={jobTypesApi.list}
              option={(job) => ({ value: job.guid, label: job.name })}
              value={guid}
              onChange={setGuid}
            />
            <ChoiceInput
              label={t('dev:strings.language')}
              data={languages.map((value) => ({ value, label: languageFacts[value].name }))}
              value={language}
              onChange={(value) => setLanguage(languages.find((one) => one === value) ?? 'en')}
            />
          </div>
          {guid ? (
            <StringsPreview key={guid} guid={guid} language={language} />
          ) : (
            <p className="muted no-margin">{t('dev:strings.choose')}</p>
          )}
        </div>
      </Card>
    </>
  )
}
