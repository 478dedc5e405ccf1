import { ordersApi } from '../../contract/orders.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useMay } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { Money } from '../core/ui/money.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { DocumentLines } from '../lines/document-lines.tsx'
import { TotalsBlock } from '../lines/totals-block.tsx'
import { WorkLines } from '../lines/work-lines.tsx'
import { NextActionButton } from '../record/next-action.tsx'
import { OnSite } from './on-site.tsx'
import { nextOf } from '../record/actions.ts'
import { orderActions } from './order-actions.ts'
import { SubstatusChip } from './substatus-chip.tsx'

/** An order at a glance, without leaving the list. */
export function OrderPeek({ guid }: { guid: string }) {
  const t = useT('orders', 'lines')
  const may = useMay()
  const read = useRead(ordersApi.get, { guid })
  return (
    <Loaded of={read}>
      {({ order }) => (
        <div className="stack">
          <strong>{order.title}</strong>
          <div className="row spread">
            <span className="row">
              <StatusChip status={order.displayStatus} ns="orders" />
              {order.substatus ? <SubstatusChip substatus={order.substatus} /> : null}
            </span>
            <NextActionButton next={nextOf(orderActions(order, t), may)} page={pathTo('Orders', guid)} />
          </div>
          <OnSite order={order} />
          <KeyValueList
            items={[
              { label: t('orders:customer'), value: order.customer.displayName },
              {
                label: t('orders:scheduledOn'),
                value: <DateText value={order.scheduledOn} />,
                isHidden: !order.scheduledOn,
              },
              ...(order.hasAmounts
                ? [
                    { label: t('orders:invoiced'), value: <Money cents={order.money.invoicedCents} /> },
                    { label: t('orders:owing'), value: <Money cents={order.money.owingCents} /> },
                  ]
                : []),
            ]}
          />
          {order.hasAmounts ? (
            <>
              <DocumentLines lines={order.lines} priceMode={order.priceMode} hasAllParts />
              <TotalsBlock totals={order.totals} />
            </>
          ) : (
            <WorkLines lines={order.lines} />
          )}
        </div>
      )}
    </Loaded>
  )
}
