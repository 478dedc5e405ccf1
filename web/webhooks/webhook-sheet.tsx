import { Alert, Button } from '@mantine/core'
import { useState } from 'react'
import { type Webhook, webhooksApi } from '../../contract/webhooks.ts'
import { useMay } from '../core/api/can.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ConfirmDialog } from '../core/ui/confirm-dialog.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { PeekSheet } from '../core/ui/peek-sheet.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import { DeliveryList } from './delivery-list.tsx'

interface WebhookSheetProps {
  /** As the list has it; what was done since is read anew. */
  webhook: Webhook
  onEdit: (webhook: Webhook) => void
  onSecret: (changed: { webhook: Webhook; secret: string }) => void
  onClose: () => void
}

/** One webhook: where it leads, whether it is sent to, and what became of each event. */
export function WebhookSheet({ webhook: first, onClose, ...deeds }: WebhookSheetProps) {
  const t = useT('webhooks', 'common')
  const read = useRead(webhooksApi.get, { guid: first.guid })
  const webhook = read.data?.webhook ?? first
  const { status, pausedReason, archivedAt } = webhook
  const why = archivedAt
    ? t('webhooks:isArchived')
    : status === 'paused'
      ? t(`webhooks:why.${pausedReason ?? 'person'}`)
      : null
  return (
    <PeekSheet isOpen onClose={onClose} title={webhook.name} size="xl" actions={<Deeds webhook={webhook} {...deeds} />}>
      <Loaded of={read}>
        {() => (
          <>
            {why === null ? null : (
              <Alert color="yellow" variant="light">
                {why}
              </Alert>
            )}
            <KeyValueList
              items={[
                {
                  label: t('webhooks:url'),
                  value: (
                    <bdi className="webhook-url" dir="ltr">
                      {webhook.url}
                    </bdi>
                  ),
                },
              ]}
            />
            <h3 className="no-margin">{t('webhooks:deliveries.title')}</h3>
            <DeliveryList guid={webhook.guid} isResting={why !== null} />
          </>
        )}
      </Loaded>
    </PeekSheet>
  )
}

function Deeds({ webhook, onEdit, onSecret }: Pick<WebhookSheetProps, 'webhook' | 'onEdit' | 'onSecret'>) {
  const t = useT('webhooks')
  const [asking, setAsking] = useState<'secret' | 'archive' | null>(null)
  const secret = useWrite(webhooksApi.secret)
  const remove = useWrite(webhooksApi.remove)
  const { guid, name } = webhook
  return (
    <>
      {webhook.archivedAt ? (
        <Restore webhook={webhook} />
      ) : (
        <Buttons webhook={webhook} onEdit={() => onEdit(webhook)} onAsk={setAsking} />
      )}
      <ConfirmDialog
        isOpen={asking === 'secret'}
        onClose={() => setAsking(null)}
        title={t('webhooks:secret.ask', { name })}
        confirmLabel={t('webhooks:secret.change')}
        onConfirm={async () => onSecret(await secret.mutateAsync({ guid }))}
      >
        <p className="no-margin">{t('webhooks:secret.askText')}</p>
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={asking === 'archive'}
        onClose={() => setAsking(null)}
        title={t('webhooks:archiveTitle', { name })}
        confirmLabel={t('webhooks:archive')}
        onConfirm={async () => {
          await remove.mutateAsync({ guid })
          toast.success(t('webhooks:archived', { name }))
        }}
      >
        <p className="no-margin">{t('webhooks:archiveText')}</p>
      </ConfirmDialog>
    </>
  )
}

function Restore({ webhook: { guid, name } }: { webhook: Webhook }) {
  const t = useT('webhooks')
  const may = useMay()
  const text = useErrorText()
  const restore = useWrite(webhooksApi.restore, {
    onError: (error) => toast.error(text(error)),
    onSuccess: () => toast.success(t('webhooks:restored', { name })),
  })
  return may(webhooksApi.restore) ? (
    <Button loading={restore.isPending} onClick={() => restore.mutate({ guid })}>
      {t('webhooks:restore')}
    </Button>
  ) : null
}

interface ButtonsProps {
  webhook: Webhook
  onEdit: () => void
  onAsk: (what: 'secret' | 'archive') => void
}

function Buttons({ webhook, onEdit, onAsk }: ButtonsProps) {
  const t = useT('webhooks')
  const may = useMay()
  const text = useErrorText()
  const onError = (error: unknown) => toast.error(text(error))
  const { guid, version, name, status, pausedReason } = webhook
  const test = useWrite(webhooksApi.test, {
    onError,
    onSuccess: ({ delivery }) =>
      delivery.state === 'delivered' ? toast.success(t('webhooks:tested')) : toast.error(t('webhooks:testFailed')),
  })
  const update = useWrite(webhooksApi.update, { onError })
  const isPaused = status === 'paused'
  const isHeld = pausedReason === 'restored'
  const move = () =>
    update.mutate(
      { guid, version, status: isPaused ? 'active' : 'paused' },
      { onSuccess: () => toast.success(t(isPaused ? 'webhooks:resumed' : 'webhooks:paused', { name })) },
    )
  return (
    <>
      {may(webhooksApi.test) ? (
        <Button loading={test.isPending} disabled={isHeld} onClick={() => test.mutate({ guid })}>
          {t('webhooks:test')}
        </Button>
      ) : null}
      {may(webhooksApi.update) ? (
        <>
          {isHeld ? null : (
            <Button variant="default" loading={update.isPending} onClick={move}>
              {t(isPaused ? 'webhooks:resume' : 'webhooks:pause')}
            </Button>
          )}
          <Button variant="default" onClick={onEdit}>
            {t('webhooks:editShort')}
          </Button>
          <Button variant="default" onClick={() => onAsk('secret')}>
            {t('webhooks:secret.change')}
          </Button>
        </>
      ) : null}
      {may(webhooksApi.remove) ? (
        <Button variant="default" onClick={() => onAsk('archive')}>
          {t('webhooks:archive')}
        </Button>
      ) : null}
    </>
  )
}
