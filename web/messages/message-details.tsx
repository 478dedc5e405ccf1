import type { Message, RecipientState } from '../../contract/messages.ts'
import { nounNamed } from '../../contract/nouns.ts'
import { useT } from '../core/i18n/i18n.ts'
import { breakingAt } from '../core/ui/breaking-at.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { Card } from '../core/ui/card.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { StatusChip, type Tone } from '../core/ui/status-chip.tsx'
import { Reach } from '../record/record-facts.tsx'
import { RecordLink } from '../record/record-link.tsx'
import { ownerText, Standing } from './message-columns.tsx'
import { addressIn, nameIn } from './senders.ts'
import { useWallText } from './use-said.ts'

const Addressed = ({ to }: { to: readonly string[] }) =>
  to.map((address) => (
    <div key={address}>
      <Reach address={address} />
    </div>
  ))

/** A name, and the address on a line of its own. */
function Sender({ from }: { from: string }) {
  const name = nameIn(from)
  const address = addressIn(from)
  if (!name || !address) return from
  return (
    <>
      {name}
      <br />
      <Reach address={address} />
    </>
  )
}

/** Who got it, when, and how the sending went. */
export function MessageFacts({ message }: { message: Message }) {
  const t = useT('messages', 'compose', 'mails')
  const wallText = useWallText()
  const isIn = message.direction === 'in'
  const noun = message.ownerType && nounNamed(message.ownerType)
  return (
    <KeyValueList
      items={[
        { label: t('messages:statusLabel'), value: <Standing message={message} /> },
        { label: t('messages:to'), value: <Addressed to={message.to} />, isHidden: message.to.length === 0 },
        { label: t('messages:from'), value: <Sender from={message.from} /> },
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
                {message.ownerNumber ?? ownerText(message.ownerType)}
              </RecordLink>
            ) : null,
          isHidden: !noun,
        },
        {
          label: t('messages:template'),
          value: message.template ? t(`mails:kinds.${message.template}`) : null,
          isHidden: !message.template,
        },
        {
          label: t('compose:offer.label'),
          value: t('compose:offer.hint'),
          isHidden: message.category !== 'commercial' || message.direction !== 'out',
        },
        {
          label: t(isIn ? 'messages:received' : 'messages:created'),
          value: <DateText value={message.createdAt} as="dateTime" />,
        },
        {
          label: t('messages:createdBy'),
          value: message.createdBy ?? t('messages:bySystem'),
          isHidden: isIn,
        },
        {
          label: t('compose:message.scheduledFor'),
          value: message.scheduledFor ? `${wallText(message.scheduledFor)} (${message.timeZone ?? ''})` : null,
          isHidden: !message.scheduledFor || message.status !== 'scheduled',
        },
        {
          label: t('messages:sentAt'),
          value: <DateText value={message.sentAt} as="dateTime" />,
          isHidden: !message.sentAt,
        },
        {
          label: t('compose:message.opened'),
          value: <DateText value={message.openedAt} as="dateTime" />,
          isHidden: !message.openedAt,
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

const tones: Readonly<Record<RecipientState, Tone>> = {
  waiting: 'neutral',
  sent: 'info',
  refused: 'error',
  suppressed: 'warning',
  delivered: 'success',
  bounced: 'error',
}

/** Everybody a message went to, and what became of it there. */
export function MessageRecipients({ message: { recipients, status } }: { message: Message }) {
  const t = useT('compose', 'inbound')
  if (recipients.length === 0) return null
  return (
    <Card title={t('compose:message.recipients')}>
      <ul className="rail-list">
        {recipients.map(({ address, as, state, at, reason }) => (
          <li key={address}>
            <span className="message-address">
              {breakingAt(address)}
              {as === 'to' ? null : <span className="muted small"> · {t(`compose:${as}`)}</span>}
              {reason ? (
                <span className="muted small">
                  {reason === 'bounced' || reason === 'unsubscribed'
                    ? t(`inbound:suppressed.reasons.${reason}`)
                    : reason}
                </span>
              ) : null}
            </span>
            <span className="rail-end">
              {/* Nobody waits for what was cancelled. */}
              {state === 'waiting' && status === 'cancelled' ? null : (
                <StatusChip status={state} tone={tones[state]} label={t(`compose:message.states.${state}`)} />
              )}
              {at ? (
                <span className="muted small">
                  <DateText value={at} as="relative" />
                </span>
              ) : null}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
