import { weekOf } from '../../contract/core/dates.ts'
import { lostStatuses, waitingStatuses } from '../../contract/message-metrics.ts'
import { messagesApi } from '../../contract/messages.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useCan } from '../core/api/can.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { listAt, type Dashboard } from './dashboard.ts'
import { Figure } from './figure.tsx'

/** Whether mail gets out. */
export function MessagesCard({ messages, today }: Pick<Dashboard, 'messages' | 'today'>) {
  const t = useT('dashboards')
  const f = useFormat()
  const mayList = useCan(messagesApi.list)
  const week = weekOf(today)
  const at = (filters: Record<string, string>) => (mayList ? listAt(pathTo('Messages'), filters) : null)
  return (
    <Card title={t('dashboards:messages.title')}>
      <div className="figures messages-figures">
        <Figure
          label={t('dashboards:messages.sent')}
          value={f.number(messages.sentThisWeek)}
          tone="success"
          to={at({ counted: 'sent', 'countedOn.gte': week.from, 'countedOn.lte': week.to })}
        />
        <Figure
          label={t('dashboards:messages.waiting')}
          value={f.number(messages.waiting)}
          tone="primary"
          to={at({ status: waitingStatuses.join() })}
        />
        <Figure
          label={t('dashboards:messages.failed')}
          value={f.number(messages.failed)}
          tone={messages.failed ? 'error' : 'success'}
          to={at({ status: lostStatuses.join() })}
        />
      </div>
    </Card>
  )
}
