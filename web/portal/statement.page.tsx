import { BusinessLogo } from './business-logo.tsx'
import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { formatAbn } from '../../contract/core/abn.ts'
import type { PublicBusiness } from '../../contract/businesses.ts'
import { serviceApi } from '../../contract/service.ts'
import type { ServiceStatement } from '../../contract/service-statements.ts'
import { useUser } from '../core/api/auth-state.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import type { Format } from '../core/i18n/format.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { useGuid } from '../core/ui/params.ts'
import { unbroken } from '../core/ui/unbroken.tsx'
import { BankPanel } from './bank-panel.tsx'
import { Tick } from './invoice-amount.tsx'
import { ActionBar, ContactPanel, Panel, StaffNote, Toolbar } from './parts.tsx'
import { freshReads, ServiceGate } from './service-gate.tsx'
import { useServiceFormat } from './service-format.ts'
import { useStatementChoice } from './statement-choice.ts'
import { StatementInvoices } from './statement-invoices.tsx'
import { type Parts, StatementPay } from './statement-pay.tsx'
import { type CardPayment, useCardPayment } from './use-payment.ts'
import './service-statement.css'

interface ViewProps {
  guid: string
  statement: ServiceStatement
  business: PublicBusiness
}

function Head({ statement, business, f }: Omit<ViewProps, 'guid'> & { f: Format }) {
  const t = useT('service')
  return (
    <header className="card owed-head">
      <div className="letter-from">
        <BusinessLogo business={business} className="letter-logo">
          <span className="letter-name">{business.name}</span>
        </BusinessLogo>
        {business.abn ? (
          <span className="muted small">{t('service:abn', { abn: formatAbn(business.abn) })}</span>
        ) : null}
      </div>
      <div className="owed-of">
        <h1 className="no-margin">{t('service:statement.heading')}</h1>
        <p className="no-margin">{unbroken(statement.customer.name)}</p>
        <p className="muted small no-margin">{t('service:statement.asAt', { date: f.date(statement.on) })}</p>
      </div>
    </header>
  )
}

/** Right after paying: that it was received, under which number, and what is left. */
function Done({
  payment,
  statement,
  business,
  f,
  onAgain,
}: Omit<ViewProps, 'guid'> & { payment: CardPayment<Parts>; f: Format; onAgain: () => void }) {
  const t = useT('service')
  const heading = useRef<HTMLHeadingElement>(null)
  const { phase } = payment
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'center' })
    // What was paid leaves the page above, and moves the thanks out of sight.
  }, [statement.invoices.length, statement.receipts.length])
  if (phase.step !== 'done') return null
  return (
    <Panel className="receipt no-print">
      <Tick />
      <h2 ref={heading} tabIndex={-1} className="receipt-title">
        {t('service:receipt.thanks')}
      </h2>
      <p className="no-margin">
        {t('service:receipt.received', { amount: f.money(phase.amountCents), business: business.name })}
      </p>
      {phase.receiptNumber ? (
        <p className="muted no-margin">{unbroken(t('service:receipt.number', { number: phase.receiptNumber }))}</p>
      ) : null}
      {statement.owingCents > 0 ? (
        <>
          <p className="muted no-margin">{t('service:receipt.rest', { amount: f.money(statement.owingCents) })}</p>
          <Button variant="light" onClick={onAgain}>
            {t('service:receipt.payRest')}
          </Button>
        </>
      ) : (
        <p className="muted no-margin">{t('service:statement.nothing')}</p>
      )}
    </Panel>
  )
}

function Receipts({ statement, f }: { statement: ServiceStatement; f: Format }) {
  const t = useT('service')
  if (statement.receipts.length === 0) return null
  return (
    <Panel title={t('service:statement.receipts')}>
      <ul className="owed-receipts">
        {statement.receipts.map(({ number, method, receivedOn, cents, card, invoices }) => (
          <li key={number}>
            <div className="row spread">
              <span className="strong">{unbroken(t('service:receipt.number', { number }))}</span>
              <span className="strong tabular">{f.money(cents)}</span>
            </div>
            <span className="muted small block">
              {f.date(receivedOn)} · {phraseOr(`service:methods.${method}`, method)}
              {card ? ` · •••• ${card.last4}` : ''}
            </span>
            <ul className="owed-parts small">
              {invoices.map((one) => (
                <li key={one.number} className="row spread">
                  <span>{unbroken(one.number)}</span>
                  <span className="tabular">{f.money(one.cents)}</span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function StatementView({ guid, statement, business }: ViewProps) {
  const t = useT('service')
  const f = useServiceFormat(business.timeZone)
  const isCustomer = useUser() === null
  const choice = useStatementChoice(statement.invoices)
  const pay = useWrite(serviceApi.payStatement)
  const settle = useWrite(serviceApi.settleStatement)
  const payment = useCardPayment<Parts>({
    pay: ({ what: invoices, token: paymentMethodToken }) => pay.mutateAsync({ guid, invoices, paymentMethodToken }),
    settle: (paymentGuid) => settle.mutateAsync({ guid, paymentGuid }),
    open: isCustomer ? statement.openAttempt : null,
    staleText: t('service:statement.stale'),
    refused: (reason, name) =>
      name === 'BALANCE_EXCEEDED' ? t('service:statement.exceeded') : t('service:statement.refused', { reason }),
  })
  const isDone = payment.phase.step === 'done'
  const isOwing = statement.owingCents > 0
  const isPaying = isOwing && !isDone && statement.canPayByCard
  // A bank takes few characters as a reference.
  const numbers = statement.invoices.map(({ number }) => number)
  const reference = numbers.length <= 2 ? numbers.join(' ') : statement.customer.name
  return (
    <div className="service">
      <StaffNote />
      <Toolbar op={serviceApi.statementPdf} input={{ guid }} />
      <Head statement={statement} business={business} f={f} />
      <div className="service-grid">
        {isOwing ? (
          <StatementInvoices statement={statement} choice={choice} isFixed={!isCustomer || !isPaying} f={f} />
        ) : isDone ? null : (
          <Panel className="receipt">
            <Tick />
            <h2 className="receipt-title">{t('service:statement.nothing')}</h2>
          </Panel>
        )}
        <div className="service-rail">
          {isDone ? (
            <Done
              payment={payment}
              statement={statement}
              business={business}
              f={f}
              onAgain={() => {
                choice.reset()
                payment.again()
              }}
            />
          ) : null}
          {isPaying ? <StatementPay guid={guid} choice={choice} payment={payment} f={f} /> : null}
          <Receipts statement={statement} f={f} />
        </div>
        <div className="service-below">
          {isOwing ? <BankPanel invoice={{ number: reference }} business={business} /> : null}
          <ContactPanel business={business} subject={t('service:statement.heading')} />
        </div>
      </div>
      {isPaying && isCustomer ? (
        <ActionBar
          target="pay"
          label={t('service:statement.toPay')}
          amount={f.money(choice.totalCents)}
          action={t('service:pay.open')}
        />
      ) : null}
    </div>
  )
}

/** What is open, before its customer: tick, pay in one go, keep the receipt. */
export function Page() {
  const guid = useGuid()
  const t = useT('service')
  const read = useRead(serviceApi.statement, { guid }, freshReads)
  return (
    <ServiceGate
      read={read}
      guid={guid}
      language={({ statement }) => statement.customer.language}
      title={({ business }) => `${t('service:statement.heading')} · ${business.name}`}
    >
      {({ statement, business }) => <StatementView guid={guid} statement={statement} business={business} />}
    </ServiceGate>
  )
}
