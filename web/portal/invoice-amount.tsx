import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { PublicBusiness } from '../../contract/businesses.ts'
import { overdueOf } from '../../contract/instalments.ts'
import { serviceApi, type ServiceInvoice } from '../../contract/service.ts'
import { takesMoney } from '../../contract/invoice-transitions.ts'
import type { Format } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DownloadButton } from '../core/ui/download-button.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { Panel } from './parts.tsx'
import { daysUntil, todayIn } from './service-format.ts'
import type { Payment } from './use-payment.ts'

export const isPayable = (invoice: Pick<ServiceInvoice, 'status' | 'kind' | 'balanceCents'>) =>
  takesMoney(invoice) && invoice.balanceCents > 0
export const isSettled = (invoice: ServiceInvoice) => takesMoney(invoice) && invoice.balanceCents <= 0

function useDueText(invoice: ServiceInvoice, business: PublicBusiness, f: Format): string {
  const t = useT('service')
  const { instalments, balanceCents } = invoice
  const days = daysUntil(invoice.dueOn, business.timeZone)
  const date = f.date(invoice.dueOn)
  const late = overdueOf(instalments, todayIn(business.timeZone))
  if (late > 0 && late < balanceCents) return t('service:invoice.overduePart', { amount: f.money(late), date })
  if (invoice.isOverdue || days < 0) return t('service:invoice.overdueBy', { count: Math.max(1, -days), date })
  if (days === 0) return t('service:invoice.dueToday')
  return t('service:invoice.dueIn', { count: days, date })
}

/** What is to pay, as the largest figure of the page. */
export function AmountPanel({
  invoice,
  business,
  f,
}: {
  invoice: ServiceInvoice
  business: PublicBusiness
  f: Format
}) {
  const t = useT('service')
  const due = useDueText(invoice, business, f)
  return (
    <Panel className="amount-panel no-print">
      <p className="muted no-margin">{t('service:invoice.amountDue')}</p>
      <p className="service-amount">{f.money(invoice.balanceCents)}</p>
      <p className="amount-due" data-tone={invoice.isOverdue ? 'error' : 'neutral'}>
        <Icon name={invoice.isOverdue ? 'warning' : 'calendar'} size={18} />
        {due}
      </p>
      {invoice.paidCents > invoice.refundedCents ? (
        <p className="muted small no-margin">
          {t('service:invoice.paidOf', {
            paid: f.money(invoice.paidCents - invoice.refundedCents),
            total: f.money(invoice.totals.totalCents - invoice.creditedCents - invoice.writtenOffCents),
          })}
        </p>
      ) : null}
    </Panel>
  )
}

/** It is done. */
export function Tick() {
  return (
    <svg className="tick" viewBox="0 0 64 64" width="64" height="64" aria-hidden="true" focusable="false">
      <circle cx="32" cy="32" r="29" />
      <path d="m20 33 9 9 16-19" />
    </svg>
  )
}

/** How a settled invoice came to be settled: paid, given back, or credited. */
function useSettledWords(invoice: ServiceInvoice, f: Format): { title: string; text: string; isPaid: boolean } {
  const t = useT('service')
  const { paidCents, refundedCents, creditedCents } = invoice
  const amounts = { paid: f.money(paidCents), refunded: f.money(refundedCents), credited: f.money(creditedCents) }
  if (refundedCents > 0)
    return {
      title: refundedCents >= paidCents ? t('service:receipt.refunded') : t('service:receipt.partlyRefunded'),
      text: t('service:receipt.refundedText', amounts),
      isPaid: false,
    }
  if (creditedCents > 0)
    return {
      title: t('service:receipt.nothing'),
      text: paidCents > 0 ? t('service:receipt.creditedText', amounts) : t('service:receipt.creditedAll', amounts),
      isPaid: false,
    }
  return {
    title: t('service:receipt.paid'),
    text: t('service:receipt.settled', { amount: amounts.paid }),
    isPaid: true,
  }
}

/** The receipt: right after paying, and whenever one comes back to a paid invoice. */
export function ReceiptPanel({
  guid,
  invoice,
  payment,
  business,
  f,
}: {
  guid: string
  invoice: ServiceInvoice
  payment: Payment
  business: PublicBusiness
  f: Format
}) {
  const t = useT('service')
  const heading = useRef<HTMLHeadingElement>(null)
  const { phase } = payment
  const done = phase.step === 'done' ? phase : null
  const isDone = done !== null
  useEffect(() => {
    if (!isDone) return
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ behavior: 'smooth', block: 'center' })
  }, [isDone])
  const last = invoice.payments.at(-1)
  const settled = useSettledWords(invoice, f)
  const receipt = done ? done.receiptNumber : settled.isPaid ? (last?.number ?? null) : null
  const isRest = done !== null && isPayable(invoice) && invoice.paidCents > 0
  return (
    <Panel className="receipt no-print">
      {done || settled.isPaid ? <Tick /> : null}
      <h2 ref={heading} tabIndex={-1} className="receipt-title">
        {done ? t('service:receipt.thanks') : settled.title}
      </h2>
      <p className="no-margin">
        {done
          ? t('service:receipt.received', { amount: f.money(done.amountCents), business: business.name })
          : settled.text}
      </p>
      {receipt ? <p className="muted no-margin">{unbroken(t('service:receipt.number', { number: receipt }))}</p> : null}
      {isRest ? (
        <>
          <p className="muted no-margin">{t('service:receipt.rest', { amount: f.money(invoice.balanceCents) })}</p>
          <Button variant="light" onClick={payment.again}>
            {t('service:receipt.payRest')}
          </Button>
        </>
      ) : null}
      <DownloadButton op={serviceApi.invoicePdf} input={{ guid }}>
        {t('service:receipt.pdf')}
      </DownloadButton>
    </Panel>
  )
}
