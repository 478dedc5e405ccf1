import { useEffect, useEffectEvent, useState } from 'react'
import { serviceApi, type ServiceInvoice } from '../../contract/service.ts'
import { asApiError } from '../core/api/error.ts'
import { dropReads, queryClient, useWrite } from '../core/api/hooks.ts'
import type { Answer } from '../core/api/types.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { CardProblem, type CardProvider } from './card-provider.ts'

/** How a payment stands, whatever it is for. */
type Paid = Pick<Answer<typeof serviceApi.pay>, 'payment'>

/** What is paid, and the card it is paid with. */
export interface Wish<W> {
  what: W
  token: string
}

export type Phase<W> =
  | { step: 'form' }
  | { step: 'sending' }
  /** The payer is with his bank. */
  | { step: 'approving' }
  /** The provider has the payment and has not decided yet; with `actionUrl` it waits for the payer. */
  | { step: 'waiting'; attempt: string; amountCents: number; actionUrl: string | null }
  /** Nobody answered: asking again with the same input has the same single effect. */
  | { step: 'unsure'; wish: Wish<W> }
  | { step: 'done'; amountCents: number; receiptNumber: string | null }

const firstLookMs = 1500
const slowestLookMs = 10_000

/** Refused for certain: nothing was charged. Any other silence leaves it open. */
const isCertain = (code: number, name: string) => code < 500 || name === 'OVERLOADED' || name === 'UNAVAILABLE'

/** Looks every few seconds, ever more slowly, how an open payment stands. */
function useLookAgain(attempt: string | null, look: (attempt: string) => Promise<unknown>) {
  const onLook = useEffectEvent(look)
  useEffect(() => {
    if (!attempt) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isGone = false
    const again = (afterMs: number) => {
      const lookAndGoOn = async () => {
        if (!document.hidden) await onLook(attempt)
        if (!isGone) again(Math.min(slowestLookMs, afterMs * 1.3))
      }
      timer = setTimeout(() => void lookAndGoOn(), afterMs)
    }
    again(firstLookMs)
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [attempt])
}

interface Road<W> {
  pay: (wish: Wish<W>) => Promise<Paid>
  settle: (attempt: string) => Promise<Paid>
  /** A payment that was begun before and is not settled yet. */
  open: { guid: string; amountCents: number; actionUrl: string | null } | null
  /** What is said where it is no longer what the payer saw. */
  staleText: string
  /** How a refusal is said. */
  refused?: (reason: string, name: string) => string
}

/** One card payment from the form to its receipt, over the bank's page and over silence on the way. */
export function useCardPayment<W>({ pay, settle, open, staleText, refused = (reason) => reason }: Road<W>) {
  const t = useT('service')
  const text = useErrorText()
  const [phase, setPhase] = useState<Phase<W>>({ step: 'form' })
  const [problem, setProblem] = useState<string | null>(null)
  const [decided, setDecided] = useState<string | null>(null)

  const take = ({ payment }: Paid) => {
    const { status, amountCents, receiptNumber, failure, actionUrl } = payment
    if (status === 'succeeded' || status === 'failed') setDecided(payment.guid)
    if (status === 'succeeded') setPhase({ step: 'done', amountCents, receiptNumber })
    else if (status === 'failed') {
      setProblem(t('service:pay.declined', { reason: failure?.message ?? '' }))
      setPhase({ step: 'form' })
    } else
      setPhase({
        step: 'waiting',
        attempt: payment.guid,
        amountCents,
        actionUrl: status === 'requires_action' ? actionUrl : null,
      })
  }
  const look = (attempt: string) => settle(attempt).then(take, () => undefined)
  const approve = async (cards: CardProvider, open: { attempt: string; amountCents: number; actionUrl: string }) => {
    setPhase({ step: 'approving' })
    await cards.approve(open.actionUrl).catch(() => undefined)
    setPhase({ step: 'waiting', ...open })
    await look(open.attempt)
  }
  const problemOf = (error: ReturnType<typeof asApiError>) => {
    if (error.error === 'PAYMENT_DECLINED') return t('service:pay.declined', { reason: error.message })
    if (error.error === 'STALE_VERSION') return staleText
    return error.responseCode >= 500 ? error.message : refused(text(error), error.error)
  }
  const send = async (wish: Wish<W>, cards: CardProvider) => {
    setPhase({ step: 'sending' })
    try {
      const paid = await pay(wish)
      const { guid: attempt, status, amountCents, actionUrl } = paid.payment
      if (status === 'requires_action' && actionUrl) await approve(cards, { attempt, amountCents, actionUrl })
      else take(paid)
    } catch (failure) {
      const error = asApiError(failure)
      if (!isCertain(error.responseCode, error.error)) return setPhase({ step: 'unsure', wish })
      setProblem(problemOf(error))
      setPhase({ step: 'form' })
      void dropReads(queryClient, ['service'])
    }
  }
  const start = async (cards: CardProvider, what: W, getToken: () => Promise<string>) => {
    setProblem(null)
    setPhase({ step: 'sending' })
    try {
      await send({ what, token: await getToken() }, cards)
    } catch (failure) {
      // A wrong field is marked inside the provider's form.
      if (!(failure instanceof CardProblem) || failure.reason === 'failed') setProblem(t('service:pay.noToken'))
      setPhase({ step: 'form' })
    }
  }

  const found: Phase<W> | null =
    open && open.guid !== decided
      ? { step: 'waiting', attempt: open.guid, amountCents: open.amountCents, actionUrl: open.actionUrl }
      : null
  const shown = phase.step === 'form' && found ? found : phase
  useLookAgain(shown.step === 'waiting' ? shown.attempt : null, look)
  return { phase: shown, problem, start, send, approve, again: () => setPhase({ step: 'form' }) }
}
export type CardPayment<W> = ReturnType<typeof useCardPayment<W>>

/** Paying an invoice, or a part of it: how many cents. */
export function usePayment(guid: string, invoice: ServiceInvoice, isCustomer: boolean) {
  const t = useT('service')
  const pay = useWrite(serviceApi.pay)
  const settle = useWrite(serviceApi.settle)
  const { documentSha256, openAttempt } = invoice
  return useCardPayment<number>({
    pay: ({ what: amountCents, token: paymentMethodToken }) =>
      pay.mutateAsync({ guid, documentSha256, paymentMethodToken, amountCents }),
    settle: (paymentGuid) => settle.mutateAsync({ guid, paymentGuid }),
    open: isCustomer ? openAttempt : null,
    staleText: t('service:invoice.stale'),
  })
}
export type Payment = CardPayment<number>
