import { useState } from 'react'
import type { OrderCost } from '../../contract/order-parts.ts'
import { ordersApi, type Order } from '../../contract/orders.ts'
import { useCan } from '../core/api/can.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { Money } from '../core/ui/money.tsx'
import { whenOpen } from '../core/ui/when-open.tsx'
import './order-parts.css'

const CostDialog = whenOpen(() => import('./cost-dialog.tsx').then((module) => module.CostDialog))

/** What was spent on an order, and what it leaves. */
export function OrderCosts({ order }: { order: Order & { costs: OrderCost[] } }) {
  const t = useT('orders')
  const mayAdd = useCan(ordersApi.addCost)
  const [isOpen, setOpen] = useState(false)
  const { costs, totals, profitCents } = order
  const spent = costs.reduce((sum, { cents }) => sum + cents, 0)
  const netCents = totals.totalCents - totals.gstCents
  return (
    <div className="stack cards">
      {profitCents === null ? null : (
        <Card title={t('orders:costs.profit')}>
          <KeyValueList
            items={[
              { label: t('orders:costs.net'), value: <Money cents={netCents} /> },
              { label: t('orders:costs.ofLines'), value: <Money cents={0 - (netCents - spent - profitCents)} /> },
              { label: t('orders:costs.ofOrder'), value: <Money cents={0 - spent} /> },
              {
                label: t('orders:costs.profit'),
                value: (
                  <strong>
                    <Money cents={profitCents} />
                  </strong>
                ),
              },
            ]}
          />
        </Card>
      )}
      <Card
        title={t('orders:tabs.costs')}
        isFlush
        actions={
          mayAdd && order.archivedAt === null ? (
            <ActionButton variant="light" icon="create" onClick={() => setOpen(true)}>
              {t('orders:costs.add')}
            </ActionButton>
          ) : null
        }
      >
        {costs.length === 0 ? (
          <p className="muted cost-empty">{t('orders:costs.empty')}</p>
        ) : (
          <table className="cost-table">
            <thead>
              <tr>
                <th scope="col">{t('orders:costs.on')}</th>
                <th scope="col">{t('orders:costs.text')}</th>
                <th scope="col" className="end">
                  {t('orders:costs.amount')}
                </th>
              </tr>
            </thead>
            <tbody>
              {costs.map((cost) => (
                <tr key={cost.guid}>
                  <td>
                    <DateText value={cost.on} />
                  </td>
                  <td>
                    <bdi>{cost.text}</bdi>
                    {cost.byName ? <span className="muted small block">{cost.byName}</span> : null}
                  </td>
                  <td className="end">
                    <Money cents={cost.cents} />
                  </td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row" colSpan={2}>
                  {t('orders:total')}
                </th>
                <td className="end">
                  <Money cents={spent} />
                </td>
              </tr>
            </tfoot>
          </table>
        )}
      </Card>
      {isOpen ? <CostDialog guid={order.guid} onClose={() => setOpen(false)} /> : null}
    </div>
  )
}
