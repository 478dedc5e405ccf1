import { useState } from 'react'
import { messagesApi, type Message } from '../../contract/messages.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useMay } from '../core/api/can.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { Card } from '../core/ui/card.tsx'
import { ConfirmDialog } from '../core/ui/confirm-dialog.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { toast } from '../core/ui/toast.tsx'
import { whenOpen } from '../core/ui/when-open.tsx'
import '../lines/document-card.css'
import { MailBody } from '../record/mail-frame.tsx'
import { MessageFacts } from './message-details.tsx'
import { notYetSent, waiting } from './sending.ts'

const ResendDialog = whenOpen(() => import('./resend-dialog.tsx').then((module) => module.ResendDialog))

const liveMs = 3000

export function Page() {
  const guid = useGuid()
  const [isWaiting, setWaiting] = useState(false)
  const read = useRead(messagesApi.get, { guid }, { refetchInterval: isWaiting ? liveMs : false })
  const waits = read.data ? notYetSent.includes(read.data.message.status) : false
  if (waits !== isWaiting) setWaiting(waits)
  return <Loaded of={read}>{({ message }) => <Preview message={message} />}</Loaded>
}

function Preview({ message }: { message: Message }) {
  const t = useT('messages', 'record', 'common')
  const may = useMay()
  const [dialog, setDialog] = useState<'resend' | 'cancel' | null>(null)
  const cancel = useWrite(messagesApi.cancel)
  const isFailed = message.status === 'failed' || message.status === 'bounced'
  return (
    <>
      <PageHeader
        title={message.subject}
        badge={<StatusChip status={message.status} ns="messages" />}
        crumbs={[{ to: pathTo('Messages'), label: t('messages:list.title') }]}
        actions={
          <>
            {may(messagesApi.cancel) ? (
              <ActionButton
                variant="default"
                icon="stop"
                disabledReason={waiting.includes(message.status) ? null : t('messages:why.notWaiting')}
                onClick={() => setDialog('cancel')}
              >
                {t('messages:cancel.action')}
              </ActionButton>
            ) : null}
            {may(messagesApi.resend) ? (
              <ActionButton
                icon="send"
                disabledReason={
                  notYetSent.includes(message.status)
                    ? t('messages:why.waits')
                    : message.isBodyHidden
                      ? t('record:bodyHidden')
                      : null
                }
                onClick={() => setDialog('resend')}
              >
                {t('messages:resend.action')}
              </ActionButton>
            ) : null}
          </>
        }
      />
      <div className="with-rail">
        <div className="stack">
          {isFailed || message.status === 'deferred' ? (
            <div className="document-banner" data-tone={isFailed ? 'error' : 'warning'} role="status">
              <strong>{isFailed ? t('messages:failedTitle') : t('messages:deferredTitle')}</strong>
              <span>{message.failureReason}</span>
            </div>
          ) : null}
          <Card>
            <div className="stack">
              <MailBody
                title={t('messages:frame', { subject: message.subject })}
                html={message.bodyHtml}
                attachments={message.attachments}
                isHidden={message.isBodyHidden}
              />
            </div>
          </Card>
        </div>
        <div>
          <Card title={t('messages:preview.title')}>
            <MessageFacts message={message} />
          </Card>
        </div>
      </div>
      {dialog === 'resend' ? <ResendDialog message={message} onClose={() => setDialog(null)} /> : null}
      <ConfirmDialog
        isOpen={dialog === 'cancel'}
        onClose={() => setDialog(null)}
        title={t('messages:cancel.title')}
        confirmLabel={t('messages:cancel.action')}
        isDangerous
        onConfirm={async () => {
          await cancel.mutateAsync({ guid: message.guid })
          toast.success(t('messages:cancel.done'))
        }}
      >
        {t('messages:cancel.text')}
      </ConfirmDialog>
    </>
  )
}
