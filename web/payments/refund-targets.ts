import type { Invoice } from '../../contract/invoices.ts'
import { useT } from '../core/i18n/i18n.ts'
import { methodText } from './payment-columns.tsx'

/** What can be given back: a payment for one invoice, or what a customer has paid too much (no invoice). */
export interface RefundTarget {
  key: string
  label: string
  method: string
  paymentGuid: string
  invoiceGuid: string | null
  invoiceNumber: string
  maxCents: number
}

export function useInvoiceTargets(): (invoice: Invoice) => RefundTarget[] {
  useT('payments')
  return (invoice) =>
    invoice.related.payments.map((payment) => ({
      key: payment.guid,
      label: [payment.number, methodText(payment.method)].join(' · '),
      method: payment.method,
      paymentGuid: payment.guid,
      invoiceGuid: invoice.guid,
      invoiceNumber: invoice.number ?? '',
      maxCents: payment.refundableCents,
    }))
}
