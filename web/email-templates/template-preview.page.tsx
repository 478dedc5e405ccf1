import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import {
  type EmailTemplate,
  emailTemplatesApi,
  type TemplateProblem,
  type TemplateVersion,
} from '../../contract/email-templates.ts'
import { useCan } from '../core/api/can.ts'
import { asApiError, away } from '../core/api/error.ts'
import { readKey, useRead, useWrite } from '../core/api/hooks.ts'
import { useOwner } from '../core/api/of-business.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { Card } from '../core/ui/card.tsx'
import { NotSaved } from '../core/ui/form-card.tsx'
import { useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { toast } from '../core/ui/toast.tsx'
import { useUnsaved } from '../core/ui/unsaved.tsx'
import type { ActionFacts } from '../record/actions.ts'
import { archivingActions } from '../record/archiving.ts'
import { RecordFrame } from '../record/record-frame.tsx'
import { RecordTimeline } from '../timeline/record-timeline.tsx'
import { sentOf, useDraft } from './draft.ts'
import { ProofCard } from './proof-card.tsx'
import { Shown } from './shown.tsx'
import { TextsEditor, type TextsHandle } from './texts-editor.tsx'
import { TemplateVersions } from './versions.tsx'
import './email-templates.css'

export function Page() {
  const guid = useGuid()
  const read = useRead(emailTemplatesApi.get, { guid })
  return <Loaded of={read}>{({ template }) => <Preview key={template.guid} template={template} />}</Loaded>
}

function Preview({ template }: { template: EmailTemplate }) {
  const t = useT('mails', 'record', 'common')
  const say = useErrorText()
  const mayWrite = useCan(emailTemplatesApi.update) && template.archivedAt === null
  const editor = useRef<TextsHandle>(null)
  const { draft, set, language, setLanguage, isDirty, reset, from, writeFrom, base } = useDraft(template)
  const [error, setError] = useState<unknown>(null)
  const update = useWrite(emailTemplatesApi.update, {
    onSuccess: ({ template: saved }) => {
      taken(saved)
      setError(null)
      toast.success(t('mails:saved', { number: saved.latest.number }))
    },
    onError: setError,
  })
  const { guid } = template
  const makeDefault = useWrite(emailTemplatesApi.update, {
    onSuccess: () => toast.success(t('mails:madeDefault', { name: template.name })),
    onError: (failure) => toast.error(say(failure)),
  })
  const client = useQueryClient()
  const owner = useOwner()
  /** What an operation answered is shown at once, and not when it is read again. */
  const taken = (now: EmailTemplate, isKept?: boolean) => {
    client.setQueryData(readKey(emailTemplatesApi.get, { guid }, owner), { template: now })
    reset(now, isKept)
  }
  const unsaved = useUnsaved(isDirty)
  const save = () => {
    setError(null)
    update.mutate({ guid, version: base.version, ...sentOf(draft) })
  }
  const actions = [
    {
      key: 'default',
      op: emailTemplatesApi.update,
      label: t('mails:makeDefault'),
      icon: 'check',
      place: 'head',
      isHidden: template.isDefault || template.status !== 'active' || template.category === 'commercial',
    },
    ...archivingActions(t, 'mails', emailTemplatesApi, { name: template.name, archivedAt: template.archivedAt }),
  ] as const satisfies readonly ActionFacts[]
  const goTo = (problem: TemplateProblem) => {
    setLanguage(problem.language)
    editor.current?.goTo(problem)
  }
  return (
    <RecordFrame
      noun="EmailTemplates"
      title={template.name}
      subtitle={t(`mails:kinds.${template.kind}`)}
      badge={
        <>
          <StatusChip status={template.status} />
          {template.isDefault ? (
            <span className="chip" data-tone="primary">
              {t('mails:isDefault')}
            </span>
          ) : null}
        </>
      }
      listLabel={t('mails:list.title')}
      actions={actions}
      record={template}
      deeds={{ default: { run: () => makeDefault.mutate({ guid, version: template.version, isDefault: true }) } }}
      timeline={<RecordTimeline op={emailTemplatesApi.timeline} guid={guid} />}
    >
      <div className="stack" style={{ '--gap': '1.5rem' } as React.CSSProperties}>
        <div className="mail-editor">
          <Card title={t('mails:words')}>
            <div className="stack">
              <NotInUse active={template.active} edited={from} mayWrite={mayWrite} onWriteFrom={writeFrom} />
              <TextsEditor
                ref={editor}
                kind={template.kind}
                draft={draft}
                onChange={set}
                language={language}
                onLanguage={setLanguage}
                error={error}
                isDisabled={!mayWrite}
                onSubmit={save}
              />
              <SaveProblem error={error} />
              {mayWrite ? (
                <div className="row">
                  <ActionButton
                    icon="save"
                    loading={update.isPending}
                    onClick={save}
                    disabledReason={isDirty ? null : t('common:nothingToSave')}
                  >
                    {t('mails:save')}
                  </ActionButton>
                </div>
              ) : null}
            </div>
          </Card>
          <Shown template={template} texts={draft.languages[language]} language={language} onProblem={goTo} />
        </div>
        <ProofCard
          key={template.latest.guid}
          template={template}
          mayWrite={mayWrite}
          isDirty={isDirty}
          onProblem={goTo}
          onDone={taken}
        />
        <TemplateVersions template={template} mayWrite={mayWrite} onDone={taken} />
      </div>
      {unsaved}
    </RecordFrame>
  )
}

/** Why it was not saved, where no field says so. */
function SaveProblem({ error }: { error: unknown }) {
  const say = useErrorText()
  const { errors, error: code } = asApiError(error)
  if (error === null || errors.length > 0) return null
  if (code === away) return <NotSaved />
  return (
    <p className="form-problem no-margin" role="alert">
      {say(error)}
    </p>
  )
}

interface NotInUseProps {
  active: TemplateVersion | null
  edited: TemplateVersion
  mayWrite: boolean
  onWriteFrom: (version: TemplateVersion) => void
}

/** What is written here is not what goes out: a newer version waits, or somebody rolled back. */
function NotInUse({ active, edited, mayWrite, onWriteFrom }: NotInUseProps) {
  const t = useT('mails')
  if (!active || active.guid === edited.guid) return null
  return (
    <div className="document-banner" data-tone="info" role="status">
      <span>{t('mails:notInUse', { active: active.number, edited: edited.number })}</span>
      {mayWrite ? (
        <button type="button" className="link" onClick={() => onWriteFrom(active)}>
          {t('mails:writeFrom', { number: active.number })}
        </button>
      ) : null}
    </div>
  )
}
