import { deliveryStates, type WebhookDelivery, webhooksApi } from '../../contract/webhooks.ts'
import { useCan } from '../core/api/can.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { inLanguage } from '../core/i18n/sentences.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { toast } from '../core/ui/toast.tsx'

const tones = { waiting: 'info', delivered: 'success', failed: 'error' } as const

/** What an event is called on its way: its name, and the number of the record. */
const nameOf = ({ event, number }: WebhookDelivery) => (number === null ? event : `${event} ${number}`)

export function DeliveryChip({ state }: Pick<WebhookDelivery, 'state'>) {
  const t = useT('webhooks')
  return <StatusChip status={state} tone={tones[state]} label={t(`webhooks:delivery.${state}`)} />
}

/** What was sent to a webhook, with what its address answered. */
export function DeliveryList({ guid, isResting }: { guid: string; isResting: boolean }) {
  const t = useT('webhooks')
  return (
    <DataTable
      op={webhooksApi.deliveries}
      fixed={{ guid }}
      isEmbedded
      hasSearch={false}
      defaultSort="-createdAt"
      defaultSize={10}
      label={t('webhooks:deliveries.title')}
      rowLabel={nameOf}
      columns={[
        {
          id: 'event',
          header: t('webhooks:deliveries.event'),
          card: 'title',
          cell: (one) => (
            <>
              <bdi className="webhook-event" dir="ltr">
                {one.event}
              </bdi>
              <span className="cell-sub">
                {one.number === null ? null : <bdi className="nowrap">{one.number} · </bdi>}
                <DateText value={one.createdAt} as="dateTime" />
              </span>
            </>
          ),
        },
        {
          id: 'state',
          header: t('webhooks:deliveries.state'),
          card: 'side',
          cell: (one) => (
            <>
              <DeliveryChip state={one.state} />
              {one.attempts > 0 ? (
                <span className="cell-sub">{t('webhooks:deliveries.attempts', { count: one.attempts })}</span>
              ) : null}
            </>
          ),
        },
        { id: 'answer', header: t('webhooks:deliveries.answer'), cell: (one) => <Answer delivery={one} /> },
        {
          id: 'nextAt',
          header: t('webhooks:deliveries.next'),
          cell: (one) => <Next delivery={one} isResting={isResting} />,
        },
      ]}
      filters={[
        {
          type: 'many',
          field: 'state',
          label: t('webhooks:deliveries.state'),
          options: deliveryStates.map((state) => ({
            value: state,
            label: t(`webhooks:delivery.${state}`),
          })),
        },
      ]}
      empty={{ title: t('webhooks:deliveries.empty'), text: t('webhooks:deliveries.emptyText') }}
    />
  )
}

/** What an address answered, as text and nothing else; or why there was no answer, in words of ours. */
function Answer({ delivery: { status, said, attempts } }: { delivery: WebhookDelivery }) {
  const t = useT('webhooks')
  if (attempts === 0 && said === null) return <span className="muted">–</span>
  if (status === null) return <span>{said === null ? t('webhooks:deliveries.none') : inLanguage(said)}</span>
  const heading = t('webhooks:deliveries.status', { status })
  if (said === null) return <span>{heading}</span>
  return (
    <details>
      <summary>{heading}</summary>
      <pre className="webhook-said small" dir="auto">
        {said}
      </pre>
    </details>
  )
}

/** When it is tried again; while its webhook rests nobody knows. */
function Next({ delivery, isResting }: { delivery: WebhookDelivery; isResting: boolean }) {
  const t = useT('webhooks')
  const may = useCan(webhooksApi.retry) && !isResting && delivery.state !== 'delivered'
  if (delivery.state === 'waiting' && isResting) return <span>{t('webhooks:deliveries.resting')}</span>
  if (!delivery.nextAt && !may) return <span className="muted">–</span>
  return (
    <>
      {delivery.nextAt ? <DateText value={delivery.nextAt} as="dateTime" /> : null}
      {may ? <Retry delivery={delivery} /> : null}
    </>
  )
}

function Retry({ delivery }: { delivery: WebhookDelivery }) {
  const t = useT('webhooks')
  const text = useErrorText()
  const retry = useWrite(webhooksApi.retry, {
    onSuccess: () => toast.success(t('webhooks:deliveries.retrying')),
    onError: (error) => toast.error(text(error)),
  })
  return (
    <button
      type="button"
      className="link block"
      aria-label={t('webhooks:deliveries.retryOne', { event: nameOf(delivery) })}
      disabled={retry.isPending}
      onClick={() => retry.mutate({ guid: delivery.guid })}
    >
      {t('webhooks:deliveries.retry')}
    </button>
  )
}
