import { ordersApi } from '../../contract/orders.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { Money } from '../core/ui/money.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { DocumentLines } from '../lines/document-lines.tsx'
import { TotalsBlock } from '../lines/totals-block.tsx'

/** An order at a glance, without leaving the list. */
export function OrderPeek({ guid }: { guid: string }) {
  const t = useT('orders', 'lines')
  const read = useRead(ordersApi.get, { guid })
  return (
    <Loaded of={read}>
      {({ order }) => (
        <div className="stack">
          <div className="row spread">
            <strong>{order.title}</strong>
            <StatusChip status={order.displayStatus} ns="orders" />
          </div>
          <KeyValueList
            items={[
              { label: t('orders:customer'), value: order.customer.displayName },
              { label: t('orders:scheduledOn'), value: <DateText value={order.scheduledOn} />, isHidden: !order.scheduledOn },
              { label: t('orders:invoiced'), value: <Money cents={order.money.invoicedCents} /> },
              { label: t('orders:owing'), value: <Money cents={order.money.owingCents} /> },
            ]}
          />
          <DocumentLines lines={order.lines} priceMode={order.priceMode} />
          <TotalsBlock totals={order.totals} />
        </div>
      )}
    </Loaded>
  )
}
