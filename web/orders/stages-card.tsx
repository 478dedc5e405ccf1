import { Button } from '@mantine/core'
import { pathTo } from '../../contract/nouns.ts'
import { ordersApi, type Order } from '../../contract/orders.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { Money } from '../core/ui/money.tsx'
import { useGo } from '../core/ui/params.ts'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { toast } from '../core/ui/toast.tsx'
import { RecordLink } from '../record/record-link.tsx'
import './stages-card.css'

type Stage = Order['stages'][number]

/** The stage to invoice next; none once all are. */
const nextStage = ({ stages }: Pick<Order, 'stages'>): Stage | undefined =>
  stages.find(({ state }) => state === 'ready' || state === 'upcoming')

/** The payments of an order in stages: what each comes to, how it stands, and the way to invoice the next. */
export function StagesCard({ order }: { order: Order }) {
  const t = useT('orders')
  const f = useFormat()
  const go = useGo()
  const text = useErrorText()
  const invoice = useWrite(ordersApi.invoice, {
    onSuccess: ({ invoice: made }) => {
      toast.success(t('orders:drafted'))
      return go(pathTo('Invoices', made.guid))
    },
    onError: (error) => toast.error(text(error)),
  })
  const next = nextStage(order)
  return (
    <Card title={t('orders:stages.title')}>
      <ol className="order-stages">
        {order.stages.map((stage, i) => (
          <li key={stage.guid}>
            <div className="row spread">
              <span className="strong">{stage.label}</span>
              <Money cents={stage.cents} />
            </div>
            <div className="row spread">
              <span className="muted small">
                {stage.due.type === 'day' ? f.date(stage.due.on) : t(`orders:stages.dues.${stage.due.type}`)}
              </span>
              <StatusChip status={stage.state} ns="orders" />
            </div>
            {stage.invoice ? (
              <RecordLink noun="Invoices" guid={stage.invoice.guid}>
                {stage.invoice.label}
              </RecordLink>
            ) : null}
            {stage === next ? (
              <Button
                variant={stage.state === 'ready' ? 'filled' : 'light'}
                loading={invoice.isPending}
                onClick={() => invoice.mutate({ guid: order.guid, version: order.version, stageGuid: stage.guid })}
              >
                {t('orders:stages.invoice', { position: f.number(i + 1) })}
              </Button>
            ) : null}
          </li>
        ))}
      </ol>
    </Card>
  )
}
