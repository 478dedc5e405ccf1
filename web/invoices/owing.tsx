import type { invoicesApi } from '../../contract/invoices.ts'
import type { ItemOf } from '../core/api/types.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Money } from '../core/ui/money.tsx'

type Owed = Pick<ItemOf<typeof invoicesApi.list>, 'balanceCents' | 'overdueCents'>

/** What an invoice owes, and what of it is overdue where only some of its instalments are. */
export function Owing({ invoice: { balanceCents, overdueCents } }: { invoice: Owed }) {
  const t = useT('invoices')
  const f = useFormat()
  return (
    <>
      <Money cents={balanceCents} />
      {overdueCents > 0 && overdueCents < balanceCents ? (
        <span className="cell-sub overdue nowrap">{t('invoices:overduePart', { amount: f.money(overdueCents) })}</span>
      ) : null}
    </>
  )
}
