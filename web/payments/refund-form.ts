import { useState } from 'react'
import { isHeading } from '../../contract/core/money.ts'
import { invoicesApi, type Invoice } from '../../contract/invoices.ts'
import type { Given } from '../../contract/code-amounts.ts'
import { paymentsApi } from '../../contract/payments.ts'
import { type RefundBasis, refundOutcomes } from '../../contract/refund-effects.ts'
import {
  defaultEffect,
  type RefundEffect,
  type RefundMethod,
  refundMethods,
  type RefundReason,
  refundReasonOf,
} from '../../contract/refunds.ts'
import { useMay } from '../core/api/can.ts'
import { asApiError } from '../core/api/error.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { toast } from '../core/ui/toast.tsx'
import type { RefundTarget } from './refund-targets.ts'

const cards = ['card', 'apple_pay', 'google_pay']
/** The bank account as it is typed. */
const noPayee = { accountName: '', bsb: '', accountNumber: '' }
export type PayeeField = keyof typeof noPayee

/** The lines of the invoice that something can be given back of, when there is a choice. */
function useLines(target: RefundTarget | undefined): Invoice['lines'] {
  const may = useMay()
  const guid = target?.invoiceGuid ?? null
  const read = useRead(invoicesApi.get, { guid: guid ?? '' }, { enabled: guid !== null && may(invoicesApi.get) })
  const lines =
    guid === null ? [] : (read.data?.invoice.lines ?? []).filter((line) => !isHeading(line) && line.totalCents > 0)
  return lines.length > 1 ? lines : []
}

/** How the invoice stands that money is given back of, and what may be given back without asking. */
function useBasis(target: RefundTarget | undefined): { basis: RefundBasis | undefined; freeCents: number | null } {
  const wish = {
    guid: target?.paymentGuid ?? '',
    ...(target?.invoiceGuid ? { invoiceGuid: target.invoiceGuid } : {}),
  }
  const { data } = useRead(paymentsApi.refundBasis, wish, { enabled: target !== undefined })
  return { basis: data?.basis ?? undefined, freeCents: data?.freeCents ?? null }
}

/** What is chosen of the lines, by kind of GST. */
function codesOf(lines: Invoice['lines'], given: ReadonlyMap<string, number>): Given {
  const codes: Given = {}
  for (const { guid, gstCode } of lines) codes[gstCode] = (codes[gstCode] ?? 0) + (given.get(guid) ?? 0)
  return codes
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
  // What no invoice took goes back first: that lowers no price, and nobody owes it again.
  const [key, setKey] = useState((targets.find((one) => one.invoiceGuid === null) ?? targets[0])?.key ?? '')
  const target = targets.find((candidate) => candidate.key === key)
  const [typed, setTyped] = useState<number | null>(target?.maxCents ?? null)
  const [chosenReason, setReason] = useState<RefundReason | null>(null)
  const reasonCode = chosenReason ?? (target && target.invoiceGuid === null ? 'duplicate' : 'price_adjustment')
  const [chosenEffect, setEffect] = useState<RefundEffect | null>(null)
  const [method, setMethod] = useState<RefundMethod>('original')
  const [payee, setPayee] = useState(noPayee)
  const [isByLine, setByLine] = useState(false)
  const [given, setGiven] = useState<ReadonlyMap<string, number>>(new Map())
  const [note, setNote] = useState('')
  const lines = useLines(target)
  const { basis, freeCents } = useBasis(target)
  const refund = useRefund(target, onDone)

  const effect = chosenEffect ?? defaultEffect(reasonCode)
  const makesNote = target !== undefined && target.invoiceGuid !== null && effect === 'price_reduced'
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
  const hasPayee = method === 'bank' && Object.values(payee).some((text) => text.trim() !== '')
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
      ...(target.invoiceGuid ? { effect } : {}),
      method,
      ...(hasPayee ? { payee } : {}),
    })
  }
  return {
    target,
    choose,
    reasonCode,
    /** Changes neither where the money comes from nor how much it is. */
    chooseReason: (value: string | null) => setReason(refundReasonOf(value ?? '')),
    effect,
    setEffect,
    outcomes:
      basis && amount && !isTooMuch ? refundOutcomes(basis, amount, choosesLines ? codesOf(lines, given) : null) : null,
    basis,
    freeCents,
    /** Somebody else decides first. */
    isAsked: freeCents !== null && amount !== null && !isTooMuch && amount > freeCents,
    method,
    setMethod: (value: string | null) => setMethod(refundMethods.find((known) => known === value) ?? 'original'),
    payee,
    setPayee: (field: PayeeField, value: string) => setPayee({ ...payee, [field]: value }),
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
    /** What the server said of a field. */
    errorOf: (path: string) =>
      refund.error ? asApiError(refund.error).errors.find((error) => error.path === path)?.message : undefined,
    send,
  }
}
export type RefundForm = ReturnType<typeof useRefundForm>
