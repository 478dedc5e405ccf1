import { Alert } from '@mantine/core'
import { useState } from 'react'
import { serviceApi } from '../../contract/service.ts'
import { useRead } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import type { Format } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { LoadingLines } from '../core/ui/states.tsx'
import { CardForm } from './card-form.tsx'
import type { CardProvider } from './card-provider.ts'
import { Panel, useStaffReason } from './parts.tsx'
import { PayProblem, Undecided } from './pay-panel.tsx'
import type { StatementChoice } from './statement-choice.ts'
import type { CardPayment } from './use-payment.ts'

export type Parts = { guid: string; cents: number }[]

interface Props {
  guid: string
  choice: StatementChoice
  payment: CardPayment<Parts>
  f: Format
}

function CardPart({ guid, choice, payment, f }: Props) {
  const t = useT('service')
  const text = useErrorText()
  const config = useRead(serviceApi.statementToken, { guid }, { staleTime: Number.POSITIVE_INFINITY })
  const [cards, setCards] = useState<CardProvider | null>(null)
  const { ticked, totalCents, isReady } = choice
  const wrong = ticked.find(({ isAmount }) => !isAmount)
  const isForm = payment.phase.step === 'form' || payment.phase.step === 'sending'
  if (config.error) return <Alert color="red" variant="light" role="alert" title={text(config.error)} />
  if (!config.data) return <LoadingLines lines={4} />
  const pay = (provider: CardProvider, getToken: () => Promise<string>) => {
    if (!isReady) return document.querySelector<HTMLElement>('.owed-rows [aria-invalid="true"]')?.focus()
    const parts = ticked.map(({ invoice, cents }) => ({ guid: invoice.serviceGuid, cents: cents ?? 0 }))
    return void payment.start(provider, parts, getToken)
  }
  return (
    <>
      <Undecided payment={payment} cards={cards} f={f} />
      {payment.problem && isForm ? <PayProblem text={payment.problem} /> : null}
      <div className="stack" hidden={!isForm || ticked.length === 0}>
        <p className="no-margin" aria-live="polite">
          {isReady
            ? t('service:statement.chosen', { count: ticked.length, amount: f.money(totalCents) })
            : t('service:statement.correct', { number: wrong?.invoice.number ?? '' })}
        </p>
        <CardForm
          config={config.data}
          amountCents={Math.max(totalCents, 1)}
          amount={isReady ? f.money(totalCents) : null}
          isBusy={payment.phase.step === 'sending'}
          onCards={setCards}
          onPay={pay}
        />
      </div>
      {isForm && ticked.length === 0 ? <p className="muted no-margin">{t('service:statement.none')}</p> : null}
    </>
  )
}

/** Paying what is ticked by card or wallet, with one charge. */
export function StatementPay(props: Props) {
  const t = useT('service')
  const staffReason = useStaffReason()
  return (
    <Panel id="pay" title={t('service:pay.title')} className="no-print">
      {staffReason ? <p className="muted no-margin">{staffReason}</p> : <CardPart {...props} />}
      <p className="muted small no-margin">{t('service:pay.safe')}</p>
    </Panel>
  )
}
