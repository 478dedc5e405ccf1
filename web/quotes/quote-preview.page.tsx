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
import { toast, toastWithAction } from '../core/ui/toast.tsx'
import { SendDialog } from '../messages/send-dialog.tsx'
import { MoreMenu } from '../record/more-menu.tsx'
import { RecordTimeline } from '../timeline/record-timeline.tsx'
import { refusals } from './quote-actions.ts'
import { AcceptDialog, DeclineDialog } from './quote-dialogs.tsx'
import { QuoteDocument } from './quote-document.tsx'
import { QuoteRail } from './quote-aside.tsx'
import { quoteName } from './quote-name.ts'

type Dialog = 'send' | 'accept' | 'decline' | 'cancel' | 'link' | null

export function Page() {
  const guid = useGuid()
  const read = useRead(quotesApi.get, { guid })
  return <Loaded of={read}>{({ quote }) => <Preview quote={quote} />}</Loaded>
}

function Preview({ quote }: { quote: Quote }) {
  const t = useT('quotes', 'record', 'common')
  const go = useGo()
  const may = useMay()
  const text = useErrorText()
  const [dialog, setDialog] = useState<Dialog>(null)
  const why = refusals(quote)
  const { guid, version } = quote
  const failed = { onError: (error: unknown) => toast.error(text(error)) }
  const send = useWrite(quotesApi.send)
  const cancel = useWrite(quotesApi.cancel)
  const reissue = useWrite(quotesApi.reissueLink)
  const opened =
    (said: string) =>
    ({ quote: made }: { quote: Quote }) => {
      toast.success(said)
      return go(`/apps/quotes/edit/${made.guid}`)
    }
  const revise = useWrite(quotesApi.revise, {
    ...failed,
    onSuccess: opened(t('quotes:revised', { name: quoteName(quote, quote.title) })),
  })
  const duplicate = useWrite(quotesApi.duplicate, {
    ...failed,
    onSuccess: opened(t('quotes:duplicated', { name: quoteName(quote, quote.title) })),
  })
  const convert = useWrite(quotesApi.convert, {
    ...failed,
    onSuccess: ({ order }) => {
      toast.success(t('quotes:converted', { name: order.label }))
      return go(`/apps/orders/preview/${order.guid}`)
    },
  })
  const restore = useWrite(quotesApi.restore, {
    ...failed,
    onSuccess: () => toast.success(t('quotes:restored', { name: quoteName(quote, quote.title) })),
  })
  const archive = useWrite(quotesApi.remove, {
    ...failed,
    onSuccess: () =>
      void toastWithAction(t('quotes:archived', { name: quoteName(quote, quote.title) }), t('common:undo'), () =>
        restore.mutate({ guid }),
      ),
  })
  const reason = (key: (typeof why)[keyof typeof why]) => (key ? t(key) : null)
  const name = quoteName(quote, t('quotes:preview.draftTitle'))

  return (
    <>
      <PageHeader
        title={name}
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
            <MoreMenu
              items={[
                {
                  key: 'duplicate',
                  label: t('quotes:duplicate'),
                  icon: 'copy',
                  isHidden: !may(quotesApi.create),
                  onClick: () => duplicate.mutate({ guid }),
                },
                {
                  key: 'revise',
                  label: t('quotes:revise'),
                  icon: 'edit',
                  isHidden: !may(quotesApi.revise),
                  disabledReason: reason(why.revise),
                  onClick: () => revise.mutate({ guid, version }),
                },
                {
                  key: 'decline',
                  label: t('quotes:decline'),
                  icon: 'close',
                  isHidden: !may(quotesApi.decline),
                  disabledReason: reason(why.decline),
                  onClick: () => setDialog('decline'),
                },
                {
                  key: 'link',
                  label: t('quotes:newLink'),
                  icon: 'link',
                  isHidden: !quote.serviceGuid || !may(quotesApi.reissueLink),
                  onClick: () => setDialog('link'),
                },
                {
                  key: 'cancel',
                  label: t('quotes:cancel'),
                  icon: 'stop',
                  isDangerous: true,
                  isHidden: !may(quotesApi.cancel),
                  disabledReason: reason(why.cancel),
                  onClick: () => setDialog('cancel'),
                },
                {
                  key: 'archive',
                  label: t('quotes:archive'),
                  icon: 'archive',
                  isHidden: quote.archivedAt !== null || !may(quotesApi.remove),
                  onClick: () => archive.mutate({ guid }),
                },
                {
                  key: 'restore',
                  label: t('quotes:restore'),
                  icon: 'undo',
                  isHidden: quote.archivedAt === null || !may(quotesApi.restore),
                  onClick: () => restore.mutate({ guid }),
                },
              ]}
            />
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
          <div className="no-print">
            <RecordTimeline op={quotesApi.timeline} guid={guid} />
          </div>
        </div>
        <div className="no-print">
          <QuoteRail quote={quote} />
        </div>
      </div>
      {dialog === 'send' ? (
        <SendDialog
          ownerType="quote"
          guid={guid}
          title={t('quotes:send')}
          confirmLabel={t('quotes:send')}
          onClose={() => setDialog(null)}
          onSend={async (message) => {
            const { quote: sent } = await send.mutateAsync({ guid, version, ...message })
            toast.success(t('quotes:sent', { name: quoteName(sent, sent.title) }))
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
          toast.success(t('quotes:cancelled', { name: quoteName(quote, quote.title) }))
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
