import { useNavigate, useSearch } from '@tanstack/react-router'
import { messagesApi } from '../../contract/messages.ts'
import { nouns, pathOf } from '../../contract/nouns.ts'
import { Can } from '../core/api/can-show.tsx'
import { useRead } from '../core/api/hooks.ts'
import type { Answer } from '../core/api/types.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { Loaded } from '../core/ui/states.tsx'
import '../lines/document-card.css'
import { Attachments, MailFrame } from '../record/mail-frame.tsx'
import './dev.css'

type Mail = Answer<typeof messagesApi.outbox>['items'][number]
const freshMs = 5000
const kilobyte = 1024

export function Page() {
  const t = useT('dev', 'record')
  const outbox = useRead(messagesApi.outbox, {}, { refetchInterval: freshMs })
  return (
    <>
      <PageHeader
        title={t('dev:outbox.title')}
        subtitle={t('dev:outbox.subtitle')}
        actions={
          <ActionButton
            variant="default"
            icon="reload"
            loading={outbox.isFetching && outbox.isPending}
            onClick={() => void outbox.refetch()}
          >
            {t('dev:outbox.reload')}
          </ActionButton>
        }
      />
      <Loaded of={outbox}>
        {({ items, isActive }) => (
          <div className="stack cards">
            <div className="document-banner" data-tone={isActive ? 'info' : 'success'}>
              <strong>{t(isActive ? 'dev:outbox.localTitle' : 'dev:outbox.realTitle')}</strong>
              <span>{t(isActive ? 'dev:outbox.localText' : 'dev:outbox.realText')}</span>
              <Can op={nouns.EmailAccounts.pages.list}>
                <AppLink to={pathOf('EmailAccounts', 'list')}>{t('dev:outbox.accounts')}</AppLink>
              </Can>
            </div>
            {items.length ? (
              <Outbox items={items} />
            ) : (
              <Card>
                <EmptyState title={t('dev:outbox.empty.title')} text={t('dev:outbox.empty.text')} />
              </Card>
            )}
          </div>
        )}
      </Loaded>
    </>
  )
}

function Outbox({ items }: { items: readonly Mail[] }) {
  const t = useT('dev')
  const navigate = useNavigate()
  const { id } = useSearch({ strict: false }) as { id?: string }
  const chosen = items.find((mail) => mail.id === id) ?? items[0]
  return (
    <div className="outbox">
      <ul className="card outbox-list" aria-label={t('dev:outbox.list')}>
        {items.map((mail) => (
          <li key={mail.id}>
            <button
              type="button"
              className="outbox-entry"
              aria-current={mail.id === chosen?.id}
              onClick={() => void navigate({ to: '.', search: { id: mail.id }, replace: true, resetScroll: false })}
            >
              <span className="row spread outbox-head">
                <span className="outbox-to">{mail.to}</span>
                <span className="muted small">
                  <DateText value={mail.at} as="relative" />
                </span>
              </span>
              <span className="outbox-subject">{mail.subject}</span>
            </button>
          </li>
        ))}
      </ul>
      {chosen ? <MailView key={chosen.id} id={chosen.id} /> : null}
    </div>
  )
}

function MailView({ id }: { id: string }) {
  const t = useT('dev', 'record')
  const f = useFormat()
  const read = useRead(messagesApi.outboxMail, { id })
  const size = (bytes: number) =>
    t('dev:outbox.kilobytes', { size: f.number(Math.max(1, Math.round(bytes / kilobyte))) })
  return (
    <Loaded of={read}>
      {({ mail }) => (
        <Card title={mail.subject}>
          <div className="stack">
            <KeyValueList
              items={[
                { label: t('dev:outbox.to'), value: mail.to },
                { label: t('dev:outbox.from'), value: mail.from },
                { label: t('dev:outbox.at'), value: <DateText value={mail.at} as="dateTime" /> },
                { label: t('dev:outbox.size'), value: size(mail.bytes) },
              ]}
            />
            <Attachments items={mail.attachments.map(({ name, bytes }) => ({ name, size: size(bytes) }))} />
            <MailFrame title={t('dev:outbox.frame', { subject: mail.subject })} html={mail.html} />
            <details>
              <summary>{t('dev:outbox.plain')}</summary>
              <pre className="plain-mail">{mail.text}</pre>
            </details>
          </div>
        </Card>
      )}
    </Loaded>
  )
}
