import type { customersApi } from '../../contract/customers.ts'
import { formatAbn } from '../../contract/core/abn.ts'
import type { ItemOf } from '../core/api/types.ts'
import { useT } from '../core/i18n/i18n.ts'
import { tagColumn } from '../record/tag-column.tsx'
import '../record/record.css'
import { DateText } from '../core/ui/date-text.tsx'
import { Money } from '../core/ui/money.tsx'
import { NameCell } from '../core/ui/name-cell.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import type { Column } from '../core/ui/table/types.ts'
import { kindText } from './customer-fields.ts'
import { useSeesOwing } from './sees-owing.ts'

type Item = ItemOf<typeof customersApi.list>

export function useCustomerColumns(): Column<Item>[] {
  const t = useT('customers', 'common')
  const seesOwing = useSeesOwing()
  const columns: Column<Item>[] = [
    {
      id: 'displayName',
      header: t('customers:name'),
      sort: true,
      grow: 2,
      card: 'title',
      cell: (c) => <NameCell name={c.displayName} sub={[kindText(c.kind), c.suburb].filter(Boolean).join(' · ')} />,
    },
    {
      id: 'status',
      header: t('customers:statusLabel'),
      card: 'none',
      cell: (c) => <StatusChip status={c.isOnHold && c.status !== 'blocked' ? 'on_hold' : c.status} ns="customers" />,
    },
    { id: 'email', header: t('customers:email'), grow: 1.5, cell: (c) => c.email ?? <span className="muted">–</span> },
    {
      id: 'phone',
      header: t('customers:phone'),
      cell: (c) => (c.phone ? <bdi className="nowrap">{c.phone}</bdi> : <span className="muted">–</span>),
    },
    {
      id: 'abn',
      header: t('customers:abn'),
      isHidden: true,
      cell: (c) =>
        c.abn ? (
          <bdi dir="ltr" className="nowrap tabular">
            {formatAbn(c.abn)}
          </bdi>
        ) : (
          <span className="muted">–</span>
        ),
    },
    {
      id: 'lastOrderAt',
      header: t('customers:lastOrder'),
      isSpare: true,
      card: 'none',
      cell: (c) => <DateText value={c.lastOrderAt} />,
    },
    {
      id: 'createdAt',
      header: t('customers:created'),
      sort: true,
      isHidden: true,
      cell: (c) => <DateText value={c.createdAt} />,
    },
    tagColumn(t),
    {
      id: 'balanceCents',
      header: t('customers:money.balance'),
      align: 'end',
      card: 'side',
      cell: (c) => (
        <span className="amount-cell">
          <Money cents={c.balanceCents ?? 0} />
          {c.overdueCents ? (
            <span className="cell-sub overdue">
              <Money cents={c.overdueCents} /> {t('customers:overdueNote')}
            </span>
          ) : null}
        </span>
      ),
    },
  ]
  return seesOwing ? columns : columns.filter(({ id }) => id !== 'balanceCents')
}
