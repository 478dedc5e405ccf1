import type { ReactNode } from 'react'
import { nounNamed } from '../../contract/nouns.ts'
import type { messagesApi } from '../../contract/messages.ts'
import type { ItemOf } from '../core/api/types.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { breakingAt } from '../core/ui/breaking-at.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import type { Column } from '../core/ui/table/types.ts'
import { RecordLink } from '../record/record-link.tsx'

type Item = ItemOf<typeof messagesApi.list>

export const ownerText = (type: string) => phraseOr(`messages:owners.${type}`, type)

function About({ message }: { message: Item }) {
  if (!message.ownerType) return <span className="muted">–</span>
  const noun = nounNamed(message.ownerType)
  const label = message.ownerNumber ?? ownerText(message.ownerType)
  return noun && message.ownerGuid ? (
    <RecordLink noun={noun} guid={message.ownerGuid}>
      {label}
    </RecordLink>
  ) : (
    label
  )
}

/** Cut where the room ends; words of the other direction inside begin where the column does. */
const Line = ({ whole, children }: { whole: string; children: ReactNode }) => (
  <span className="one-line" title={whole}>
    {children}
  </span>
)

/** Whom it came from, or goes to. */
function Party({ message: { direction, from, to } }: { message: Item }) {
  const t = useT('messages')
  if (direction !== 'in')
    return (
      <Line whole={to}>
        <bdi>{breakingAt(to)}</bdi>
      </Line>
    )
  return (
    <Line whole={from}>
      <span className="muted">{t('messages:from')}</span> <bdi>{breakingAt(from)}</bdi>
    </Line>
  )
}

/** When it came or went, or is going to go. */
function When({ message: { direction, status, createdAt, scheduledAt, sentAt } }: { message: Item }) {
  const t = useT('compose')
  if (status !== 'scheduled') return <DateText value={direction === 'in' ? createdAt : sentAt} as="dateTime" />
  return (
    <>
      <span className="muted">{t('compose:message.scheduledFor')}</span> <DateText value={scheduledAt} as="dateTime" />
    </>
  )
}

/** How a message is, in lists and on its own page alike. */
export function Standing({ message }: { message: Pick<Item, 'status' | 'isUnmatched' | 'isTest'> }) {
  const { status, isUnmatched, isTest } = message
  const t = useT('mailing')
  return (
    <span className="row">
      {isUnmatched ? (
        <StatusChip status="unmatched" tone="warning" label={t('mailing:list.unmatched')} />
      ) : (
        <StatusChip status={status} ns="messages" />
      )}
      {isTest ? <StatusChip status="test" label={t('mailing:list.test')} /> : null}
    </span>
  )
}

export function useMessageColumns(): Column<Item>[] {
  const t = useT('messages', 'mailing', 'compose')
  return [
    {
      id: 'subject',
      header: t('messages:subject'),
      sort: true,
      grow: 2.5,
      card: 'title',
      cell: (m) => m.subject,
    },
    { id: 'to', header: t('mailing:list.party'), grow: 1, cell: (m) => <Party message={m} /> },
    {
      id: 'customer',
      header: t('messages:customer'),
      grow: 1,
      isSpare: true,
      card: 'none',
      cell: (m) => m.customerName,
    },
    { id: 'about', header: t('messages:about'), card: 'none', cell: (m) => <About message={m} /> },
    {
      id: 'status',
      header: t('messages:statusLabel'),
      card: 'side',
      cell: (m) => <Standing message={m} />,
    },
    {
      id: 'openedAt',
      header: t('mailing:list.opened'),
      isSpare: true,
      card: 'none',
      cell: (m) => <DateText value={m.openedAt} as="relative" />,
    },
    {
      id: 'sentAt',
      header: t('messages:sentAt'),
      sort: true,
      cell: (m) => <When message={m} />,
    },
    {
      id: 'scheduledAt',
      header: t('compose:message.scheduledFor'),
      sort: true,
      isHidden: true,
      card: 'none',
      cell: (m) => <DateText value={m.scheduledAt} as="dateTime" />,
    },
    {
      id: 'createdAt',
      header: t('messages:created'),
      sort: true,
      isHidden: true,
      card: 'none',
      cell: (m) => <DateText value={m.createdAt} as="dateTime" />,
    },
    { id: 'failureReason', header: t('messages:failure'), isHidden: true, card: 'none', cell: (m) => m.failureReason },
  ]
}
