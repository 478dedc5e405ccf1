import { Button } from '@mantine/core'
import { diffWordsWithSpace } from 'diff'
import { useState } from 'react'
import { linesOfBody } from '../../contract/core/liquid.ts'
import { languageFacts, languages } from '../../contract/core/languages.ts'
import {
  type EmailTemplate,
  emailTemplatesApi,
  templateParts,
  type TemplateVersion,
} from '../../contract/email-templates.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ConfirmDialog } from '../core/ui/confirm-dialog.tsx'
import { toast } from '../core/ui/toast.tsx'
import { Versions } from '../record/versions.tsx'

interface Props {
  template: EmailTemplate
  mayWrite: boolean
  onDone: (template: EmailTemplate, isKept?: boolean) => void
}

/** What each version changed, and the way back to one that was in use. */
export function TemplateVersions({ template, mayWrite, onDone }: Props) {
  const t = useT('mails')
  const say = useErrorText()
  const [open, setOpen] = useState<string | null>(null)
  const [back, setBack] = useState<TemplateVersion | null>(null)
  const { guid, version, versions, active } = template
  const rollback = useWrite(emailTemplatesApi.rollback, {
    onSuccess: ({ template: now }) => {
      onDone(now, true)
      toast.success(t('mails:activated', { number: now.active?.number ?? 0 }))
    },
    onError: (failure) => toast.error(say(failure)),
  })
  return (
    <Versions
      versions={versions}
      active={active}
      actions={(one, before) => (
        <>
          {before ? (
            <Button
              size="xs"
              variant="default"
              aria-expanded={open === one.guid}
              onClick={() => setOpen(open === one.guid ? null : one.guid)}
            >
              {t('mails:changes')}
            </Button>
          ) : null}
          {mayWrite && one.activatedAt !== null && active?.guid !== one.guid ? (
            <Button size="xs" variant="default" onClick={() => setBack(one)}>
              {t('mails:rollback')}
            </Button>
          ) : null}
        </>
      )}
      below={(one, before) => (open === one.guid && before ? <Difference before={before} after={one} /> : null)}
    >
      <ConfirmDialog
        isOpen={back !== null}
        onClose={() => setBack(null)}
        title={t('mails:rollbackTitle', { number: back?.number ?? 0 })}
        confirmLabel={t('mails:rollback')}
        onConfirm={() => (back ? rollback.mutateAsync({ guid, version, versionGuid: back.guid }) : undefined)}
      >
        <p className="no-margin">{t('mails:rollbackText')}</p>
      </ConfirmDialog>
    </Versions>
  )
}

const textOf = (
  version: TemplateVersion,
  language: (typeof languages)[number],
  part: (typeof templateParts)[number],
) => {
  const text = version.languages[language]?.[part] ?? ''
  return part === 'bodyHtml' ? linesOfBody(text).join('\n') : text
}

/** What one version says otherwise than the one before, word by word. */
function Difference({ before, after }: { before: TemplateVersion; after: TemplateVersion }) {
  const t = useT('mails')
  const changed = languages.flatMap((language) =>
    templateParts
      .map((part) => ({ language, part, old: textOf(before, language, part), now: textOf(after, language, part) }))
      .filter(({ old, now }) => old !== now),
  )
  if (changed.length === 0) return <p className="muted">{t('mails:noChanges')}</p>
  return (
    <dl className="mail-difference">
      {changed.map(({ language, part, old, now }) => (
        <div key={`${language} ${part}`}>
          <dt>
            {languageFacts[language].name}: {t(`mails:parts.${part}`)}
          </dt>
          <dd lang={language} dir={languageFacts[language].direction}>
            {diffWordsWithSpace(old, now).map((piece, i) =>
              piece.added ? (
                <ins key={i}>{piece.value}</ins>
              ) : piece.removed ? (
                <del key={i}>{piece.value}</del>
              ) : (
                <span key={i}>{piece.value}</span>
              ),
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
