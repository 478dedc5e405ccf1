import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { depositsApi } from '../../contract/deposits.ts'
import type { Invoice } from '../../contract/invoices.ts'
import { paymentsApi } from '../../contract/payments.ts'
import { asApiError } from '../core/api/error.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { MoneyInput } from '../core/ui/inputs.tsx'
import { toast } from '../core/ui/toast.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { useInvoiceTargets } from '../payments/refund-targets.ts'
import { useOpenInvoices } from '../payments/use-open-invoices.ts'
import { AskDialog } from '../record/ask-dialog.tsx'

interface Props {
  invoice: Invoice
  onClose: () => void
}

const heldOf = ({ security }: Invoice) => security?.heldCents ?? 0

/** An amount of what is held, at most all of it. */
function useAmount(first: number, most: number) {
  const f = useFormat()
  const t = useT('invoices')
  const [cents, setCents] = useState<number | null>(first)
  const isTooMuch = (cents ?? 0) > most
  const upTo = t('invoices:deposits.most', { amount: f.money(most) })
  return {
    cents: cents ?? 0,
    setCents,
    isBlocked: !cents || isTooMuch,
    field: (error?: string) => (
      <MoneyInput
        label={t('invoices:deposits.amount')}
        value={cents}
        onChange={setCents}
        description={isTooMuch ? null : upTo}
        error={isTooMuch ? upTo : error}
      />
    ),
  }
}

/** Lets a security deposit pay another invoice of the customer. */
export function ApplyDepositDialog({ invoice, entityGuid, onClose }: Props & { entityGuid: string | undefined }) {
  const t = useT('invoices')
  const f = useFormat()
  const held = heldOf(invoice)
  const open = useOpenInvoices(invoice.customerGuid, undefined, entityGuid).filter((one) => one.guid !== invoice.guid)
  const [chosen, setChosen] = useState<string | null>(null)
  const target = open.find((one) => one.guid === chosen) ?? open[0]
  const most = Math.min(held, target?.balanceCents ?? held)
  const amount = useAmount(held, most)
  const cents = Math.min(amount.cents, most)
  const apply = useWrite(depositsApi.use, {
    onSuccess: () => {
      toast.success(t('invoices:deposits.applied', { amount: f.money(cents), name: target?.number ?? '' }))
      onClose()
    },
  })
  const errorOf = (path: string) =>
    apply.error ? asApiError(apply.error).errors.find((error) => error.path === path)?.message : undefined
  return (
    <AskDialog
      title={t('invoices:deposits.applyTitle', { number: invoice.number ?? '' })}
      action={t('invoices:deposits.apply')}
      error={apply.error}
      isBusy={apply.isPending}
      isBlocked={!target || cents <= 0}
      onClose={onClose}
      onAsk={() => {
        if (!target) return
        const { guid, version } = invoice
        apply.mutate({ guid, version, action: 'apply', invoiceGuid: target.guid, cents })
      }}
    >
      {open.length === 0 ? (
        <p className="muted no-margin">{t('invoices:deposits.nothingOpen')}</p>
      ) : (
        <>
          <ChoiceInput
            label={t('invoices:deposits.invoice')}
            data={open.map((one) => ({ value: one.guid, label: `${one.number} · ${f.money(one.balanceCents)}` }))}
            value={target?.guid ?? ''}
            onChange={(value) => {
              setChosen(value)
              const next = open.find((one) => one.guid === value)
              if (next) amount.setCents(Math.min(held, next.balanceCents))
            }}
          />
          <MoneyInput
            label={t('invoices:deposits.amount')}
            value={cents}
            onChange={amount.setCents}
            description={t('invoices:deposits.most', { amount: f.money(most) })}
            error={errorOf('cents')}
          />
          <p className="muted small no-margin" aria-live="polite">
            {unbroken(
              t('invoices:deposits.applyEffect', {
                name: target?.number ?? '',
                owing: f.money((target?.balanceCents ?? 0) - cents),
                left: f.money(held - cents),
              }),
            )}
          </p>
        </>
      )}
    </AskDialog>
  )
}

