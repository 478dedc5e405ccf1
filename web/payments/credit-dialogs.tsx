import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { businessesApi } from '../../contract/businesses.ts'
import { reversalReasons } from '../../contract/payment-reversals.ts'
import { type Payment, paymentsApi } from '../../contract/payments.ts'
import { asApiError } from '../core/api/error.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { DateInput } from '../core/ui/date-input.tsx'
import { MoneyInput } from '../core/ui/inputs.tsx'
import { toast } from '../core/ui/toast.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { AskDialog } from '../record/ask-dialog.tsx'
import { propose } from './allocation.ts'
import { AllocationLines } from './allocation-lines.tsx'
import { useOpenInvoices } from './use-open-invoices.ts'

interface Props {
  payment: Payment
  onClose: () => void
}
const nothing: ReadonlySet<string> = new Set()

/** Lets what a payment has left pay invoices; the oldest due are proposed. */
export function AllocateDialog({ payment, onClose }: Props) {
  const t = useT('payments')
  const f = useFormat()
  const current = useRead(businessesApi.current, {}).data?.business
  const invoices = useOpenInvoices(payment.customerGuid, undefined, current?.entityGuid)
  const [own, setOwn] = useState<ReadonlyMap<string, number>>(new Map())
  const proposal = propose(payment.unallocatedCents, invoices, own, payment.orderGuid)
  const { cents, creditCents } = proposal
  const used = payment.unallocatedCents - creditCents
  const write = useWrite(paymentsApi.allocate, {
    onSuccess: () => {
      toast.success(t('payments:allocate.done', { amount: f.money(used), name: payment.number }))
      onClose()
    },
  })
  const allocations = invoices.flatMap(({ guid }) => {
    const part = cents.get(guid) ?? 0
    return part > 0 ? [{ invoiceGuid: guid, cents: part }] : []
  })
  const isTooMuch = invoices.some(({ guid, balanceCents }) => (cents.get(guid) ?? 0) > balanceCents)
  const fieldError = (path: string) =>
    write.error ? asApiError(write.error).errors.find((error) => error.path === path)?.message : undefined
  return (
    <AskDialog
      title={t('payments:allocate.title', { name: payment.number })}
      action={t('payments:allocate.action', { amount: f.money(Math.max(used, 0)) })}
      error={write.error}
      isBusy={write.isPending}
      isBlocked={allocations.length === 0 || creditCents < 0 || isTooMuch}
      onClose={onClose}
      onAsk={() => write.mutate({ guid: payment.guid, allocations })}
    >
      <p className="muted no-margin">
        {payment.orderNumber
          ? t('payments:allocate.prepaid', { name: payment.customerName, number: payment.orderNumber })
          : payment.customerName}
      </p>
      <AllocationLines
        invoices={invoices}
        proposal={proposal}
        own={own}
        onOwn={setOwn}
        limitCents={0}
        givenUp={nothing}
        isForOrder={payment.orderGuid !== null}
        onGiveUp={() => undefined}
        errorOf={(index) => fieldError(`allocations.${index}.cents`) ?? fieldError(`allocations.${index}.invoiceGuid`)}
      />
    </AskDialog>
  )
}

/** Takes a payment off an invoice, or a part of it: its money is the customer's credit again. */
export function TakeOffDialog({
  payment,
  allocation,
  onClose,
}: Props & { allocation: Payment['allocations'][number] }) {
  const t = useT('payments')
  const f = useFormat()
  const number = allocation.invoiceNumber ?? ''
  const most = allocation.refundableCents
  const [cents, setCents] = useState<number | null>(most)
  const isTooMuch = (cents ?? 0) > most
  const amount = f.money(cents ?? 0)
  const upTo = t('payments:refund.most', { amount: f.money(most) })
  const write = useWrite(paymentsApi.unallocate, {
    onSuccess: () => {
      toast.success(t('payments:takeOff.done', { amount, number }))
      onClose()
    },
  })
  return (
    <AskDialog
      title={t('payments:takeOff.label', { name: payment.number, number })}
      action={t('payments:takeOff.action')}
      error={write.error}
      isBusy={write.isPending}
      isBlocked={!cents || isTooMuch}
      onClose={onClose}
      onAsk={() => write.mutate({ guid: payment.guid, allocationGuid: allocation.guid, ...(cents ? { cents } : {}) })}
    >
      <MoneyInput
        label={t('payments:refund.amount')}
        value={cents}
        onChange={setCents}
        description={isTooMuch ? null : upTo}
        error={isTooMuch ? upTo : null}
        data-autofocus
      />
      <p className="no-margin" aria-live="polite">
        {unbroken(t('payments:takeOff.text', { amount, number }))}
      </p>
    </AskDialog>
  )
}

/** Takes back a payment that turned out not to be one. Of a card payment only the card holder's bank can do that. */
export function ReverseDialog({ payment, onClose }: Props) {
  const t = useT('payments')
  const f = useFormat()
  const today = useRead(businessesApi.current, {}).data?.business.today
  const reasons = payment.card ? (['disputed'] as const) : reversalReasons
  const [reason, setReason] = useState<(typeof reversalReasons)[number]>(reasons[0])
  const [day, setDay] = useState<string | null>(null)
  const [note, setNote] = useState('')
  const on = day ?? today
  const write = useWrite(paymentsApi.reverse, {
    onSuccess: () => {
      toast.success(t('payments:reverse.done', { name: payment.number }))
      onClose()
    },
  })
  const onError = write.error ? asApiError(write.error).errors.find((error) => error.path === 'on')?.message : undefined
  return (
    <AskDialog
      title={t('payments:reverse.title', { name: payment.number })}
      action={t('payments:reverse.action')}
      error={write.error}
      isBusy={write.isPending}
      isBlocked={!on}
      onClose={onClose}
      onAsk={() => on && write.mutate({ guid: payment.guid, reason, on, note: note.trim() || null })}
    >
      <ChoiceInput
        label={t('payments:reverse.reason')}
        data={reasons.map((value) => ({ value, label: t(`payments:reverse.reasons.${value}`) }))}
        value={reason}
        onChange={(value) => setReason(reversalReasons.find((known) => known === value) ?? reasons[0])}
      />
      <DateInput
        label={t('payments:reverse.on')}
        min={payment.receivedOn}
        {...(today ? { max: today } : {})}
        value={on ?? ''}
        error={onError}
        onChange={setDay}
      />
      <Textarea
        label={t('payments:reverse.note')}
        autosize
        minRows={2}
        maxLength={1000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <p className="muted small no-margin">
        {unbroken(t('payments:reverse.text', { amount: f.money(payment.amountCents) }))}
      </p>
    </AskDialog>
  )
}
