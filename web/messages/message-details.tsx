import { nounNamed } from '../../contract/nouns.ts'
import type { Message } from '../../contract/messages.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { RecordLink } from '../record/record-link.tsx'
import { ownerText } from './message-columns.tsx'

/** Who got it, when, and how the sending went. */
export function MessageFacts({ message }: { message: Message }) {
  const t = useT('messages')
  const noun = message.ownerType && nounNamed(message.ownerType)
  return (
    <KeyValueList
      items={[
        { label: t('messages:statusLabel'), value: <StatusChip status={message.status} ns="messages" /> },
        { label: t('messages:to'), value: message.to.join(', ') },
        { label: t('messages:from'), value: message.from },
        {
          label: t('messages:customer'),
          value: message.customerGuid ? (
            <RecordLink noun="Customers" guid={message.customerGuid} className="link">
              {message.customerName ?? t('messages:customer')}
            </RecordLink>
          ) : null,
          isHidden: !message.customerGuid,
        },
        {
          label: t('messages:about'),
          value:
            noun && message.ownerType && message.ownerGuid ? (
              <RecordLink noun={noun} guid={message.ownerGuid}>
                {ownerText(message.ownerType)}
              </RecordLink>
            ) : null,
          isHidden: !noun,
        },
        {
          label: t('messages:template'),
          value: message.template ? phraseOr(`messages:templates.${message.template}`, message.template) : null,
          isHidden: !message.template,
        },
        { label: t('messages:created'), value: <DateText value={message.createdAt} as="dateTime" /> },
        { label: t('messages:createdBy'), value: message.createdBy ?? t('messages:bySystem') },
        {
          label: t('messages:sentAt'),
          value: <DateText value={message.sentAt} as="dateTime" />,
          isHidden: !message.sentAt,
        },
        { label: t('messages:attempts'), value: message.attempts, isHidden: message.attempts === 0 },
        {
          label: t('messages:nextAttempt'),
          value: <DateText value={message.nextAttemptAt} as="dateTime" />,
          isHidden: !message.nextAttemptAt || message.sentAt !== null,
        },
        { label: t('messages:failure'), value: message.failureReason, isHidden: !message.failureReason },
        {
          label: t('messages:resendOf'),
          value: message.resendOfGuid ? (
            <RecordLink noun="Messages" guid={message.resendOfGuid} className="link">
              {t('messages:firstMessage')}
            </RecordLink>
          ) : null,
          isHidden: !message.resendOfGuid,
        },
      ]}
    />
  )
}