/** Keeps a part of a security deposit: GST is due on it, and a tax invoice says so. */
export function ForfeitDepositDialog({ invoice, isRegistered, onClose }: Props & { isRegistered: boolean }) {
  const t = useT('invoices')
  const f = useFormat()
  const held = heldOf(invoice)
  const amount = useAmount(held, held)
  const [reason, setReason] = useState('')
  const keep = useWrite(depositsApi.use, {
    onSuccess: () => {
      toast.success(t('invoices:deposits.kept', { amount: f.money(amount.cents) }))
      onClose()
    },
  })
  const { guid, version } = invoice
  return (
    <AskDialog
      title={t('invoices:deposits.forfeitTitle', { number: invoice.number ?? '' })}
      action={t('invoices:deposits.forfeit')}
      error={keep.error}
      isBusy={keep.isPending}
      isBlocked={amount.isBlocked || !reason.trim()}
      onClose={onClose}
      onAsk={() => keep.mutate({ guid, version, action: 'forfeit', cents: amount.cents, reason: reason.trim() })}
    >
      {amount.field()}
      <Textarea
        label={t('invoices:deposits.reason')}
        description={t('invoices:deposits.reasonHint')}
        autosize
        minRows={2}
        maxLength={400}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        required
      />
      <p className="muted small no-margin" aria-live="polite">
        {unbroken(
          isRegistered
            ? t('invoices:deposits.forfeitEffect', { gst: f.money(Math.round(amount.cents / 11)) })
            : t('invoices:deposits.forfeitPlain'),
        )}
      </p>
    </AskDialog>
  )
}

/** Gives a security deposit back, the way it came. */
export function ReturnDepositDialog({ invoice, onClose }: Props) {
  const t = useT('invoices', 'payments')
  const f = useFormat()
  const held = heldOf(invoice)
  const targets = useInvoiceTargets()(invoice).filter((one) => one.maxCents > 0)
  const [chosen, setChosen] = useState<string | null>(null)
  const target = targets.find((one) => one.key === chosen) ?? targets[0]
  const most = Math.min(held, target?.maxCents ?? 0)
  const amount = useAmount(most, most)
  const [note, setNote] = useState('')
  const refund = useWrite(paymentsApi.refund, {
    onSuccess: ({ refund: made }) => {
      const said = made.status === 'requested' ? 'invoices:deposits.asked' : 'invoices:deposits.returned'
      toast.success(t(said, { amount: f.money(amount.cents) }))
      onClose()
    },
  })
  return (
    <AskDialog
      title={t('invoices:deposits.returnTitle', { number: invoice.number ?? '' })}
      action={t('invoices:deposits.return')}
      error={refund.error}
      isBusy={refund.isPending}
      isBlocked={!target || amount.isBlocked}
      onClose={onClose}
      onAsk={() => {
        if (!target) return
        refund.mutate({
          paymentGuid: target.paymentGuid,
          invoiceGuid: invoice.guid,
          amountCents: amount.cents,
          reasonCode: 'deposit_return',
          ...(note.trim() ? { note: note.trim() } : {}),
        })
      }}
    >
      {targets.length > 1 ? (
        <ChoiceInput
          label={t('payments:refund.payment')}
          data={targets.map(({ key, label, maxCents }) => ({
            value: key,
            label: `${label} · ${f.money(Math.min(maxCents, held))}`,
          }))}
          value={target?.key ?? ''}
          onChange={setChosen}
        />
      ) : null}
      {amount.field()}
      <Textarea
        label={t('payments:refund.note')}
        autosize
        minRows={2}
        maxLength={1000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <p className="muted small no-margin">{unbroken(t('invoices:deposits.returnEffect'))}</p>
    </AskDialog>
  )
}
