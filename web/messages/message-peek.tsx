import { messagesApi } from '../../contract/messages.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Loaded } from '../core/ui/states.tsx'
import { MailBody } from '../parts/mail-frame.tsx'
import { MessageFacts } from './message-details.tsx'

/** A message at a glance, without leaving the list. */
export function MessagePeek({ guid }: { guid: string }) {
  const t = useT('messages', 'parts')
  const read = useRead(messagesApi.get, { guid })
  return (
    <Loaded of={read}>
      {({ message }) => (
        <div className="stack">
          <MessageFacts message={message} />
          <MailBody title={t('messages:frame', { subject: message.subject })} html={message.bodyHtml} attachments={message.attachments} isHidden={message.isBodyHidden} />
        </div>
      )}
    </Loaded>
  )
}
