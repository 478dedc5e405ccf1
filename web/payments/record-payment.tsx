import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Invoice } from '../../contract/invoices.ts'
import { manualMethods, paymentsApi } from '../../contract/payments.ts'
import { asApiError } from '../core/api/error.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { DateInput } from '../core/ui/date-input.tsx'
import { MoneyInput } from '../core/ui/inputs.tsx'
import { toast } from '../core/ui/toast.tsx'
import { AskDialog } from '../parts/ask-dialog.tsx'

/** Money that came in by transfer, cash or cheque for one invoice; what is more than owing stays as the customer's credit. */
export function RecordPayment({ invoice, today, onClose }: { invoice: Invoice; today: string; onClose: () => void }) {
  const t = useT('payments')
  const f = useFormat()
  const [amount, setAmount] = useState<number | null>(invoice.balanceCents)
  const [method, setMethod] = useState<(typeof manualMethods)[number]>('bank_transfer')
  const [receivedOn, setReceivedOn] = useState(today)
  const [reference, setReference] = useState(invoice.number ?? '')
  const record = useWrite(paymentsApi.create, {
    stale: ['invoices', 'orders', 'customers', 'messages', 'dashboards', 'quotes'],
    onSuccess: ({ payment }) => {
      toast.success(t('payments:record.done', { name: payment.number }))
      onClose()
    },
  })
  const fieldError = (path: string) => (record.error ? asApiError(record.error).errors.find((error) => error.path.startsWith(path))?.message : undefined)
  const allocated = Math.min(amount ?? 0, invoice.balanceCents)
  const save = () => {
    if (amount) record.mutate({ method, receivedOn, amountCents: amount, reference: reference.trim() || null, allocations: [{ invoiceGuid: invoice.guid, cents: allocated }] })
  }
  return (
    <AskDialog title={t('payments:record.title')} action={t('payments:record.action')} error={record.error} isBusy={record.isPending} isBlocked={!amount || amount <= 0 || !receivedOn} onClose={onClose} onAsk={save}>
      <MoneyInput label={t('payments:amount')} value={amount} onChange={setAmount} error={fieldError('amountCents') ?? fieldError('allocations')} data-autofocus />
      <Select label={t('payments:method')} data={manualMethods.map((value) => ({ value, label: phraseOr(`payments:methods.${value}`, value) }))} value={method} allowDeselect={false} onChange={(value) => setMethod(manualMethods.find((known) => known === value) ?? 'other')} />
      <DateInput label={t('payments:receivedOn')} max={today} value={receivedOn} error={fieldError('receivedOn')} onChange={setReceivedOn} />
      <TextInput label={t('payments:reference')} maxLength={80} value={reference} error={fieldError('reference')} onChange={(event) => setReference(event.currentTarget.value)} />
      {amount !== null && amount > invoice.balanceCents ? <p className="muted small no-margin">{t('payments:record.extra', { amount: f.money(amount - invoice.balanceCents) })}</p> : null}
    </AskDialog>
  )
}
