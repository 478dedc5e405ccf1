import { Button } from '@mantine/core'
import { useState } from 'react'
import { type Language, languageFacts, languages } from '../../contract/core/languages.ts'
import {
  type EmailTemplate,
  emailTemplatesApi,
  type TemplatePart,
  templateParts,
  type TemplateVersion,
} from '../../contract/email-templates.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ConfirmDialog } from '../core/ui/confirm-dialog.tsx'
import { toast } from '../core/ui/toast.tsx'
import { Versions } from '../record/versions.tsx'
import { type Change, changesOf, paragraphsOf } from './differences.ts'

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

/** The lines that are compared: a body is its paragraphs. */
const linesOf = (text: string, part: TemplatePart) =>
  part === 'bodyHtml' ? paragraphsOf(text) : text === '' ? [] : [text]

/** What one version says otherwise than the one before: the paragraphs that changed, as they are read. */
function Difference({ before, after }: { before: TemplateVersion; after: TemplateVersion }) {
  const t = useT('mails')
  const changed = languages.flatMap((language) =>
    templateParts
      .map((part) => {
        const old = before.languages[language]?.[part] ?? ''
        const now = after.languages[language]?.[part] ?? ''
        return { language, part, isSame: old === now, changes: changesOf(linesOf(old, part), linesOf(now, part)) }
      })
      .filter(({ isSame }) => !isSame),
  )
  if (changed.length === 0) return <p className="muted">{t('mails:noChanges')}</p>
  return (
    <dl className="mail-difference">
      {changed.map(({ language, part, changes }) => (
        <div key={`${language} ${part}`}>
          <dt>
            {languageFacts[language].name}: {t(`mails:parts.${part}`)}
          </dt>
          {changes.length === 0 ? <dd>{t('mails:lookChanged')}</dd> : null}
          {changes.map(({ removed, added }, i) => (
            <dd key={i}>
              {removed.length > 0 ? (
                <Side as="del" label={t('mails:removed')} {...{ language, pieces: removed }} />
              ) : null}
              {added.length > 0 ? <Side as="ins" label={t('mails:added')} {...{ language, pieces: added }} /> : null}
            </dd>
          ))}
        </div>
      ))}
    </dl>
  )
}

interface SideProps {
  as: 'del' | 'ins'
  label: string
  language: Language
  pieces: Change['added']
}

function Side({ as: Mark, label, language, pieces }: SideProps) {
  return (
    <div className="mail-change">
      <span className="muted small">{label}</span>
      <Mark lang={language} dir={languageFacts[language].direction}>
        {pieces.map(({ text, isOther }, i) => (isOther ? <mark key={i}>{text}</mark> : <span key={i}>{text}</span>))}
      </Mark>
    </div>
  )
}
