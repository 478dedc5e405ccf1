import { TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { businessesApi } from '../../contract/businesses.ts'
import { addDays } from '../../contract/core/dates.ts'
import { customersApi } from '../../contract/customers.ts'
import { manualMethods, paymentsApi } from '../../contract/payments.ts'
import { pathTo } from '../../contract/nouns.ts'
import { OfBusiness } from '../core/api/of-business.ts'
import { asApiError } from '../core/api/error.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { type Businesses, useBusinesses } from '../core/layout/use-businesses.ts'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { DateInput } from '../core/ui/date-input.tsx'
import { MoneyInput } from '../core/ui/inputs.tsx'
import { LookupInput } from '../core/ui/lookup.tsx'
import { useGo } from '../core/ui/params.ts'
import { toastWithAction } from '../core/ui/toast.tsx'
import { AskDialog } from '../record/ask-dialog.tsx'
import { type OpenInvoice, propose, smallDifference, takes } from './allocation.ts'
import { useOpenOrders } from './use-open-orders.ts'
import { AllocationLines } from './allocation-lines.tsx'
import { useOpenInvoices } from './use-open-invoices.ts'

export interface RecordPaymentProps {
  /** Whose money it is; asked for when nobody knows yet. */
  customer: { guid: string; name: string } | null
  /** The order it is recorded from: it is a prepayment of that. */
  order?: { guid: string; businessGuid: string }
  /** The invoice it is recorded from: it is paid first. */
  first?: OpenInvoice & { businessGuid: string }
  onClose: () => void
}

/**
 * Money that came in by transfer, cash or cheque: for as many invoices as it pays; the rest is
 * kept as the customer's credit.
 */
export function RecordPayment(props: RecordPaymentProps) {
  const own = useBusinesses()
  const [business, setBusiness] = useState((props.first ?? props.order)?.businessGuid ?? null)
  const taker = business ?? own?.business.guid ?? null
  const choice =
    own?.isEverywhere && !props.first && !props.order ? (
      <TakerChoice businesses={own.businesses} taker={taker} onChange={setBusiness} />
    ) : null
  return (
    <OfBusiness value={taker}>
      <Dialog key={taker} {...props} choice={choice} />
    </OfBusiness>
  )
}

interface TakerChoiceProps {
  businesses: Businesses['businesses']
  taker: string | null
  onChange: (guid: string) => void
}

/** Whose money it is, where the window shows all businesses. */
function TakerChoice({ businesses, taker, onChange }: TakerChoiceProps) {
  const t = useT('payments')
  return (
    <ChoiceInput
      label={t('payments:record.business')}
      data={businesses.map(({ guid, name }) => ({ value: guid, label: name }))}
      value={taker}
      onChange={(guid) => guid && onChange(guid)}
    />
  )
}

function Dialog({ customer, first, order, choice, onClose }: RecordPaymentProps & { choice: ReactNode }) {
  const t = useT('payments')
  const f = useFormat()
  const go = useGo()
  const current = useRead(businessesApi.current, {}).data?.business
  const today = current?.today
  const limitCents = current?.writeOffLimitCents ?? 0
  const [customerGuid, setCustomer] = useState(customer?.guid ?? null)
  const [amount, setAmount] = useState<number | null>(first?.balanceCents || null)
  const [method, setMethod] = useState<(typeof manualMethods)[number]>('bank_transfer')
  const [day, setDay] = useState<string | null>(null)
  const [reference, setReference] = useState(first?.number ?? '')
  const [own, setOwn] = useState<ReadonlyMap<string, number>>(new Map())
  const [givenUp, setGivenUp] = useState<ReadonlySet<string>>(new Set())
  const invoices = useOpenInvoices(customerGuid, first, current?.entityGuid)
  const orders = useOpenOrders(customerGuid)
  const [orderGuid, setOrder] = useState(order?.guid ?? null)
  const proposal = propose(amount ?? 0, invoices, own, orderGuid)
  const { cents, creditCents } = proposal
  const receivedOn = day ?? today
  const through = current?.lockedThrough
  /** The day it counts from, where the day it came is locked. */
  const countsFrom = through && receivedOn && receivedOn <= through ? addDays(through, 1) : null
  const record = useWrite(paymentsApi.create, {
    onSuccess: ({ payment }) => {
      const left = { name: payment.number, amount: f.money(payment.unallocatedCents) }
      const kept = payment.unallocatedCents
        ? payment.orderNumber
          ? t('payments:record.donePrepaid', { ...left, number: payment.orderNumber })
          : t('payments:record.doneCredit', left)
        : t('payments:record.done', { name: payment.number })
      const said = countsFrom ? `${kept} ${t('payments:record.counts', { day: f.date(countsFrom) })}` : kept
      void toastWithAction(said, t('payments:record.view'), () => void go(pathTo('Payments', payment.guid)))
      onClose()
    },
  })
  const fieldError = (path: string) =>
    record.error ? asApiError(record.error).errors.find((error) => error.path === path)?.message : undefined
  const isTooMuch = invoices.some((invoice) => (cents.get(invoice.guid) ?? 0) > takes(invoice))
  const save = () => {
    if (!amount || !receivedOn || !customerGuid) return
    const allocations = invoices.flatMap((invoice) => {
      const part = cents.get(invoice.guid) ?? 0
      const difference = givenUp.has(invoice.guid) ? smallDifference(invoice, part, limitCents) : 0
      return part
        ? [{ invoiceGuid: invoice.guid, cents: part, ...(difference > 0 ? { writeOffCents: difference } : {}) }]
        : []
    })
    record.mutate({
      customerGuid,
      ...(orderGuid ? { orderGuid } : {}),
      method,
      receivedOn,
      amountCents: amount,
      reference: reference.trim() || null,
      allocations,
    })
  }
  return (
    <AskDialog
      title={t('payments:record.title')}
      action={t('payments:record.action')}
      error={record.error}
      isBusy={record.isPending}
      isBlocked={!customerGuid || !amount || amount <= 0 || !receivedOn || creditCents < 0 || isTooMuch}
      onClose={onClose}
      onAsk={save}
    >
      {choice}
      {customer ? (
        <p className="muted no-margin">{customer.name}</p>
      ) : (
        <LookupInput
          label={t('payments:customer')}
          op={customersApi.list}
          input={{ sort: 'displayName' }}
          option={(item) => ({
            value: item.guid,
            label: item.displayName,
            hint: item.balanceCents ? t('payments:record.owing', { amount: f.money(item.balanceCents) }) : '',
          })}
          value={customerGuid}
          onChange={(guid) => {
            setCustomer(guid)
            setOrder(null)
            setOwn(new Map())
          }}
          error={fieldError('customerGuid')}
          required
          autoFocus
        />
      )}
      <div className="payment-fields">
        <MoneyInput
          label={t('payments:amount')}
          value={amount}
          onChange={setAmount}
          error={fieldError('amountCents') ?? fieldError('allocations')}
          {...(customer ? { 'data-autofocus': true } : {})}
        />
        <DateInput
          label={t('payments:receivedOn')}
          {...(today ? { max: today } : {})}
          value={receivedOn ?? ''}
          description={
            countsFrom && through
              ? t('payments:record.locked', { day: f.date(through), from: f.date(countsFrom) })
              : undefined
          }
          error={fieldError('receivedOn')}
          onChange={setDay}
        />
        <ChoiceInput
          label={t('payments:method')}
          data={manualMethods.map((value) => ({ value, label: phraseOr(`payments:methods.${value}`, value) }))}
          value={method}
          onChange={(value) => setMethod(manualMethods.find((known) => known === value) ?? 'other')}
        />
        <TextInput
          label={t('payments:reference')}
          maxLength={80}
          value={reference}
          error={fieldError('reference')}
          onChange={(event) => setReference(event.currentTarget.value)}
        />
      </div>
      {orders.length > 0 ? (
        <ChoiceInput
          label={t('payments:record.order')}
          description={orderGuid ? t('payments:record.orderHint') : undefined}
          data={[
            { value: '', label: t('payments:record.noOrder') },
            ...orders.map(({ guid, number, title }) => ({ value: guid, label: `${number} ${title}` })),
          ]}
          value={orderGuid ?? ''}
          onChange={(guid) => setOrder(guid || null)}
          error={fieldError('orderGuid')}
        />
      ) : null}
      {customerGuid ? (
        <AllocationLines
          invoices={invoices}
          proposal={proposal}
          own={own}
          onOwn={setOwn}
          limitCents={limitCents}
          givenUp={givenUp}
          isForOrder={orderGuid !== null}
          onGiveUp={(guid, isGivenUp) => {
            const next = new Set(givenUp)
            if (isGivenUp) next.add(guid)
            else next.delete(guid)
            setGivenUp(next)
          }}
          errorOf={(index) =>
            fieldError(`allocations.${index}.cents`) ??
            fieldError(`allocations.${index}.writeOffCents`) ??
            fieldError(`allocations.${index}.invoiceGuid`)
          }
        />
      ) : null}
    </AskDialog>
  )
}
