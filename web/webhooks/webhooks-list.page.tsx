import { useState } from 'react'
import { type Webhook, webhooksApi } from '../../contract/webhooks.ts'
import { useCan } from '../core/api/can.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { readListAhead } from '../core/ui/table/list-state.ts'
import { toast } from '../core/ui/toast.tsx'
import { whenOpen } from '../core/ui/when-open.tsx'
import { DeliveryChip } from './delivery-list.tsx'
import './webhooks.css'

const WebhookSheet = whenOpen(() => import('./webhook-sheet.tsx').then((module) => module.WebhookSheet))
const AddWebhook = whenOpen(() => import('./webhook-dialog.tsx').then((module) => module.AddWebhook))
const EditWebhook = whenOpen(() => import('./webhook-dialog.tsx').then((module) => module.EditWebhook))
const SecretDialog = whenOpen(() => import('./secret-dialog.tsx').then((module) => module.SecretDialog))
const list = { op: webhooksApi.list, defaultSort: 'name', defaultSize: 25 }

/** Addresses of other programs that actions send events to. */
export function Page() {
  const t = useT('webhooks', 'common')
  const mayCreate = useCan(webhooksApi.create)
  const [opened, setOpened] = useState<Webhook | null>(null)
  const [isAdding, setAdding] = useState(false)
  const [edited, setEdited] = useState<Webhook | null>(null)
  const [shown, setShown] = useState<{ webhook: Webhook; secret: string } | null>(null)
  const add = mayCreate ? (
    <ActionButton icon="create" onClick={() => setAdding(true)}>
      {t('webhooks:add')}
    </ActionButton>
  ) : null
  return (
    <>
      <PageHeader title={t('webhooks:title')} subtitle={t('webhooks:subtitle')} actions={add} />
      <DataTable
        {...list}
        hasSearch={false}
        label={t('webhooks:title')}
        rowLabel={(one) => one.name}
        columns={[
          {
            id: 'name',
            header: t('webhooks:name'),
            sort: true,
            card: 'title',
            cell: (one) => (
              <button type="button" className="link" onClick={() => setOpened(one)}>
                <bdi>{one.name}</bdi>
              </button>
            ),
          },
          {
            id: 'url',
            header: t('webhooks:url'),
            grow: 1,
            cell: (one) => <bdi dir="ltr">{one.url}</bdi>,
          },
          { id: 'status', header: t('webhooks:state'), card: 'side', cell: (one) => <State webhook={one} /> },
          { id: 'lastDelivery', header: t('webhooks:last'), cell: (one) => <Last webhook={one} /> },
        ]}
        filters={[
          {
            type: 'one',
            field: 'archived',
            label: t('webhooks:archivedFilter'),
            options: [{ value: 'true', label: t('webhooks:archivedOnly') }],
          },
        ]}
        bulk={[
          {
            key: 'archive',
            op: webhooksApi.bulk,
            label: t('webhooks:archive'),
            icon: 'archive',
            said: (count) => t('webhooks:bulkArchived', { count }),
            undo: 'restore',
          },
        ]}
        empty={{ title: t('webhooks:empty.title'), text: t('webhooks:empty.text'), action: add }}
      />
      {opened ? (
        <WebhookSheet webhook={opened} onEdit={setEdited} onSecret={setShown} onClose={() => setOpened(null)} />
      ) : null}
      {isAdding ? (
        <AddWebhook
          onMade={(made) => {
            toast.success(t('webhooks:made', { name: made.webhook.name }))
            setShown(made)
          }}
          onClose={() => setAdding(false)}
        />
      ) : null}
      {edited ? <EditWebhook webhook={edited} onClose={() => setEdited(null)} /> : null}
      {shown ? <SecretDialog name={shown.webhook.name} secret={shown.secret} onClose={() => setShown(null)} /> : null}
    </>
  )
}

function State({ webhook: { status, archivedAt } }: { webhook: Webhook }) {
  const t = useT('webhooks')
  if (archivedAt) return <StatusChip status="archived" />
  const tone = status === 'active' ? 'success' : 'warning'
  return <StatusChip status={status} tone={tone} label={t(`webhooks:states.${status}`)} />
}

function Last({ webhook: { lastDelivery } }: { webhook: Webhook }) {
  const t = useT('webhooks')
  if (!lastDelivery) return <span className="muted">{t('webhooks:never')}</span>
  return (
    <span className="row webhook-last">
      <DeliveryChip state={lastDelivery.state} />
      <DateText value={lastDelivery.triedAt ?? lastDelivery.createdAt} as="relative" />
    </span>
  )
}

Page.beginReads = ((may, search) => readListAhead(may, list, search)) satisfies BeginReads
