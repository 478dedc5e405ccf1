import { lazy, Suspense } from 'react'
import { businessesApi } from '../../contract/businesses.ts'
import { invoicesApi, type Invoice } from '../../contract/invoices.ts'
import { pathOf } from '../../contract/nouns.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DownloadButton } from '../core/ui/download-button.tsx'
import { useGo, useGuid } from '../core/ui/params.ts'
import { Loaded, LoadingLines } from '../core/ui/states.tsx'
import { whenOpen } from '../core/ui/when-open.tsx'
import { sayOnItsWay } from '../messages/sending.ts'
import { useInvoiceTargets } from '../payments/refund-targets.ts'
import { RecordTimeline } from '../timeline/record-timeline.tsx'
import { InvoiceDocument } from './invoice-document.tsx'
import { isNote } from './invoice-kind.ts'
import { InvoiceRail } from './invoice-aside.tsx'
import { InvoiceChip } from './invoice-status.tsx'
import { toast } from '../core/ui/toast.tsx'
import { RecordFrame } from '../record/record-frame.tsx'
import { invoiceActions } from './invoice-actions.ts'

const SendDialog = whenOpen(() => import('../messages/send-dialog.tsx').then((module) => module.SendDialog))
const ComposeDialog = whenOpen(() => import('../messages/compose-dialog.tsx').then((module) => module.ComposeDialog))
const Thread = lazy(() => import('../messages/thread.tsx').then((module) => ({ default: module.Thread })))
const RecordPayment = whenOpen(() => import('../payments/record-payment.tsx').then((module) => module.RecordPayment))
const WriteOffDialog = whenOpen(() => import('./write-off-dialog.tsx').then((module) => module.WriteOffDialog))
const CreditDialog = whenOpen(() => import('./credit-dialog.tsx').then((module) => module.CreditDialog))
const InstalmentsDialog = whenOpen(() => import('./instalments-dialog.tsx').then((module) => module.InstalmentsDialog))
const RecoverDialog = whenOpen(() => import('./write-off-dialog.tsx').then((module) => module.RecoverDialog))
const ApplyDepositDialog = whenOpen(() => import('./deposit-dialogs.tsx').then((module) => module.ApplyDepositDialog))
const ForfeitDepositDialog = whenOpen(() =>
  import('./deposit-dialogs.tsx').then((module) => module.ForfeitDepositDialog),
)
const ReturnDepositDialog = whenOpen(() => import('./deposit-dialogs.tsx').then((module) => module.ReturnDepositDialog))
const HoldDialog = whenOpen(() => import('../reminders/hold-dialog.tsx').then((module) => module.HoldDialog))
const NatureDialog = whenOpen(() => import('./nature-dialog.tsx').then((module) => module.NatureDialog))
const RefundDialog = whenOpen(() => import('../payments/refund-dialog.tsx').then((module) => module.RefundDialog))

export function Page() {
  const guid = useGuid()
  const read = useRead(invoicesApi.get, { guid })
  return <Loaded of={read}>{({ invoice }) => <Preview invoice={invoice} />}</Loaded>
}

function Preview({ invoice }: { invoice: Invoice }) {
  const t = useT('invoices', 'payments', 'record', 'common', 'compose')
  const targetsOf = useInvoiceTargets()
  const current = useRead(businessesApi.current, {}).data?.business
  const go = useGo()
  const { guid, version, businessGuid, dueOn, balanceCents, writtenOffCents } = invoice
  const number = invoice.number ?? ''
  const issue = useWrite(invoicesApi.issue)
  const send = useWrite(invoicesApi.send)
  const sending = invoice.status === 'draft' ? t('invoices:issueAndSend') : t('invoices:send')
  return (
    <RecordFrame
      noun="Invoices"
      title={invoice.number ?? t(isNote(invoice.kind) ? 'invoices:preview.draftNote' : 'invoices:preview.draftTitle')}
      badge={<InvoiceChip invoice={invoice} />}
      tags={{ of: invoice.tags, ops: invoicesApi }}
      listLabel={t('invoices:list.title')}
      lead={
        <DownloadButton op={invoicesApi.pdf} input={{ guid }}>
          {t('invoices:pdf')}
        </DownloadButton>
      }
      actions={invoiceActions(invoice, t)}
      record={invoice}
      deeds={{
        message: { dialog: (close) => <ComposeDialog about={{ by: 'invoiceGuid', guid }} onClose={close} /> },
        edit: { run: () => go(pathOf('Invoices', 'edit', guid)) },
        send: {
          dialog: (close) => (
            <SendDialog
              ownerType="invoice"
              guid={guid}
              title={sending}
              confirmLabel={sending}
              onClose={close}
              onSend={async (message) => {
                const { invoice: sent } = await send.mutateAsync({ guid, version, ...message })
                const name = sent.number ?? ''
                sayOnItsWay(t('invoices:sent', { name }), t('invoices:waits', { name }))
              }}
            />
          ),
        },
        issue: {
          run: async () => {
            const { invoice: issued } = await issue.mutateAsync({ guid, version })
            toast.success(t('invoices:issued', { name: issued.number ?? '' }))
          },
        },
        pay: {
          dialog: (close) => (
            <RecordPayment
              customer={{ guid: invoice.customerGuid, name: invoice.customer.displayName }}
              first={{ guid, businessGuid, number, dueOn, balanceCents, writtenOffCents }}
              onClose={close}
            />
          ),
        },
        refund: {
          dialog: (close) => (
            <RefundDialog targets={targetsOf(invoice)} targetLabel={t('payments:refund.payment')} onClose={close} />
          ),
        },
        applyDeposit: {
          dialog: (close) => <ApplyDepositDialog invoice={invoice} entityGuid={current?.entityGuid} onClose={close} />,
        },
        forfeitDeposit: {
          dialog: (close) => (
            <ForfeitDepositDialog invoice={invoice} isRegistered={current?.gstRegistered ?? true} onClose={close} />
          ),
        },
        returnDeposit: { dialog: (close) => <ReturnDepositDialog invoice={invoice} onClose={close} /> },
        nature: { dialog: (close) => <NatureDialog invoice={invoice} onClose={close} /> },
        writeOff: { dialog: (close) => <WriteOffDialog invoice={invoice} onClose={close} /> },
        credit: { dialog: (close) => <CreditDialog invoice={invoice} onClose={close} /> },
        plan: { dialog: (close) => <InstalmentsDialog invoice={invoice} onClose={close} /> },
        hold: { dialog: (close) => <HoldDialog about={{ invoiceGuid: guid }} name={number} onClose={close} /> },
        recover: { dialog: (close) => <RecoverDialog invoice={invoice} onClose={close} /> },
      }}
      timeline={
        <div className="stack cards">
          <Suspense fallback={<LoadingLines lines={3} />}>
            <Thread about={{ by: 'invoiceGuid', guid }} />
          </Suspense>
          <RecordTimeline op={invoicesApi.timeline} guid={guid} />
        </div>
      }
      rail={<InvoiceRail invoice={invoice} />}
    >
      <InvoiceDocument invoice={invoice} />
    </RecordFrame>
  )
}
