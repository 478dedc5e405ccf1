import { useState } from 'react'
import { isToBeSent, messagesApi, type Message } from '../../contract/messages.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { whenOpen } from '../core/ui/when-open.tsx'
import '../lines/document-card.css'
import { MailBody } from '../record/mail-frame.tsx'
import { RecordFrame } from '../record/record-frame.tsx'
import { messageActions } from './message-actions.ts'
import { MessageFacts } from './message-details.tsx'

const ResendDialog = whenOpen(() => import('./resend-dialog.tsx').then((module) => module.ResendDialog))

const liveMs = 3000

export function Page() {
  const guid = useGuid()
  const [isWaiting, setWaiting] = useState(false)
  const read = useRead(messagesApi.get, { guid }, { refetchInterval: isWaiting ? liveMs : false })
  const waits = read.data ? isToBeSent(read.data.message.status) : false
  if (waits !== isWaiting) setWaiting(waits)
  return <Loaded of={read}>{({ message }) => <Preview message={message} />}</Loaded>
}

function Preview({ message }: { message: Message }) {
  const t = useT('messages', 'record', 'common')
  const isFailed = message.status === 'failed' || message.status === 'bounced'
  return (
    <RecordFrame
      noun="Messages"
      title={message.subject}
      badge={<StatusChip status={message.status} ns="messages" />}
      listLabel={t('messages:list.title')}
      actions={messageActions(message, t)}
      record={message}
      deeds={{ resend: { dialog: (close) => <ResendDialog message={message} onClose={close} /> } }}
    >
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
    </RecordFrame>
  )
}
