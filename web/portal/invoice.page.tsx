import type { PublicBusiness } from '../../contract/businesses.ts'
import type { SharedFile } from '../../contract/files.ts'
import { serviceApi, type ServiceInvoice } from '../../contract/service.ts'
import { useUser } from '../core/api/auth-state.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { useGuid } from '../core/ui/params.ts'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { BankPanel } from './bank-panel.tsx'
import { AmountPanel, isPayable, isSettled, ReceiptPanel } from './invoice-amount.tsx'
import { invoiceHeading, InvoiceLetter } from './invoice-letter.tsx'
import { JobNote } from './job-note.tsx'
import { ActionBar, Banner, ContactPanel, StaffNote, Toolbar } from './parts.tsx'
import { PayPanel } from './pay-panel.tsx'
import { freshReads, ServiceGate } from './service-gate.tsx'
import { SharedFiles } from './shared-files.tsx'
import { useServiceFormat } from './service-format.ts'
import { usePayment } from './use-payment.ts'

interface ViewProps {
  guid: string
  invoice: ServiceInvoice
  business: PublicBusiness
  jobType: { heading: string; text: string } | null
  files: readonly SharedFile[]
}

const chipStatus = ({ status, isOverdue, paymentStatus }: ServiceInvoice) => {
  if (status !== 'issued') return status
  if (isOverdue) return 'overdue'
  return paymentStatus === 'unpaid' ? 'due' : paymentStatus
}

function InvoiceBanner({ invoice, business }: Omit<ViewProps, 'guid' | 'files' | 'jobType'>) {
  const t = useT('service')
  const names = { business: business.name }
  if (invoice.status === 'written_off')
    return (
      <Banner tone="neutral" icon="stop" title={t('service:invoice.closed.title')}>
        <p>{t('service:invoice.closed.text')}</p>
      </Banner>
    )
  if (invoice.status === 'void')
    return (
      <Banner tone="neutral" icon="stop" title={t('service:invoice.void.title')}>
        <p>{t('service:invoice.void.text', names)}</p>
      </Banner>
    )
  if (invoice.kind === 'adjustment_note')
    return (
      <Banner tone="info" icon="refund" title={t('service:invoice.note.title')}>
        <p>{t('service:invoice.note.text', names)}</p>
      </Banner>
    )
  return null
}

function InvoiceView({ guid, invoice, business, files, jobType }: ViewProps) {
  const t = useT('service')
  const f = useServiceFormat(business.timeZone)
  const isCustomer = useUser() === null
  const payment = usePayment(guid, invoice, isCustomer)
  const isOwing = isPayable(invoice)
  const hasReceipt = payment.phase.step === 'done' || isSettled(invoice)
  const isToPay = isOwing && !hasReceipt
  const heading = invoiceHeading(t, invoice)
  return (
    <div className="service">
      <StaffNote />
      <Toolbar op={serviceApi.invoicePdf} input={{ guid }}>
        {invoice.kind === 'adjustment_note' ? null : <StatusChip status={chipStatus(invoice)} ns="invoices" />}
      </Toolbar>
      <InvoiceBanner invoice={invoice} business={business} />
      <JobNote jobType={jobType} />
      <div className="service-grid">
        <InvoiceLetter invoice={invoice} business={business} f={f} />
        <div className="service-rail">
          {hasReceipt ? (
            <ReceiptPanel guid={guid} invoice={invoice} payment={payment} business={business} f={f} />
          ) : null}
          {isToPay ? <AmountPanel invoice={invoice} business={business} f={f} /> : null}
          {isToPay && invoice.canPayByCard ? <PayPanel guid={guid} invoice={invoice} payment={payment} f={f} /> : null}
        </div>
        <div className="service-below">
          {isOwing ? <BankPanel invoice={invoice} business={business} /> : null}
          <SharedFiles files={files} link={guid} f={f} />
          <ContactPanel
            business={business}
            subject={t('service:contact.subject', { document: `${heading} ${invoice.number}` })}
          />
        </div>
      </div>
      {isToPay && invoice.canPayByCard && isCustomer ? (
        <ActionBar
          target="pay"
          label={t('service:invoice.amountDue')}
          amount={f.money(invoice.balanceCents)}
          action={t('service:pay.open')}
        />
      ) : null}
    </div>
  )
}

/** An invoice before its customer: read, pay, keep the receipt. */
export function Page() {
  const guid = useGuid()
  const t = useT('service', 'lines')
  const read = useRead(serviceApi.invoice, { guid }, freshReads)
  return (
    <ServiceGate
      read={read}
      guid={guid}
      language={({ invoice }) => invoice.customer.language}
      title={({ invoice }) => `${invoiceHeading(t, invoice)} ${invoice.number}`}
    >
      {({ invoice, business, files, jobType }) => (
        <InvoiceView guid={guid} invoice={invoice} business={business} files={files} jobType={jobType} />
      )}
    </ServiceGate>
  )
}
