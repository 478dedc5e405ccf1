import { useState } from 'react'
import type { ShownHire } from '../../contract/hire-runs.ts'
import { ordersApi, type Order } from '../../contract/orders.ts'
import { useCan } from '../core/api/can.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { Money } from '../core/ui/money.tsx'
import { whenOpen } from '../core/ui/when-open.tsx'
import { startable } from './hire-lines.ts'
import './order-parts.css'

const OnHireDialog = whenOpen(() => import('./hire-dialogs.tsx').then((module) => module.OnHireDialog))
const ReturnDialog = whenOpen(() => import('./hire-dialogs.tsx').then((module) => module.ReturnDialog))
const BillDialog = whenOpen(() => import('./hire-bill-dialog.tsx').then((module) => module.HireBillDialog))

const openStatuses = ['confirmed', 'in_progress', 'on_hold', 'completed']

type Open = { kind: 'start'; line: Order['lines'][number] } | { kind: 'back'; hire: ShownHire } | { kind: 'bill' }

/** What an order hires out: since when, what is out, how far it is billed, and what is due. */
export function OrderHire({ order }: { order: Order }) {
  const t = useT('orders')
  const f = useFormat()
  const mayHire = useCan(ordersApi.hire)
  const mayBill = useCan(ordersApi.hireBill)
  const [open, setOpen] = useState<Open | null>(null)
  const isOpen = order.archivedAt === null && openStatuses.includes(order.status)
  const dueCents = order.hire.reduce((sum, one) => sum + one.dueCents, 0)
  const waiting = startable(order)
  const close = () => setOpen(null)
  return (
    <div className="stack cards">
      {order.hire.map((one) => (
        <Card
          key={one.lineGuid}
          title={one.name}
          actions={
            mayHire && isOpen && one.off === null ? (
              <ActionButton variant="light" icon="undo" onClick={() => setOpen({ kind: 'back', hire: one })}>
                {t('orders:hire.back')}
              </ActionButton>
            ) : null
          }
        >
          <KeyValueList
            items={[
              {
                label: t('orders:hire.out'),
                value: t('orders:hire.outOf', { out: f.quantity(one.unitsOut), units: f.quantity(one.units) }),
              },
              { label: t('orders:hire.on'), value: <DateText value={one.on} /> },
              { label: t('orders:hire.off'), value: one.off ? <DateText value={one.off} /> : t('orders:hire.still') },
              ...(one.minimumDays > 1
                ? [{ label: t('orders:hire.minimum'), value: t('orders:hire.days', { count: one.minimumDays }) }]
                : []),
              { label: t('orders:hire.every'), value: t(`orders:hire.rhythms.${one.every}`) },
              {
                label: t('orders:hire.billedTo'),
                value: one.billedTo ? (
                  <>
                    <DateText value={one.billedTo} />
                    {one.unbilled.map(({ from, to }) => (
                      <span key={from} className="block small muted">
                        {t('orders:hire.without', { from: f.date(from), to: f.date(to) })}
                      </span>
                    ))}
                  </>
                ) : (
                  t('orders:hire.notYet')
                ),
              },
              { label: t('orders:hire.billed'), value: <Money cents={one.billedCents} /> },
              {
                label: t('orders:hire.due'),
                value: (
                  <strong>
                    <Money cents={one.dueCents} />
                  </strong>
                ),
              },
            ]}
          />
          {one.returns.length > 0 ? (
            <ul className="people-list" aria-label={t('orders:hire.returns')}>
              {one.returns.map(({ offOn, units }, i) => (
                <li key={`${offOn}:${i}`}>
                  <span>{t('orders:hire.cameBack', { units: f.quantity(units) })}</span>
                  <DateText value={offOn} />
                </li>
              ))}
            </ul>
          ) : null}
        </Card>
      ))}
      {waiting.map((line) => (
        <Card
          key={line.guid}
          title={line.name}
          actions={
            mayHire && isOpen ? (
              <ActionButton variant="light" icon="create" onClick={() => setOpen({ kind: 'start', line })}>
                {t('orders:hire.start')}
              </ActionButton>
            ) : null
          }
        >
          <p className="muted no-margin">{t('orders:hire.notOut', { units: f.quantity(line.quantity) })}</p>
        </Card>
      ))}
      {mayBill && order.hire.length > 0 && order.archivedAt === null && order.status !== 'cancelled' ? (
        <div className="row spread">
          <span className="muted">{t('orders:hire.beforeGst')}</span>
          <ActionButton
            variant={dueCents > 0 ? 'filled' : 'light'}
            icon="invoice"
            onClick={() => setOpen({ kind: 'bill' })}
          >
            {t('orders:hire.bill')}
          </ActionButton>
        </div>
      ) : null}
      {open?.kind === 'start' ? <OnHireDialog order={order} line={open.line} onClose={close} /> : null}
      {open?.kind === 'back' ? <ReturnDialog order={order} hire={open.hire} onClose={close} /> : null}
      {open?.kind === 'bill' ? <BillDialog order={order} onClose={close} /> : null}
    </div>
  )
}
