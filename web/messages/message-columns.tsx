import { nounNamed } from '../../contract/nouns.ts'
import type { messagesApi } from '../../contract/messages.ts'
import type { ItemOf } from '../core/api/types.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
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

export function useMessageColumns(): Column<Item>[] {
  const t = useT('messages')
  return [
    { id: 'subject', header: t('messages:subject'), sort: true, grow: 2, card: 'title', cell: (m) => m.subject },
    { id: 'to', header: t('messages:to'), grow: 1.5, cell: (m) => m.to },
    {
      id: 'customer',
      header: t('messages:customer'),
      grow: 1.2,
      isSpare: true,
      card: 'none',
      cell: (m) => m.customerName,
    },
    { id: 'about', header: t('messages:about'), card: 'none', cell: (m) => <About message={m} /> },
    {
      id: 'status',
      header: t('messages:statusLabel'),
      card: 'side',
      cell: (m) => <StatusChip status={m.status} ns="messages" />,
    },
    {
      id: 'createdAt',
      header: t('messages:created'),
      sort: true,
      cell: (m) => <DateText value={m.createdAt} as="dateTime" />,
    },
    {
      id: 'sentAt',
      header: t('messages:sentAt'),
      sort: true,
      isHidden: true,
      card: 'none',
      cell: (m) => <DateText value={m.sentAt} as="dateTime" />,
    },
    { id: 'failureReason', header: t('messages:failure'), isHidden: true, card: 'none', cell: (m) => m.failureReason },
  ]
}
