import { messagesApi } from '../../contract/messages.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useCan } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { MailBody } from '../record/mail-frame.tsx'
import { NextActionButton } from '../record/next-action.tsx'
import { MessageFacts } from './message-details.tsx'
import { notYetSent } from './sending.ts'

/** A message at a glance, without leaving the list. */
export function MessagePeek({ guid }: { guid: string }) {
  const t = useT('messages', 'record')
  const mayResend = useCan(messagesApi.resend)
  const read = useRead(messagesApi.get, { guid })
  return (
    <Loaded of={read}>
      {({ message }) => (
        <div className="stack">
          {mayResend && !notYetSent.includes(message.status) ? (
            <div className="row spread">
              <StatusChip status={message.status} />
              <NextActionButton
                next={{ label: t('messages:resend.action'), icon: 'send' }}
                page={pathTo('Messages', guid)}
              />
            </div>
          ) : null}
          <MessageFacts message={message} />
          <MailBody
            title={t('messages:frame', { subject: message.subject })}
            html={message.bodyHtml}
            attachments={message.attachments}
            isHidden={message.isBodyHidden}
          />
        </div>
      )}
    </Loaded>
  )
}
