import { useState } from 'react'
import { isHeading } from '../../contract/core/money.ts'
import { invoicesApi, type Invoice } from '../../contract/invoices.ts'
import { type manualMethods, paymentsApi, refundReasons, reopensInvoice } from '../../contract/payments.ts'
import { useMay } from '../core/api/can.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { toast } from '../core/ui/toast.tsx'
import type { RefundTarget } from './refund-targets.ts'

const cards = ['card', 'apple_pay', 'google_pay']
export type RefundMethod = (typeof manualMethods)[number]

/** The lines of the invoice that something can be given back of, when there is a choice. */
function useLines(target: RefundTarget | undefined): Invoice['lines'] {
  const may = useMay()
  const guid = target?.invoiceGuid ?? null
  const read = useRead(invoicesApi.get, { guid: guid ?? '' }, { enabled: guid !== null && may(invoicesApi.get) })
  const lines =
    guid === null ? [] : (read.data?.invoice.lines ?? []).filter((line) => !isHeading(line) && line.totalCents > 0)
  return lines.length > 1 ? lines : []
}

/** Gives the money back, and says what became of it. */
function useRefund(target: RefundTarget | undefined, onDone: () => void) {
  const t = useT('payments')
  const f = useFormat()
  return useWrite(paymentsApi.refund, {
    onSuccess: ({ refund, adjustmentNote }) => {
      if (refund.status === 'requested') toast.info(t('payments:requests.sent'))
      else if (refund.status !== 'succeeded') toast.info(t('payments:refund.processing'))
      else if (adjustmentNote) toast.success(t('payments:refund.done', { number: adjustmentNote.label }))
      else if (target?.invoiceGuid)
        toast.success(
          t('payments:refund.doneOwing', { number: target.invoiceNumber, amount: f.money(refund.amountCents) }),
        )
      else toast.success(t('payments:refund.doneCredit'))
      onDone()
    },
  })
}

/** What is chosen and typed in the dialog of a refund, and what follows from it. Amounts in cents. */
export function useRefundForm(targets: readonly RefundTarget[], onDone: () => void) {
  const [key, setKey] = useState(targets[0]?.key ?? '')
  const target = targets.find((candidate) => candidate.key === key)
  const [typed, setTyped] = useState<number | null>(target?.maxCents ?? null)
  const [reasonCode, setReason] = useState<(typeof refundReasons)[number]>('price_adjustment')
  const [method, setMethod] = useState<RefundMethod | null>(null)
  const [isByLine, setByLine] = useState(false)
  const [given, setGiven] = useState<ReadonlyMap<string, number>>(new Map())
  const [note, setNote] = useState('')
  const lines = useLines(target)
  const refund = useRefund(target, onDone)

  const makesNote = target !== undefined && target.invoiceGuid !== null && !reopensInvoice(reasonCode)
  const canChooseLines = makesNote && lines.length > 0
  const choosesLines = canChooseLines && isByLine
  const amount = choosesLines ? [...given.values()].reduce((sum, cents) => sum + cents, 0) : typed
  const maxCents = target?.maxCents ?? 0
  const isTooMuch = amount !== null && amount > maxCents
  const isCard = target !== undefined && cards.includes(target.method)

  const choose = (next: string) => {
    setKey(next)
    setGiven(new Map())
    setTyped(targets.find((candidate) => candidate.key === next)?.maxCents ?? null)
  }
  /** What came twice is mostly what no invoice took. */
  const chooseReason = (value: string | null) => {
    const reason = refundReasons.find((known) => known === value) ?? 'other'
    setReason(reason)
    const credit = targets.find((candidate) => candidate.invoiceGuid === null)
    if (reason === 'duplicate' && credit && credit.key !== key) choose(credit.key)
  }
  const chosenLines = () => [...given].flatMap(([lineGuid, cents]) => (cents > 0 ? [{ lineGuid, cents }] : []))
  const send = () => {
    if (!target || !amount) return
    refund.mutate({
      paymentGuid: target.paymentGuid,
      ...(target.invoiceGuid ? { invoiceGuid: target.invoiceGuid } : {}),
      amountCents: amount,
      reasonCode,
      note: note.trim() || null,
      ...(choosesLines ? { lines: chosenLines() } : {}),
      ...(method && !isCard ? { method } : {}),
    })
  }
  return {
    target,
    choose,
    reasonCode,
    chooseReason,
    method,
    setMethod,
    isByLine,
    setByLine,
    given,
    give: (lineGuid: string, cents: number | null) => setGiven(new Map(given).set(lineGuid, cents ?? 0)),
    typed,
    setTyped,
    note,
    setNote,
    lines,
    makesNote,
    canChooseLines,
    choosesLines,
    amountCents: amount ?? 0,
    maxCents,
    isTooMuch,
    isCard,
    isBlocked: !target || !amount || amount <= 0 || isTooMuch,
    refund,
    send,
  }
}
export type RefundForm = ReturnType<typeof useRefundForm>
