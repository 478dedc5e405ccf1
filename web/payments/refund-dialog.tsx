import { Alert, Button, Group, Modal, Select, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { Invoice } from '../../contract/invoices.ts'
import { paymentsApi, refundReasons } from '../../contract/payments.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useFormat } from '../core/i18n/format.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { MoneyInput } from '../core/ui/inputs.tsx'
import { toast } from '../core/ui/toast.tsx'

const cards = ['card', 'apple_pay', 'google_pay']

/** Gives money of one payment back and makes the adjustment note. */
export function RefundDialog({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
  const t = useT('payments', 'common')
  const f = useFormat()
  const text = useErrorText()
  const payments = invoice.related.payments.filter((payment) => payment.refundableCents > 0)
  const [paymentGuid, setPayment] = useState(payments[0]?.guid ?? '')
  const payment = payments.find((candidate) => candidate.guid === paymentGuid)
  const [amount, setAmount] = useState<number | null>(payment?.refundableCents ?? null)
  const [reasonCode, setReason] = useState<(typeof refundReasons)[number]>('price_adjustment')
  const [note, setNote] = useState('')
  const refund = useWrite(paymentsApi.refund, {
    stale: ['invoices', 'orders', 'customers', 'messages', 'dashboards'],
    onSuccess: ({ refund: made, adjustmentNote }) => {
      if (made.status === 'succeeded') toast.success(t('payments:refund.done', { number: adjustmentNote?.label ?? '' }))
      else toast.info(t('payments:refund.processing'))
      onClose()
    },
  })
  const most = payment?.refundableCents ?? 0
  const isTooMuch = amount !== null && amount > most
  return (
    <Modal opened onClose={onClose} title={t('payments:refund.title')} closeButtonProps={{ 'aria-label': t('common:close') }}>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (payment && amount) refund.mutate({ paymentGuid: payment.guid, invoiceGuid: invoice.guid, amountCents: amount, reasonCode, note: note.trim() || null })
        }}
      >
        <Select
          label={t('payments:refund.payment')}
          data={payments.map((candidate) => ({ value: candidate.guid, label: `${candidate.number} · ${phraseOr(`payments:methods.${candidate.method}`, candidate.method)} · ${f.money(candidate.refundableCents)}` }))}
          value={paymentGuid}
          allowDeselect={false}
          onChange={(value) => {
            setPayment(value ?? '')
            setAmount(payments.find((candidate) => candidate.guid === value)?.refundableCents ?? null)
          }}
        />
        <MoneyInput label={t('payments:refund.amount')} value={amount} onChange={setAmount} description={t('payments:refund.most', { amount: f.money(most) })} error={isTooMuch ? t('payments:refund.most', { amount: f.money(most) }) : null} data-autofocus />
        <Select label={t('payments:refund.reason')} data={refundReasons.map((value) => ({ value, label: phraseOr(`payments:reasons.${value}`, value) }))} value={reasonCode} allowDeselect={false} onChange={(value) => setReason(refundReasons.find((known) => known === value) ?? 'other')} />
        <Textarea label={t('payments:refund.note')} autosize minRows={2} maxLength={1000} value={note} onChange={(event) => setNote(event.currentTarget.value)} />
        <p className="muted small no-margin">{payment && cards.includes(payment.method) ? t('payments:refund.card') : t('payments:refund.manual')}</p>
        {refund.error ? (
          <Alert color="red" variant="light" role="alert">
            {text(refund.error)}
          </Alert>
        ) : null}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={refund.isPending} disabled={!payment || !amount || amount <= 0 || isTooMuch}>
            {t('payments:refund.action', { amount: f.money(amount ?? 0) })}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
