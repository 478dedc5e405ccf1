import { messagesApi } from '../../contract/messages.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useMay } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Loaded } from '../core/ui/states.tsx'
import { MailBody } from '../record/mail-frame.tsx'
import { nextOf } from '../record/actions.ts'
import { NextActionButton } from '../record/next-action.tsx'
import { messageActions } from './message-actions.ts'
import { Standing } from './message-columns.tsx'
import { MessageFacts } from './message-details.tsx'

/** A message at a glance, without leaving the list. */
export function MessagePeek({ guid }: { guid: string }) {
  const t = useT('inbound', 'messages', 'record', 'compose')
  const may = useMay()
  const read = useRead(messagesApi.get, { guid })
  return (
    <Loaded of={read}>
      {({ message }) => (
        <div className="stack">
          <div className="row spread">
            <Standing message={message} />
            <NextActionButton next={nextOf(messageActions(message, t), may)} page={pathTo('Messages', guid)} />
          </div>
          <MessageFacts message={message} />
          <MailBody
            title={t('messages:frame', { subject: message.subject })}
            html={message.bodyHtml}
            attachments={message.attachments}
            isHidden={message.isBodyHidden}
            isPlain={message.direction !== 'out'}
          />
        </div>
      )}
    </Loaded>
  )
}
