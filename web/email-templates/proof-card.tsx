import { Progress } from '@mantine/core'
import { type EmailTemplate, emailTemplatesApi, type TemplateProblem } from '../../contract/email-templates.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useWholeErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { Card } from '../core/ui/card.tsx'
import { toast } from '../core/ui/toast.tsx'
import { Blanks, Problems } from './problems.tsx'

const lookAgainMs = 1500

interface Props {
  template: EmailTemplate
  mayWrite: boolean
  isDirty: boolean
  onProblem: (problem: TemplateProblem) => void
  onDone: (template: EmailTemplate, isKept?: boolean) => void
}

/** Renders the latest version for all records there are, and puts it to use when nothing is wrong. */
export function ProofCard({ template, mayWrite, isDirty, onProblem, onDone }: Props) {
  const t = useT('mails')
  const { guid, kind, latest, active } = template
  const said = useWholeErrorText()
  const isRunning = latest.proof?.state === 'running'
  useRead(emailTemplatesApi.get, { guid }, { enabled: isRunning, refetchInterval: isRunning ? lookAgainMs : false })
  const prove = useWrite(emailTemplatesApi.prove)
  const activate = useWrite(emailTemplatesApi.activate, {
    onSuccess: ({ template: now }) => {
      onDone(now, isDirty)
      toast.success(t('mails:activated', { number: now.active?.number ?? 0 }))
    },
  })
  const proof = latest.proof
  const blanks = proof?.blanks ?? []
  const isActive = active?.guid === latest.guid
  const isPassed = proof?.state === 'passed'
  // The server refuses a version that was not checked: what comes first is the first button until then.
  const notYet = isPassed ? null : t(proof?.state === 'failed' ? 'mails:notTestable' : 'mails:proof.none')
  const error = activate.error ?? prove.error
  return (
    <Card title={t('mails:proof.title', { number: latest.number })}>
      <div className="stack">
        <p className="no-margin" aria-live="polite">
          {isActive && !proof ? t('mails:proof.active') : null}
          {!proof && !isActive && !mayWrite ? t('mails:proof.none') : null}
          {proof?.state === 'running' ? t('mails:proof.running', { done: proof.done, total: proof.total }) : null}
          {proof?.state === 'passed'
            ? t(blanks.length > 0 ? 'mails:proof.checked' : 'mails:proof.passed', { count: proof.total })
            : null}
          {proof?.state === 'failed' && proof.failed > 0 ? t('mails:proof.failed', { count: proof.failed }) : null}
          {proof?.state === 'failed' && proof.failed === 0 ? t('mails:proof.broken') : null}
        </p>
        {proof?.state === 'running' ? (
          <Progress value={proof.total ? (proof.done / proof.total) * 100 : 0} aria-label={t('mails:proof.progress')} />
        ) : null}
        {proof ? <Problems problems={proof.problems} kind={kind} onProblem={onProblem} /> : null}
        <Blanks blanks={blanks} kind={kind} />
        {error ? (
          <p className="form-problem no-margin" role="alert">
            {said(error)}
          </p>
        ) : null}
        {mayWrite ? (
          <div className="row">
            <ActionButton
              variant={isActive || isPassed ? 'default' : 'filled'}
              icon="check"
              loading={prove.isPending || isRunning}
              disabledReason={isDirty ? t('mails:saveFirst') : null}
              onClick={() => {
                activate.reset()
                prove.mutate({ guid, versionGuid: latest.guid })
              }}
            >
              {t('mails:prove')}
            </ActionButton>
            {isActive ? null : (
              <ActionButton
                variant={isPassed ? 'filled' : 'default'}
                icon="success"
                loading={activate.isPending}
                disabledReason={isDirty ? t('mails:saveFirst') : notYet}
                onClick={() => activate.mutate({ guid, version: template.version, versionGuid: latest.guid })}
              >
                {t('mails:activate')}
              </ActionButton>
            )}
          </div>
        ) : null}
      </div>
    </Card>
  )
}
