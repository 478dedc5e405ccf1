import type { invoicesApi } from '../../contract/invoices.ts'
import type { ItemOf } from '../core/api/types.ts'
import { useFormat } from '../core/i18n/format.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { Money } from '../core/ui/money.tsx'
import type { Column } from '../core/ui/table/types.ts'
import { isNote, kindKey, signedCents } from './invoice-kind.ts'
import { InvoiceStatusCell } from './invoice-status.tsx'
import { Owing } from './owing.tsx'
import { tagColumn } from '../record/tag-column.tsx'

type Item = ItemOf<typeof invoicesApi.list>

/** The day it is due, and for how many days it was. */
function DueDay({ invoice: { kind, dueOn, displayStatus } }: { invoice: Item }) {
  const t = useT('invoices', 'common')
  const { daysSince } = useFormat()
  if (isNote(kind) || !dueOn) return <DateText value={null} />
  const late = displayStatus === 'overdue' ? daysSince(dueOn) : 0
  return (
    <>
      <DateText value={dueOn} />
      {late > 0 ? <span className="cell-sub overdue nowrap">{t('invoices:daysLate', { count: late })}</span> : null}
    </>
  )
}

export function useInvoiceColumns(): Column<Item>[] {
  const t = useT('invoices')
  return [
    {
      id: 'number',
      header: t('invoices:number'),
      sort: true,
      card: 'title',
      cell: (i) => i.number ?? t('invoices:draftNumber'),
    },
    { id: 'title', header: t('invoices:name'), sort: true, grow: 2, cell: (i) => i.title },
    { id: 'customer', header: t('invoices:customer'), grow: 1.5, cell: (i) => i.customerName },
    {
      id: 'kind',
      header: t('invoices:kind'),
      isHidden: true,
      cell: (i) => phraseOr(`invoices:kinds.${kindKey(i)}`, i.kind),
    },
    { id: 'status', header: t('invoices:statusLabel'), card: 'side', cell: (i) => <InvoiceStatusCell invoice={i} /> },
    {
      id: 'issueOn',
      header: t('invoices:issueOn'),
      sort: true,
      isSpare: true,
      cell: (i) => <DateText value={i.issueOn} />,
    },
    { id: 'dueOn', header: t('invoices:dueOn'), sort: true, cell: (i) => <DueDay invoice={i} /> },
    {
      id: 'createdAt',
      header: t('invoices:created'),
      sort: true,
      isHidden: true,
      cell: (i) => <DateText value={i.createdAt} />,
    },
    tagColumn(t),
    {
      id: 'totalCents',
      header: t('invoices:total'),
      sort: true,
      align: 'end',
      cell: (i) => <Money cents={signedCents(i.kind, i.totalCents)} />,
    },
    {
      id: 'balanceCents',
      header: t('invoices:balance'),
      sort: true,
      align: 'end',
      card: 'side',
      cell: (i) => (isNote(i.kind) || i.displayStatus === 'draft' ? <Money cents={null} /> : <Owing invoice={i} />),
    },
  ]
}
