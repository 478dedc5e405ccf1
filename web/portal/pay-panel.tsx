import { Alert, Button, Loader } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { serviceApi, type ServiceInvoice } from '../../contract/service.ts'
import { useRead } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import type { Format } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { MoneyInput } from '../core/ui/inputs.tsx'
import { LoadingLines } from '../core/ui/states.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { CardForm } from './card-form.tsx'
import type { CardProvider } from './card-provider.ts'
import { Panel, useStaffReason } from './parts.tsx'
import type { CardPayment, Payment } from './use-payment.ts'

interface PayPanelProps {
  guid: string
  invoice: ServiceInvoice
  payment: Payment
  f: Format
}

/** All of it, unless the payer asks to pay a part. */
function AmountChoice({
  balanceCents,
  amountCents,
  onChange,
  problem,
  f,
}: {
  balanceCents: number
  amountCents: number | null
  onChange: (cents: number | null) => void
  problem: string | null
  f: Format
}) {
  const t = useT('service')
  const [isPart, setPart] = useState(false)
  const toggle = () => {
    setPart(!isPart)
    onChange(balanceCents)
  }
  return (
    <div className="stack amount-choice">
      {isPart ? (
        <MoneyInput
          label={t('service:pay.amount')}
          description={problem ? null : t('service:pay.amountHint', { balance: f.money(balanceCents) })}
          value={amountCents}
          onChange={onChange}
          error={problem}
          autoFocus
        />
      ) : null}
      <Button variant="subtle" size="compact-sm" onClick={toggle}>
        {isPart ? t('service:pay.all', { balance: f.money(balanceCents) }) : t('service:pay.part')}
      </Button>
    </div>
  )
}

/**
 * Why a payment did not go through, brought before whoever pressed the button: on a phone the head of the panel is far
 * above it, and a button that was busy has lost the focus.
 */
export function PayProblem({ text }: { text: string }) {
  const alert = useRef<HTMLDivElement>(null)
  useEffect(() => {
    alert.current?.focus({ preventScroll: true })
    alert.current?.scrollIntoView({ block: 'center' })
  }, [text])
  return (
    <Alert ref={alert} color="red" variant="light" role="alert" tabIndex={-1}>
      {unbroken(text)}
    </Alert>
  )
}

/** While the provider or the bank decides, and while nobody knows. */
export function Undecided<W>({
  payment,
  cards,
  f,
}: {
  payment: CardPayment<W>
  cards: CardProvider | null
  f: Format
}) {
  const t = useT('service')
  const { phase } = payment
  if (phase.step === 'unsure')
    return (
      <Alert color="yellow" variant="light" role="alert" title={t('service:pay.unsure')}>
        <p>{t('service:pay.unsureText')}</p>
        <Button size="compact-md" disabled={!cards} onClick={() => cards && void payment.send(phase.wish, cards)}>
          {t('service:pay.check')}
        </Button>
      </Alert>
    )
  if (phase.step !== 'waiting' && phase.step !== 'approving') return null
  const actionUrl = phase.step === 'waiting' ? phase.actionUrl : null
  return (
    <div className="pay-waiting" role="status">
      <Loader size="sm" />
      <p className="strong no-margin">
        {actionUrl || phase.step === 'approving' ? t('service:pay.bank') : t('service:pay.processing')}
      </p>
      {phase.step === 'waiting' ? (
        <p className="muted small no-margin">
          {actionUrl
            ? t('service:pay.bankText', { amount: f.money(phase.amountCents) })
            : t('service:pay.processingText', { amount: f.money(phase.amountCents) })}
        </p>
      ) : null}
      {actionUrl && phase.step === 'waiting' ? (
        <Button disabled={!cards} onClick={() => cards && void payment.approve(cards, { ...phase, actionUrl })}>
          {t('service:pay.toBank')}
        </Button>
      ) : null}
    </div>
  )
}

function CardPart({ guid, invoice, payment, f }: PayPanelProps) {
  const t = useT('service')
  const text = useErrorText()
  const config = useRead(serviceApi.paymentToken, { guid }, { staleTime: Number.POSITIVE_INFINITY })
  const [cards, setCards] = useState<CardProvider | null>(null)
  const [typed, setTyped] = useState<number | null | undefined>(undefined)
  const balanceCents = invoice.balanceCents
  const amountCents = typed === undefined ? balanceCents : typed
  const isAmount = amountCents !== null && amountCents >= 1 && amountCents <= balanceCents
  const amountProblem = isAmount ? null : t('service:pay.amountWrong', { balance: f.money(balanceCents) })
  const isForm = payment.phase.step === 'form' || payment.phase.step === 'sending'
  if (config.error) return <Alert color="red" variant="light" role="alert" title={text(config.error)} />
  if (!config.data) return <LoadingLines lines={4} />
  return (
    <>
      <Undecided payment={payment} cards={cards} f={f} />
      {payment.problem && isForm ? <PayProblem text={payment.problem} /> : null}
      <div className="stack" hidden={!isForm}>
        <AmountChoice
          balanceCents={balanceCents}
          amountCents={amountCents}
          onChange={setTyped}
          problem={amountProblem}
          f={f}
        />
        <CardForm
          config={config.data}
          amountCents={isAmount ? amountCents : balanceCents}
          amount={isAmount ? f.money(amountCents) : null}
          isBusy={payment.phase.step === 'sending'}
          onCards={setCards}
          onPay={(provider, getToken) => {
            if (isAmount) void payment.start(provider, amountCents, getToken)
            else document.querySelector<HTMLElement>('#pay [aria-invalid="true"]')?.focus()
          }}
        />
      </div>
    </>
  )
}

/** Paying by card or wallet, on the page itself. */
export function PayPanel(props: PayPanelProps) {
  const t = useT('service')
  const staffReason = useStaffReason()
  return (
    <Panel id="pay" title={t('service:pay.title')} className="no-print">
      {staffReason ? <p className="muted no-margin">{staffReason}</p> : <CardPart {...props} />}
      <p className="muted small no-margin">{t('service:pay.safe')}</p>
    </Panel>
  )
}
