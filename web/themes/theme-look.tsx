import { SegmentedControl, Skeleton, Switch, Tabs } from '@mantine/core'
import { useEffect, useState } from 'react'
import { type Language, languageFacts, languages } from '../../contract/core/languages.ts'
import type { Scheme } from '../../contract/dress.ts'
import type { themesApi } from '../../contract/themes.ts'
import type { ApiError } from '../core/api/error.ts'
import type { Answer } from '../core/api/types.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import { ErrorState } from '../core/ui/states.tsx'
import { MailFrame } from '../record/mail-frame.tsx'
import { SamplePage } from './sample-page.tsx'
import './themes.css'

const parts = ['email', 'paper', 'page'] as const
type Part = (typeof parts)[number]
export type ThemeShown = Answer<typeof themesApi.preview>

export interface Looking {
  part: Part
  language: Language
}

/** Which part is looked at, and in which language. */
export function useLooking() {
  const language = useLanguage()
  return useState<Looking>({ part: 'email', language })
}

interface LookProps {
  looking: Looking
  onLook: (looking: Looking) => void
  shown: ThemeShown | undefined
  error: ApiError | null
}

/** What wears the theme: a mail, a paper and the customer’s page, by day and by night, wide and on a phone. */
export function ThemeLook({ looking, onLook, shown, error }: LookProps) {
  const t = useT('themes')
  const { part, language } = looking
  const [scheme, setScheme] = useState<Scheme>('light')
  const [isPhone, setPhone] = useState(false)
  return (
    <section className="theme-look stack" aria-label={t('themes:preview')}>
      <Tabs
        value={part}
        onChange={(value) => onLook({ ...looking, part: parts.find((one) => one === value) ?? 'email' })}
      >
        <Tabs.List aria-label={t('themes:preview')}>
          {parts.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`themes:parts.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      <div className="row theme-look-tools">
        <SegmentedControl
          size="xs"
          aria-label={t('themes:language')}
          data={languages.map((value) => ({ value, label: languageFacts[value].name }))}
          value={language}
          onChange={(value) => onLook({ ...looking, language: languages.find((one) => one === value) ?? 'en' })}
        />
        {part === 'paper' ? null : (
          <>
            <SegmentedControl
              size="xs"
              aria-label={t('themes:scheme')}
              data={[
                { value: 'light', label: t('themes:light') },
                { value: 'dark', label: t('themes:dark') },
              ]}
              value={scheme}
              onChange={(value) => setScheme(value === 'dark' ? 'dark' : 'light')}
            />
            <Switch
              size="sm"
              label={t('themes:phone')}
              checked={isPhone}
              onChange={(event) => setPhone(event.currentTarget.checked)}
            />
          </>
        )}
      </div>
      {error && !shown ? <ErrorState error={error} /> : null}
      {shown ? (
        <div className="theme-stage" data-phone={isPhone && part !== 'paper'} data-scheme={scheme}>
          {part === 'email' ? <Email shown={shown} scheme={scheme} /> : null}
          {part === 'paper' ? <Paper base64={shown.paper} /> : null}
          {part === 'page' ? <SamplePage business={shown.business} scheme={scheme} language={language} /> : null}
        </div>
      ) : error ? null : (
        <Skeleton height={420} radius={6} />
      )}
    </section>
  )
}

/** A mail reads whether it is dark from the device: here it is told. */
const inScheme = (html: string, scheme: Scheme) =>
  html.replaceAll('@media (prefers-color-scheme: dark)', scheme === 'dark' ? '@media all' : '@media not all')

function Email({ shown, scheme }: { shown: ThemeShown; scheme: Scheme }) {
  const t = useT('themes')
  return (
    <div className="theme-mail">
      <p className="theme-subject" dir="auto">
        <span className="muted">{t('themes:subject')}</span> <strong>{shown.subject}</strong>
      </p>
      <MailFrame key={scheme} title={t('themes:parts.email')} html={inScheme(shown.html, scheme)} />
    </div>
  )
}

/** The paper in the browser’s own viewer; a phone that has none opens it. */
function Paper({ base64 }: { base64: string | null }) {
  const t = useT('themes')
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (base64 === null) return
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const made = URL.createObjectURL(new Blob([bytes], { type: 'application/pdf' }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [base64])
  if (!url || base64 === null) return <Skeleton height={420} radius={6} />
  return (
    <div className="stack">
      <a className="link" href={url} target="_blank" rel="noreferrer">
        {t('themes:openPaper')}
      </a>
      <iframe className="theme-paper" title={t('themes:parts.paper')} src={url} />
    </div>
  )
}
