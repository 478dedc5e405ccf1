import type { ServiceOrder } from '../../contract/service.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import type { Format } from '../core/i18n/format.ts'

const steps = ['confirmed', 'in_progress', 'completed'] as const
/** How many steps are behind the order, by its status. */
const stepsDone: Record<string, number> = { confirmed: 1, in_progress: 1, on_hold: 1, completed: 3, closed: 3 }
const underWay = ['in_progress', 'on_hold']

/** How far the work has come: done, now, still to come. */
export function OrderSteps({ order, f }: { order: ServiceOrder; f: Format }) {
  const t = useT('service')
  if (order.status === 'cancelled') return null
  const done = stepsDone[order.status] ?? 0
  const isUnderWay = underWay.includes(order.status)
  const whenWorked = () => {
    if (order.status === 'on_hold') return t('service:order.onHold')
    if (order.scheduledOn) return t('service:order.scheduledFor', { date: f.date(order.scheduledOn) })
    return isUnderWay || done === 3 ? null : t('service:order.notScheduled')
  }
  const detail: Record<(typeof steps)[number], string | null> = {
    confirmed: done > 0 ? f.date(order.createdAt) : t('service:order.awaiting'),
    in_progress: whenWorked(),
    completed: order.completedAt ? f.date(order.completedAt) : null,
  }
  return (
    <ol className="card order-steps" aria-label={t('service:order.progress')}>
      {steps.map((step, i) => {
        const isDone = i < done
        const isNow = isUnderWay ? i === 1 : done === 0 && i === 0
        const isCurrent = isNow || (!isUnderWay && done > 0 && i === done - 1)
        return (
          <li
            key={step}
            data-state={isDone ? 'done' : isNow ? 'now' : 'next'}
            {...(isCurrent ? { 'aria-current': 'step' as const } : {})}
          >
            <span className="order-step-mark">{isDone ? <Icon name="check" size={18} /> : i + 1}</span>
            <span className="order-step-text">
              <span className="strong">{t(`service:order.steps.${step}`)}</span>
              {isDone ? <span className="visually-hidden">{t('service:order.stepDone')}</span> : null}
              {detail[step] ? <span className="muted small">{detail[step]}</span> : null}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
