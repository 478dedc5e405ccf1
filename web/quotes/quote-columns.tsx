import { maySeeCosts } from '../../contract/lines.ts'
import type { quotesApi } from '../../contract/quotes.ts'
import { useCan } from '../core/api/can.ts'
import type { ItemOf } from '../core/api/types.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { Money } from '../core/ui/money.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import type { Column } from '../core/ui/table/types.ts'
import { MarginText } from '../lines/margin-text.tsx'
import { quoteName } from './quote-name.ts'
import { tagColumn } from '../record/tag-column.tsx'

type Item = ItemOf<typeof quotesApi.list>

export function useQuoteColumns(): Column<Item>[] {
  const t = useT('quotes', 'common')
  const mayCosts = useCan(maySeeCosts)
  return [
    {
      id: 'number',
      header: t('quotes:number'),
      sort: true,
      card: 'title',
      cell: (q) => quoteName(q, t('quotes:draftNumber')),
    },
    {
      id: 'revision',
      header: t('quotes:revision'),
      isHidden: true,
      cell: (q) => (q.revision ? `R${q.revision}` : null),
    },
    { id: 'title', header: t('quotes:name'), sort: true, grow: 2, cell: (q) => q.title },
    { id: 'customer', header: t('quotes:customer'), grow: 1.5, cell: (q) => q.customerName },
    { id: 'jobType', header: t('common:jobType'), isHidden: true, cell: (q) => q.jobTypeName },
    {
      id: 'status',
      header: t('quotes:statusLabel'),
      card: 'side',
      cell: (q) => <StatusChip status={q.displayStatus} ns="quotes" />,
    },
    {
      id: 'openAsks',
      header: t('quotes:requests'),
      align: 'end',
      isSpare: true,
      cell: (q) => q.openAsks || null,
    },
    { id: 'owner', header: t('quotes:owner'), isHidden: true, cell: (q) => q.ownerName },
    {
      id: 'lostReason',
      header: t('quotes:lostReason'),
      isHidden: true,
      cell: (q) => (q.lostReason ? phraseOr(`quotes:reasons.${q.lostReason}`, q.lostReason) : null),
    },
    {
      id: 'createdAt',
      header: t('quotes:created'),
      sort: true,
      isSpare: true,
      cell: (q) => <DateText value={q.createdAt} />,
    },
    tagColumn(t),
    ...(mayCosts
      ? [
          {
            id: 'marginBp',
            header: t('common:margin.title'),
            sort: true as const,
            align: 'end' as const,
            isHidden: true,
            card: 'none' as const,
            cell: (q: Item) =>
              q.marginBp === null ? (
                <span className="muted">–</span>
              ) : (
                <MarginText margin={{ bp: q.marginBp }} isBare />
              ),
          },
        ]
      : []),
    { id: 'validUntil', header: t('quotes:validUntil'), sort: true, cell: (q) => <DateText value={q.validUntil} /> },
    {
      id: 'sentAt',
      header: t('quotes:sentAt'),
      sort: true,
      isHidden: true,
      cell: (q) => <DateText value={q.sentAt} />,
    },
    {
      id: 'totalCents',
      header: t('quotes:total'),
      sort: true,
      align: 'end',
      card: 'side',
      cell: (q) => <Money cents={q.totalCents} />,
    },
  ]
}
