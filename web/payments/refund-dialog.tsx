import { Select, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { Invoice } from '../../contract/invoices.ts'
import { paymentsApi, refundReasons } from '../../contract/payments.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { MoneyInput } from '../core/ui/inputs.tsx'
import { toast } from '../core/ui/toast.tsx'
import { AskDialog } from '../parts/ask-dialog.tsx'

const cards = ['card', 'apple_pay', 'google_pay']

/** What can be given back: a payment for one invoice, or what a customer has paid too much (no invoice). */
export interface RefundTarget {
  key: string
  label: string
  method: string
  paymentGuid: string
  invoiceGuid: string | null
  mostCents: number
}

export function useInvoiceTargets(): (invoice: Invoice) => RefundTarget[] {
  useT('payments')
  return (invoice) =>
    invoice.related.payments.map((payment) => ({
      key: payment.guid,
      label: [payment.number, phraseOr(`payments:methods.${payment.method}`, payment.method)].join(' · '),
      method: payment.method,
      paymentGuid: payment.guid,
      invoiceGuid: invoice.guid,
      mostCents: payment.refundableCents,
    }))
}

/** Gives money back and makes the adjustment note. */
export function RefundDialog({ targets: all, targetLabel, onClose }: { targets: readonly RefundTarget[]; targetLabel: string; onClose: () => void }) {
  const t = useT('payments')
  const f = useFormat()
  const targets = all.filter((target) => target.mostCents > 0)
  const [key, setKey] = useState(targets[0]?.key ?? '')
  const target = targets.find((candidate) => candidate.key === key)
  const [amount, setAmount] = useState<number | null>(target?.mostCents ?? null)
  const [reasonCode, setReason] = useState<(typeof refundReasons)[number]>('price_adjustment')
  const [note, setNote] = useState('')
  const refund = useWrite(paymentsApi.refund, {
    stale: ['invoices', 'orders', 'customers', 'messages', 'dashboards'],
    onSuccess: ({ refund: made, adjustmentNote }) => {
      if (made.status === 'succeeded') toast.success(adjustmentNote ? t('payments:refund.done', { number: adjustmentNote.label }) : t('payments:refund.doneCredit'))
      else toast.info(t('payments:refund.processing'))
      onClose()
    },
  })
  const most = target?.mostCents ?? 0
  const isTooMuch = amount !== null && amount > most
  const give = () => {
    if (target && amount) refund.mutate({ paymentGuid: target.paymentGuid, ...(target.invoiceGuid ? { invoiceGuid: target.invoiceGuid } : {}), amountCents: amount, reasonCode, note: note.trim() || null })
  }
  return (
    <AskDialog title={t('payments:refund.title')} action={t('payments:refund.action', { amount: f.money(amount ?? 0) })} error={refund.error} isBusy={refund.isPending} isBlocked={!target || !amount || amount <= 0 || isTooMuch} onClose={onClose} onAsk={give}>
      <Select
        label={targetLabel}
        data={targets.map((candidate) => ({ value: candidate.key, label: `${candidate.label} · ${f.money(candidate.mostCents)}` }))}
        value={key}
        allowDeselect={false}
        onChange={(value) => {
          setKey(value ?? '')
          setAmount(targets.find((candidate) => candidate.key === value)?.mostCents ?? null)
        }}
      />
      <MoneyInput label={t('payments:refund.amount')} value={amount} onChange={setAmount} description={t('payments:refund.most', { amount: f.money(most) })} error={isTooMuch ? t('payments:refund.most', { amount: f.money(most) }) : null} data-autofocus />
      <Select label={t('payments:refund.reason')} data={refundReasons.map((value) => ({ value, label: phraseOr(`payments:reasons.${value}`, value) }))} value={reasonCode} allowDeselect={false} onChange={(value) => setReason(refundReasons.find((known) => known === value) ?? 'other')} />
      <Textarea label={t('payments:refund.note')} autosize minRows={2} maxLength={1000} value={note} onChange={(event) => setNote(event.currentTarget.value)} />
      <p className="muted small no-margin">{t(target && cards.includes(target.method) ? 'payments:refund.card' : 'payments:refund.manual')}</p>
    </AskDialog>
  )
}
