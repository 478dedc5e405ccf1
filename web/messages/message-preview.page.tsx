import { useState } from 'react'
import { isToBeSent, messagesApi, type Message } from '../../contract/messages.ts'
import { pathOf, pathTo } from '../../contract/nouns.ts'
import { suppressionsApi } from '../../contract/suppressions.ts'
import { useCan } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { useGo, useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { whenOpen } from '../core/ui/when-open.tsx'
import '../lines/document-card.css'
import { MailBody } from '../record/mail-frame.tsx'
import { RecordFrame } from '../record/record-frame.tsx'
import { FilingBanner, MessageFiles, useFiling } from './received.tsx'
import { messageActions } from './message-actions.ts'
import { Standing } from './message-columns.tsx'
import { MessageFacts, MessageRecipients } from './message-details.tsx'

const FileUnderDialog = whenOpen(() => import('./file-under-dialog.tsx').then((module) => module.FileUnderDialog))
const ResendDialog = whenOpen(() => import('./resend-dialog.tsx').then((module) => module.ResendDialog))

const liveMs = 3000
/** Soon something else becomes of it, unlike of what waits for its day or for somebody. */
const isOnItsWay = ({ status }: Message) => isToBeSent(status) && status !== 'draft' && status !== 'scheduled'

/** Where the address that nothing went to is cleared; all of them where there are several. */
function suppressedOf({ recipients }: Message): string {
  const closed = recipients.filter(({ state }) => state === 'suppressed' || state === 'bounced')
  const search = closed.length === 1 ? `&search=${encodeURIComponent(closed[0]?.address ?? '')}` : ''
  return `${pathTo('EmailAccounts')}?tab=suppressed${search}`
}

export function Page() {
  const guid = useGuid()
  const [isWaiting, setWaiting] = useState(false)
  const read = useRead(messagesApi.get, { guid }, { refetchInterval: isWaiting ? liveMs : false })
  const waits = read.data ? isOnItsWay(read.data.message) : false
  if (waits !== isWaiting) setWaiting(waits)
  return <Loaded of={read}>{({ message }) => <Preview message={message} />}</Loaded>
}

function Preview({ message }: { message: Message }) {
  const t = useT('messages', 'record', 'common', 'compose', 'inbound')
  const go = useGo()
  const filing = useFiling(message)
  const maySuppressed = useCan(suppressionsApi.list)
  const { guid, customerGuid } = message
  const isClosed = message.status === 'bounced' || message.status === 'suppressed'
  const isFailed = message.status === 'failed' || isClosed
  return (
    <RecordFrame
      noun="Messages"
      title={message.subject || t('compose:noSubject')}
      badge={<Standing message={message} />}
      listLabel={t('messages:list.title')}
      actions={messageActions(message, t)}
      record={message}
      deeds={{
        ...filing,
        assign: { dialog: (close) => <FileUnderDialog message={message} onClose={close} /> },
        resend: { dialog: (close) => <ResendDialog message={message} onClose={close} /> },
        edit: { run: () => go(`${pathOf('Messages', 'add')}?edit=${guid}`) },
        reply: { run: () => go(`${pathOf('Messages', 'add')}?reply=${guid}`) },
        quote: { run: () => go(`${pathOf('Quotes', 'add')}?customerGuid=${customerGuid}`) },
      }}
    >
      <div className="with-rail">
        <div className="stack">
          <FilingBanner message={message} />
          {isFailed || message.status === 'deferred' ? (
            <div className="document-banner" data-tone={isFailed ? 'error' : 'warning'} role="status">
              <strong>{isFailed ? t('messages:failedTitle') : t('messages:deferredTitle')}</strong>
              <span>{message.failureReason}</span>
              {isClosed && maySuppressed ? (
                <AppLink to={suppressedOf(message)} className="link">
                  {t('inbound:suppressed.title')}
                </AppLink>
              ) : null}
            </div>
          ) : null}
          <Card>
            <div className="stack">
              {message.direction === 'internal' ? (
                <p className="muted small no-margin">{t('compose:onlyStaff')}</p>
              ) : null}
              <MailBody
                title={t('messages:frame', { subject: message.subject })}
                html={message.bodyHtml}
                attachments={message.attachments}
                isHidden={message.isBodyHidden}
                isPlain={message.direction !== 'out'}
              />
              <MessageFiles files={message.files} />
            </div>
          </Card>
        </div>
        <div className="stack cards">
          <Card title={t('messages:preview.title')}>
            <MessageFacts message={message} />
          </Card>
          <MessageRecipients message={message} />
        </div>
      </div>
    </RecordFrame>
  )
}
