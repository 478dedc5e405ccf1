import { messagesApi } from '../../contract/messages.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useCan } from '../core/api/can.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { listAt, type Dashboard } from './dashboard.ts'
import { Figure } from './figure.tsx'

/** Whether mail gets out. */
export function MessagesCard({ messages }: { messages: Dashboard['messages'] }) {
  const t = useT('dashboards')
  const f = useFormat()
  const mayList = useCan(messagesApi.list)
  const at = (status: string) => (mayList ? listAt(pathTo('Messages'), { status }) : null)
  return (
    <Card title={t('dashboards:messages.title')}>
      <div className="figures messages-figures">
        <Figure
          label={t('dashboards:messages.sent')}
          value={f.number(messages.sentThisWeek)}
          tone="success"
          to={at('sent,delivered')}
        />
        <Figure
          label={t('dashboards:messages.waiting')}
          value={f.number(messages.waiting)}
          tone="primary"
          to={at('queued,scheduled,sending,deferred')}
        />
        <Figure
          label={t('dashboards:messages.failed')}
          value={f.number(messages.failed)}
          tone={messages.failed ? 'error' : 'success'}
          to={at('failed,bounced')}
        />
      </div>
    </Card>
  )
}
