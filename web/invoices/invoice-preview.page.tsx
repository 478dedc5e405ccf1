import { useState } from 'react'
import { invoicesApi, type Invoice } from '../../contract/invoices.ts'
import { paymentsApi } from '../../contract/payments.ts'
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
import { toast, toastWithAction } from '../core/ui/toast.tsx'
import { SendDialog } from '../messages/send-dialog.tsx'
import { MoreMenu } from '../record/more-menu.tsx'
import { RecordPayment } from '../payments/record-payment.tsx'
import { RefundDialog, useInvoiceTargets } from '../payments/refund-dialog.tsx'
import { RecordTimeline } from '../timeline/record-timeline.tsx'
import { refusals } from './invoice-actions.ts'
import { InvoiceDocument } from './invoice-document.tsx'
import { isNote } from './invoice-kind.ts'
import { InvoiceRail } from './invoice-aside.tsx'
import { InvoiceChip } from './invoice-status.tsx'

type Dialog = 'issue' | 'send' | 'pay' | 'refund' | 'void' | 'link' | null

export function Page() {
  const guid = useGuid()
  const read = useRead(invoicesApi.get, { guid })
  return <Loaded of={read}>{({ invoice }) => <Preview invoice={invoice} />}</Loaded>
}

function Preview({ invoice }: { invoice: Invoice }) {
  const t = useT('invoices', 'payments', 'record', 'common')
  const targetsOf = useInvoiceTargets()
  const go = useGo()
  const may = useMay()
  const text = useErrorText()
  const [dialog, setDialog] = useState<Dialog>(null)
  const why = refusals(invoice)
  const reason = (key: (typeof why)[keyof typeof why]) => (key ? t(key) : null)
  const { guid, version } = invoice
  const issue = useWrite(invoicesApi.issue)
  const send = useWrite(invoicesApi.send)
  const voided = useWrite(invoicesApi.void)
  const reissue = useWrite(invoicesApi.reissueLink)
  const failed = { onError: (error: unknown) => toast.error(text(error)) }
  const restore = useWrite(invoicesApi.restore, {
    ...failed,
    onSuccess: () => toast.success(t('invoices:restored', { name: invoice.title })),
  })
  const archive = useWrite(invoicesApi.remove, {
    ...failed,
    onSuccess: () =>
      void toastWithAction(t('invoices:archived', { name: invoice.title }), t('common:undo'), () =>
        restore.mutate({ guid }),
      ),
  })
  const isDraft = invoice.status === 'draft'
  const close = () => setDialog(null)
  return (
    <>
      <PageHeader
        title={invoice.number ?? t('invoices:preview.draftTitle')}
        badge={<InvoiceChip invoice={invoice} />}
        crumbs={[{ to: '/apps/invoices/list', label: t('invoices:list.title') }]}
        actions={
          <>
            <DownloadButton op={invoicesApi.pdf} input={{ guid }}>
              {t('invoices:pdf')}
            </DownloadButton>
            {isDraft && may(invoicesApi.update) ? (
              <ActionButton variant="default" icon="edit" onClick={() => void go(`/apps/invoices/edit/${guid}`)}>
                {t('invoices:editAction')}
              </ActionButton>
            ) : null}
            <MoreMenu
              items={[
                {
                  key: 'refund',
                  label: t('invoices:refund'),
                  icon: 'refund',
                  isHidden: !may(paymentsApi.refund),
                  disabledReason: reason(why.refund),
                  onClick: () => setDialog('refund'),
                },
                {
                  key: 'send',
                  label: t('invoices:send'),
                  icon: 'send',
                  isHidden: isDraft || !may(invoicesApi.send),
                  disabledReason: reason(why.send),
                  onClick: () => setDialog('send'),
                },
                {
                  key: 'link',
                  label: t('invoices:newLink'),
                  icon: 'link',
                  isHidden: !invoice.serviceGuid || !may(invoicesApi.reissueLink),
                  onClick: () => setDialog('link'),
                },
                {
                  key: 'void',
                  label: t('invoices:void'),
                  icon: 'stop',
                  isDangerous: true,
                  isHidden: !may(invoicesApi.void),
                  disabledReason: reason(why.void),
                  onClick: () => setDialog('void'),
                },
                {
                  key: 'archive',
                  label: t('invoices:archive'),
                  icon: 'archive',
                  isHidden: !isDraft || invoice.archivedAt !== null || !may(invoicesApi.remove),
                  onClick: () => archive.mutate({ guid }),
                },
                {
                  key: 'restore',
                  label: t('invoices:restore'),
                  icon: 'undo',
                  isHidden: invoice.archivedAt === null || !may(invoicesApi.restore),
                  onClick: () => restore.mutate({ guid }),
                },
              ]}
            />
            {isDraft && may(invoicesApi.issue) ? (
              <ActionButton variant="light" disabledReason={reason(why.issue)} onClick={() => setDialog('issue')}>
                {t('invoices:issue')}
              </ActionButton>
            ) : null}
            {isDraft && may(invoicesApi.send) ? (
              <ActionButton icon="send" disabledReason={reason(why.send)} onClick={() => setDialog('send')}>
                {t('invoices:issueAndSend')}
              </ActionButton>
            ) : !isDraft && !isNote(invoice.kind) && may(paymentsApi.create) ? (
              <ActionButton icon="cash" disabledReason={reason(why.pay)} onClick={() => setDialog('pay')}>
                {t('invoices:recordPayment')}
              </ActionButton>
            ) : null}
          </>
        }
      />
      <div className="with-rail">
        <div className="stack" style={{ '--gap': '1.5rem' } as React.CSSProperties}>
          <InvoiceDocument invoice={invoice} />
          <div className="no-print">
            <RecordTimeline op={invoicesApi.timeline} guid={guid} />
          </div>
        </div>
        <div className="no-print">
          <InvoiceRail invoice={invoice} />
        </div>
      </div>
      {dialog === 'send' ? (
        <SendDialog
          ownerType="invoice"
          guid={guid}
          title={isDraft ? t('invoices:issueAndSend') : t('invoices:send')}
          confirmLabel={isDraft ? t('invoices:issueAndSend') : t('invoices:send')}
          onClose={close}
          onSend={async (message) => {
            const { invoice: sent } = await send.mutateAsync({ guid, version, ...message })
            toast.success(t('invoices:sent', { name: sent.number ?? '' }))
          }}
        />
      ) : null}
      {dialog === 'pay' ? (
        <RecordPayment
          customer={{ guid: invoice.customerGuid, name: invoice.customer.displayName }}
          first={{ guid, number: invoice.number ?? '', dueOn: invoice.dueOn, balanceCents: invoice.balanceCents }}
          onClose={close}
        />
      ) : null}
      {dialog === 'refund' ? (
        <RefundDialog targets={targetsOf(invoice)} targetLabel={t('payments:refund.payment')} onClose={close} />
      ) : null}
      <ConfirmDialog
        isOpen={dialog === 'issue'}
        onClose={close}
        title={t('invoices:issueTitle')}
        confirmLabel={t('invoices:issue')}
        onConfirm={async () => {
          const { invoice: issued } = await issue.mutateAsync({ guid, version })
          toast.success(t('invoices:issued', { name: issued.number ?? '' }))
        }}
      >
        {t('invoices:issueText')}
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={dialog === 'void'}
        onClose={close}
        title={t('invoices:voidTitle')}
        confirmLabel={t('invoices:void')}
        isDangerous
        reasonLabel={t('invoices:voidReason')}
        onConfirm={async (given) => {
          await voided.mutateAsync({ guid, version, reason: given })
          toast.success(t('invoices:voided', { name: invoice.number ?? '' }))
        }}
      />
      <ConfirmDialog
        isOpen={dialog === 'link'}
        onClose={close}
        title={t('invoices:newLink')}
        confirmLabel={t('invoices:newLink')}
        onConfirm={async () => {
          await reissue.mutateAsync({ guid, version })
          toast.success(t('invoices:newLinkDone'))
        }}
      >
        {t('invoices:newLinkText')}
      </ConfirmDialog>
    </>
  )
}
