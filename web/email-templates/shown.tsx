import { Tabs } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import type { Language } from '../../contract/core/languages.ts'
import {
  type EmailTemplate,
  emailTemplatesApi,
  type TemplateProblem,
  type TemplateTexts,
} from '../../contract/email-templates.ts'
import { Can } from '../core/api/can-show.tsx'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { Card } from '../core/ui/card.tsx'
import { LookupInput } from '../core/ui/lookup.tsx'
import { ErrorState } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import { MailFrame } from '../record/mail-frame.tsx'
import { Problems } from './problems.tsx'

const typingMs = 500

interface Props {
  template: EmailTemplate
  texts: TemplateTexts | undefined
  language: Language
  onProblem: (problem: TemplateProblem) => void
}

/** What is being written as it would go out, for a record or an example. */
export function Shown({ template, texts, language, onProblem }: Props) {
  const t = useT('mails', 'record')
  const say = useErrorText()
  const [recordGuid, setRecord] = useState<string | null>(null)
  const [part, setPart] = useState<'mail' | 'text'>('mail')
  const [draft] = useDebouncedValue(texts, typingMs)
  const input = { guid: template.guid, recordGuid, language, ...(draft ? { draft } : {}) }
  const read = useRead(emailTemplatesApi.preview, input, { keep: true, enabled: draft !== undefined })
  const test = useWrite(emailTemplatesApi.test, {
    onSuccess: ({ to }) => toast.success(t('mails:tested', { to })),
    onError: (failure) => toast.error(say(failure)),
  })
  const { data } = read
  return (
    <Card
      title={t('mails:preview')}
      actions={
        <Can op={emailTemplatesApi.test}>
          <ActionButton
            variant="default"
            icon="send"
            loading={test.isPending}
            disabledReason={draft && data?.problems.length === 0 ? null : t('mails:notTestable')}
            onClick={() => test.mutate(input)}
          >
            {t('mails:test')}
          </ActionButton>
        </Can>
      }
    >
      <div className="stack">
        <LookupInput
          op={emailTemplatesApi.records}
          input={{ guid: template.guid }}
          option={(record) => ({
            value: record.guid,
            label: record.label,
            ...(record.hint ? { hint: record.hint } : {}),
          })}
          value={recordGuid}
          onChange={setRecord}
          label={t('mails:record')}
          placeholder={t('mails:example')}
          clearable
        />
        {read.isError ? <ErrorState error={read.error} onRetry={() => void read.refetch()} /> : null}
        {data ? (
          <>
            <Problems problems={data.problems} kind={template.kind} onProblem={onProblem} />
            {data.problems.length === 0 ? (
              <>
                <p className="no-margin strong" dir="auto">
                  {data.subject}
                </p>
                <Tabs value={part} onChange={(value) => setPart(value === 'text' ? 'text' : 'mail')}>
                  <Tabs.List>
                    <Tabs.Tab value="mail">{t('mails:asMail')}</Tabs.Tab>
                    <Tabs.Tab value="text">{t('mails:asText')}</Tabs.Tab>
                  </Tabs.List>
                </Tabs>
                {part === 'mail' ? (
                  <MailFrame title={data.subject} html={data.html} />
                ) : (
                  <pre className="mail-text" dir="auto">
                    {data.text}
                  </pre>
                )}
              </>
            ) : null}
          </>
        ) : null}
        {texts ? null : <p className="muted no-margin">{t('mails:notWritten')}</p>}
      </div>
    </Card>
  )
}
