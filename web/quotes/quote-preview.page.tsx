import { Menu } from '@mantine/core'
import { useState } from 'react'
import { quotesApi, type Quote } from '../../contract/quotes.ts'
import { useMay } from '../core/api/can.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { ConfirmDialog } from '../core/ui/confirm-dialog.tsx'
import { DownloadButton } from '../core/ui/download-button.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGo, useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { toast } from '../core/ui/toast.tsx'
import { SendDialog } from '../messages/send-dialog.tsx'
import { RecordTimeline } from '../timeline/record-timeline.tsx'
import { refusals } from './quote-actions.ts'
import { AcceptDialog, DeclineDialog } from './quote-dialogs.tsx'
import { QuoteDocument } from './quote-document.tsx'
import { QuoteRail } from './quote-rail.tsx'

type Dialog = 'send' | 'accept' | 'decline' | 'cancel' | 'link' | null

export function Page() {
  const guid = useGuid()
  const read = useRead(quotesApi.get, { guid })
  return <Loaded of={read}>{({ quote }) => <Preview quote={quote} />}</Loaded>
}

function Preview({ quote }: { quote: Quote }) {
  const t = useT('quotes')
  const go = useGo()
  const may = useMay()
  const text = useErrorText()
  const [dialog, setDialog] = useState<Dialog>(null)
  const why = refusals(quote)
  const { guid, version } = quote
  const failed = { onError: (error: unknown) => toast.error(text(error)) }
  const send = useWrite(quotesApi.send, { stale: ['messages', 'dashboards'] })
  const cancel = useWrite(quotesApi.cancel)
  const reissue = useWrite(quotesApi.reissueLink)
  const revise = useWrite(quotesApi.revise, { ...failed, onSuccess: ({ quote: made }) => go(`/apps/quotes/edit/${made.guid}`) })
  const duplicate = useWrite(quotesApi.duplicate, { ...failed, onSuccess: ({ quote: made }) => go(`/apps/quotes/edit/${made.guid}`) })
  const convert = useWrite(quotesApi.convert, { ...failed, stale: ['orders', 'invoices'], onSuccess: ({ order }) => go(`/apps/orders/preview/${order.guid}`) })
  const restore = useWrite(quotesApi.restore, { ...failed, onSuccess: () => toast.success(t('quotes:restored')) })
  const archive = useWrite(quotesApi.remove, { ...failed, onSuccess: () => toast.success(t('quotes:archived')) })
  const reason = (key: (typeof why)[keyof typeof why]) => (key ? t(key) : null)
  const name = quote.number ?? t('quotes:preview.draftTitle')

  return (
    <>
      <PageHeader
        title={name}
        subtitle={quote.title}
        badge={<StatusChip status={quote.displayStatus} ns="quotes" />}
        crumbs={[{ to: '/apps/quotes/list', label: t('quotes:list.title') }]}
        actions={
          <>
            <DownloadButton op={quotesApi.pdf} input={{ guid }}>
              {t('quotes:pdf')}
            </DownloadButton>
            {quote.status === 'draft' && may(quotesApi.update) ? (
              <ActionButton variant="default" icon="edit" onClick={() => void go(`/apps/quotes/edit/${guid}`)}>
                {t('quotes:editAction')}
              </ActionButton>
            ) : null}
            <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
              <Menu.Target>
                <span>
                  <ActionButton variant="default" icon="more">
                    {t('quotes:more')}
                  </ActionButton>
                </span>
              </Menu.Target>
              <Menu.Dropdown>
                {may(quotesApi.create) ? <Menu.Item onClick={() => duplicate.mutate({ guid })}>{t('quotes:duplicate')}</Menu.Item> : null}
                {may(quotesApi.revise) ? (
                  <Menu.Item disabled={Boolean(why.revise)} title={reason(why.revise) ?? ''} onClick={() => revise.mutate({ guid, version })}>
                    {t('quotes:revise')}
                  </Menu.Item>
                ) : null}
                {may(quotesApi.decline) ? (
                  <Menu.Item disabled={Boolean(why.decline)} title={reason(why.decline) ?? ''} onClick={() => setDialog('decline')}>
                    {t('quotes:decline')}
                  </Menu.Item>
                ) : null}
                {may(quotesApi.reissueLink) && quote.serviceGuid ? <Menu.Item onClick={() => setDialog('link')}>{t('quotes:newLink')}</Menu.Item> : null}
                {may(quotesApi.cancel) ? (
                  <Menu.Item disabled={Boolean(why.cancel)} title={reason(why.cancel) ?? ''} color="red" onClick={() => setDialog('cancel')}>
                    {t('quotes:cancel')}
                  </Menu.Item>
                ) : null}
                {may(quotesApi.remove) ? quote.archivedAt ? <Menu.Item onClick={() => restore.mutate({ guid })}>{t('quotes:restore')}</Menu.Item> : <Menu.Item onClick={() => archive.mutate({ guid })}>{t('quotes:archive')}</Menu.Item> : null}
              </Menu.Dropdown>
            </Menu>
            {quote.status === 'draft' && may(quotesApi.send) ? (
              <ActionButton icon="send" disabledReason={reason(why.send)} onClick={() => setDialog('send')}>
                {t('quotes:send')}
              </ActionButton>
            ) : quote.status === 'accepted' && may(quotesApi.convert) ? (
              <ActionButton icon="order" loading={convert.isPending} onClick={() => convert.mutate({ guid, version })}>
                {t('quotes:convert')}
              </ActionButton>
            ) : quote.status !== 'converted' && may(quotesApi.accept) ? (
              <ActionButton icon="check" disabledReason={reason(why.accept)} onClick={() => setDialog('accept')}>
                {t('quotes:accept')}
              </ActionButton>
            ) : null}
          </>
        }
      />
      <div className="with-rail">
        <div className="stack" style={{ '--gap': '1.5rem' } as React.CSSProperties}>
          <QuoteDocument quote={quote} />
          <RecordTimeline op={quotesApi.timeline} guid={guid} />
        </div>
        <QuoteRail quote={quote} />
      </div>
      {dialog === 'send' ? (
        <SendDialog
          ownerType="quote"
          guid={guid}
          title={t('quotes:send')}
          confirmLabel={t('quotes:send')}
          onClose={() => setDialog(null)}
          onSend={async (message) => {
            await send.mutateAsync({ guid, version, ...message })
            toast.success(t('quotes:sent'))
          }}
        />
      ) : null}
      {dialog === 'accept' ? <AcceptDialog quote={quote} onClose={() => setDialog(null)} /> : null}
      {dialog === 'decline' ? <DeclineDialog quote={quote} onClose={() => setDialog(null)} /> : null}
      <ConfirmDialog
        isOpen={dialog === 'cancel'}
        onClose={() => setDialog(null)}
        title={t('quotes:cancel')}
        confirmLabel={t('quotes:cancel')}
        isDangerous
        reasonLabel={t('quotes:cancelReason')}
        onConfirm={async (why) => {
          await cancel.mutateAsync({ guid, version, reason: why })
          toast.success(t('quotes:cancelled'))
        }}
      />
      <ConfirmDialog
        isOpen={dialog === 'link'}
        onClose={() => setDialog(null)}
        title={t('quotes:newLink')}
        confirmLabel={t('quotes:newLink')}
        onConfirm={async () => {
          await reissue.mutateAsync({ guid, version })
          toast.success(t('quotes:newLinkDone'))
        }}
      >
        {t('quotes:newLinkText')}
      </ConfirmDialog>
    </>
  )
}
