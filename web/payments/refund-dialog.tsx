import { Radio, Textarea } from '@mantine/core'
import { useState } from 'react'
import { isHeading } from '../../contract/core/money.ts'
import { invoicesApi, type Invoice } from '../../contract/invoices.ts'
import { manualMethods, paymentsApi, refundReasons, reopensInvoice } from '../../contract/payments.ts'
import { useMay } from '../core/api/can.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { MoneyInput } from '../core/ui/inputs.tsx'
import { toast } from '../core/ui/toast.tsx'
import { AskDialog } from '../record/ask-dialog.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { GivenLines } from './given-lines.tsx'
import { methodText } from './payment-columns.tsx'
import type { RefundTarget } from './refund-targets.ts'

const cards = ['card', 'apple_pay', 'google_pay']

/** The lines of the invoice that something can be given back of, when there is a choice. */
function useLines(target: RefundTarget | undefined): Invoice['lines'] {
  const may = useMay()
  const guid = target?.invoiceGuid ?? null
  const read = useRead(invoicesApi.get, { guid: guid ?? '' }, { enabled: guid !== null && may(invoicesApi.get) })
  const lines =
    guid === null ? [] : (read.data?.invoice.lines ?? []).filter((line) => !isHeading(line) && line.totalCents > 0)
  return lines.length > 1 ? lines : []
}

/**
 * Gives money back. A lower price makes an adjustment note; money that should not have come makes none,
 * and the invoice owes it again.
 */
export function RefundDialog({
  targets: all,
  targetLabel,
  onClose,
}: {
  targets: readonly RefundTarget[]
  targetLabel: string
  onClose: () => void
}) {
  const t = useT('payments')
  const f = useFormat()
  const targets = all.filter((target) => target.maxCents > 0)
  const [key, setKey] = useState(targets[0]?.key ?? '')
  const target = targets.find((candidate) => candidate.key === key)
  const [typed, setTyped] = useState<number | null>(target?.maxCents ?? null)
  const [reasonCode, setReason] = useState<(typeof refundReasons)[number]>('price_adjustment')
  const [way, setWay] = useState<(typeof manualMethods)[number] | null>(null)
  const [isByLine, setByLine] = useState(false)
  const [given, setGiven] = useState<ReadonlyMap<string, number>>(new Map())
  const [note, setNote] = useState('')
  const lines = useLines(target)
  const takesNote = target !== undefined && target.invoiceGuid !== null && !reopensInvoice(reasonCode)
  const choosesLines = takesNote && isByLine && lines.length > 0
  const amount = choosesLines ? [...given.values()].reduce((sum, cents) => sum + cents, 0) : typed
  const refund = useWrite(paymentsApi.refund, {
    onSuccess: ({ refund: made, adjustmentNote }) => {
      if (made.status !== 'succeeded') toast.info(t('payments:refund.processing'))
      else if (adjustmentNote) toast.success(t('payments:refund.done', { number: adjustmentNote.label }))
      else if (target?.invoiceGuid)
        toast.success(
          t('payments:refund.doneOwing', { number: target.invoiceNumber, amount: f.money(made.amountCents) }),
        )
      else toast.success(t('payments:refund.doneCredit'))
      onClose()
    },
  })
  const most = target?.maxCents ?? 0
  const isTooMuch = amount !== null && amount > most
  const isCard = target !== undefined && cards.includes(target.method)
  const choose = (next: string) => {
    setKey(next)
    setGiven(new Map())
    setTyped(targets.find((candidate) => candidate.key === next)?.maxCents ?? null)
  }
  const chooseReason = (value: string | null) => {
    const reason = refundReasons.find((known) => known === value) ?? 'other'
    setReason(reason)
    const credit = targets.find((candidate) => candidate.invoiceGuid === null)
    if (reason === 'duplicate' && credit && credit.key !== key) choose(credit.key)
  }
  const give = () => {
    if (!target || !amount) return
    const chosen = choosesLines
      ? { lines: [...given].flatMap(([lineGuid, cents]) => (cents > 0 ? [{ lineGuid, cents }] : [])) }
      : {}
    refund.mutate({
      paymentGuid: target.paymentGuid,
      ...(target.invoiceGuid ? { invoiceGuid: target.invoiceGuid } : {}),
      amountCents: amount,
      reasonCode,
      note: note.trim() || null,
      ...chosen,
      ...(way && !isCard ? { method: way } : {}),
    })
  }
  const effect = () => {
    if (!target) return ''
    if (target.invoiceGuid === null) return t('payments:refund.effectCredit')
    if (!takesNote)
      return t('payments:refund.effectOwing', { number: target.invoiceNumber, amount: f.money(amount ?? 0) })
    return t(isCard ? 'payments:refund.card' : 'payments:refund.manual')
  }
  return (
    <AskDialog
      title={t('payments:refund.title')}
      action={t('payments:refund.action', { amount: f.money(amount ?? 0) })}
      error={refund.error}
      isBusy={refund.isPending}
      isBlocked={!target || !amount || amount <= 0 || isTooMuch}
      onClose={onClose}
      onAsk={give}
    >
      <ChoiceInput
        label={targetLabel}
        data={targets.map((candidate) => ({
          value: candidate.key,
          label: `${candidate.label} · ${f.money(candidate.maxCents)}`,
        }))}
        value={key}
        onChange={(value) => choose(value ?? '')}
      />
      <ChoiceInput
        label={t('payments:refund.reason')}
        data={refundReasons.map((value) => ({ value, label: phraseOr(`payments:reasons.${value}`, value) }))}
        value={reasonCode}
        onChange={chooseReason}
      />
      {takesNote && lines.length > 0 ? (
        <Radio.Group
          label={t('payments:refund.what')}
          value={isByLine ? 'lines' : 'share'}
          onChange={(value) => setByLine(value === 'lines')}
        >
          <div className="row refund-ways">
            <Radio value="share" label={t('payments:refund.byShare')} />
            <Radio value="lines" label={t('payments:refund.byLine')} />
          </div>
        </Radio.Group>
      ) : null}
      {choosesLines ? (
        <GivenLines
          lines={lines}
          given={given}
          amountCents={amount ?? 0}
          maxCents={most}
          onGive={(guid, cents) => setGiven(new Map(given).set(guid, cents ?? 0))}
        />
      ) : (
        <MoneyInput
          label={t('payments:refund.amount')}
          value={typed}
          onChange={setTyped}
          description={isTooMuch ? null : t('payments:refund.most', { amount: f.money(most) })}
          error={isTooMuch ? t('payments:refund.most', { amount: f.money(most) }) : null}
          data-autofocus
        />
      )}
      {target && !isCard ? (
        <ChoiceInput
          label={t('payments:refund.way')}
          data={manualMethods.map((value) => ({ value, label: methodText(value) }))}
          value={way ?? target.method}
          onChange={(value) => setWay(manualMethods.find((known) => known === value) ?? null)}
        />
      ) : null}
      <Textarea
        label={t('payments:refund.note')}
        autosize
        minRows={2}
        maxLength={1000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <p className="muted small no-margin" aria-live="polite">
        {unbroken(effect())}
      </p>
    </AskDialog>
  )
}
