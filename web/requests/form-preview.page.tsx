import { useState } from 'react'
import { inLanguage } from '../../contract/booking-options.ts'
import { type RequestForm, requestFormsApi } from '../../contract/requests.ts'
import { useRead } from '../core/api/hooks.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { Card } from '../core/ui/card.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { toast } from '../core/ui/toast.tsx'
import { whenOpen } from '../core/ui/when-open.tsx'
import type { ActionFacts } from '../record/actions.ts'
import { archivingActions } from '../record/archiving.ts'
import { RecordFrame } from '../record/record-frame.tsx'
import './requests.css'

const RequestFormDialog = whenOpen(() => import('./form-dialog.tsx').then((module) => module.RequestFormDialog))

export function Page() {
  const guid = useGuid()
  const read = useRead(requestFormsApi.get, { guid })
  return <Loaded of={read}>{({ requestForm }) => <Preview form={requestForm} />}</Loaded>
}

function Preview({ form }: { form: RequestForm }) {
  const t = useT('requests', 'record')
  const language = useLanguage()
  const [isEditing, setEditing] = useState(false)
  const actions: ActionFacts<'edit' | 'archive' | 'restore'>[] = [
    {
      key: 'edit',
      op: requestFormsApi.update,
      label: t('requests:forms.edit'),
      icon: 'edit',
      place: 'head',
      isHidden: form.archivedAt !== null,
    },
    ...archivingActions(t, 'requests', requestFormsApi, { name: form.name, archivedAt: form.archivedAt }),
  ]
  const asked = form.questions.filter(({ guid }) => form.optionGuids?.includes(guid) ?? true)
  return (
    <RecordFrame
      noun="RequestForms"
      title={form.name}
      badge={form.archivedAt ? <StatusChip status="archived" /> : null}
      listLabel={t('requests:forms.title')}
      actions={actions}
      record={form}
      deeds={{ edit: { run: () => setEditing(true) } }}
      rail={<LinkCard form={form} />}
    >
      <div className="stack" style={{ '--gap': '1.5rem' } as React.CSSProperties}>
        <Card title={t('requests:forms.one')}>
          <KeyValueList
            items={[
              { label: t('requests:forms.jobType'), value: form.jobType.label },
              { label: t('requests:forms.owner'), value: form.owner?.label, isHidden: !form.owner },
              {
                label: t('requests:forms.status'),
                value: t(form.isActive ? 'requests:forms.active' : 'requests:forms.inactive'),
              },
              { label: t('requests:forms.requests'), value: form.requestCount },
            ]}
          />
        </Card>
        <Card title={t('requests:forms.questions')}>
          {asked.length > 0 ? (
            <ul className="request-questions">
              {asked.map(({ guid, label }) => (
                <li key={guid}>{inLanguage(label, language)}</li>
              ))}
            </ul>
          ) : (
            <p className="muted no-margin">{t('requests:forms.noQuestions')}</p>
          )}
        </Card>
        <Card title={t('requests:forms.texts')}>
          <KeyValueList
            isStacked
            items={(['heading', 'intro', 'thanks'] as const).map((name) => ({
              label: t(`requests:forms.${name}`),
              value: form[name] ? inLanguage(form[name], language) : null,
              isHidden: !form[name],
            }))}
          />
        </Card>
      </div>
      {isEditing ? <RequestFormDialog form={form} onClose={() => setEditing(false)} /> : null}
    </RecordFrame>
  )
}

/** Where the form is, to be sent, linked to and printed. */
function LinkCard({ form }: { form: RequestForm }) {
  const t = useT('requests')
  const { size, path } = form.qr
  const copy = async () => {
    await navigator.clipboard.writeText(form.url)
    toast.success(t('requests:forms.copied'))
  }
  return (
    <Card title={t('requests:forms.link')}>
      <div className="stack">
        <p className="no-margin request-address" dir="ltr">
          {form.url}
        </p>
        <div className="row">
          <ActionButton variant="light" icon="copy" size="sm" onClick={() => void copy()}>
            {t('requests:forms.copy')}
          </ActionButton>
          <a className="link" href={form.url} target="_blank" rel="noreferrer">
            {t('requests:forms.open')}
          </a>
        </div>
        <svg
          className="request-qr"
          viewBox={`-4 -4 ${size} ${size}`}
          role="img"
          aria-label={t('requests:forms.qr')}
          shapeRendering="crispEdges"
        >
          <path d={path} />
        </svg>
      </div>
    </Card>
  )
}
