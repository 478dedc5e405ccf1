import type { ServiceOrder } from '../../contract/service.ts'
import { servicePath } from '../../contract/places.ts'
import type { Format } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { AppLink } from '../core/ui/link.tsx'
import { Panel } from './parts.tsx'

type Stage = ServiceOrder['stages'][number]

const isToCome = ({ state, invoice }: Stage) => state !== 'paid' && state !== 'included' && !invoice

/** Of those to come the first is next. */
function standing(stage: Stage, stages: readonly Stage[]) {
  const { state, invoice } = stage
  if (state === 'paid' || state === 'included') return state
  if (invoice) return 'dueNow'
  return stage === stages.find(isToCome) ? 'next' : 'later'
}

/** What is paid, what is due now, and what comes next. */
export function OrderStages({ order, f }: { order: ServiceOrder; f: Format }) {
  const t = useT('service')
  if (order.stages.length === 0) return null
  return (
    <Panel title={t('service:stages.title')}>
      <ol className="invoice-list">
        {order.stages.map((stage, i) => (
          <li key={i}>
            <div className="row spread">
              <span className="strong">{stage.label}</span>
              <span className="tabular">{f.money(stage.cents)}</span>
            </div>
            <div className="row spread">
              <span className="muted small">
                {stage.due.type === 'day' ? f.date(stage.due.on) : t(`service:stages.dues.${stage.due.type}`)}
              </span>
              {stage.invoice && standing(stage, order.stages) === 'dueNow' ? (
                <AppLink to={servicePath('invoice', stage.invoice.serviceGuid)} className="link">
                  {t('service:stages.states.dueNow')}
                </AppLink>
              ) : (
                <span className="small">{t(`service:stages.states.${standing(stage, order.stages)}`)}</span>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  )
}
