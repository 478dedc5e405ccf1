import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useT } from '../core/i18n/i18n.ts'
import { languageFacts, type Language } from '../../contract/core/languages.ts'
import { MailFrame } from '../record/mail-frame.tsx'

const looks = ['email', 'dark', 'text', 'phone'] as const
type Look = (typeof looks)[number]

interface ComposePreviewProps {
  subject: string
  html: string
  text: string
  language: Language
  /** It shows what was written a moment ago. */
  isBehind: boolean
}

/** A message as its reader is going to see it: by daylight, in the dark, as mere text, on a phone. */
export function ComposePreview({ subject, html, text, language, isBehind }: ComposePreviewProps) {
  const t = useT('compose')
  const [look, setLook] = useState<Look>('email')
  const { direction } = languageFacts[language]
  const title = t('compose:frame', { subject: subject || t('compose:noSubject') })
  return (
    <section className="compose-preview" aria-label={t('compose:preview')} data-behind={isBehind || undefined}>
      <SegmentedControl
        aria-label={t('compose:looks.title')}
        value={look}
        onChange={(next) => setLook(next as Look)}
        data={looks.map((value) => ({ value, label: t(`compose:looks.${value}`) }))}
        fullWidth
      />
      <p className="strong no-margin compose-subject" lang={language} dir={direction}>
        {subject || <span className="muted">{t('compose:noSubject')}</span>}
      </p>
      {look === 'text' ? (
        // What is longer than its box is scrolled with the keys.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <pre className="compose-text" lang={language} dir={direction} tabIndex={0}>
          {text}
        </pre>
      ) : (
        <div className="compose-frame" data-look={look}>
          <MailFrame title={title} html={html} isDark={look === 'dark'} />
        </div>
      )}
    </section>
  )
}
