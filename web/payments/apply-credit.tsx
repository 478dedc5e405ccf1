import { Checkbox } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { Output } from '../../contract/core/op.ts'
import { paidBy, proposedUses } from '../../contract/credit-uses.ts'
import { paymentsApi } from '../../contract/payments.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { MoneyInput } from '../core/ui/inputs.tsx'
import { Money } from '../core/ui/money.tsx'
import { toast } from '../core/ui/toast.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { AskDialog } from '../record/ask-dialog.tsx'
import { RecordLink } from '../record/record-link.tsx'
import './payments.css'

type Plan = Output<typeof paymentsApi.applyCredit>
type Written = ReadonlyMap<string, number>

/** Which money somebody left out, and what he wrote beside invoices; nothing written: the oldest due are proposed. */
interface Choice {
  without: ReadonlySet<string>
  own: Written
}

/** What is paid by what: the oldest of the chosen money first. */
function usesOf({ credits, invoices }: Plan, { without, own }: Choice) {
  const money = credits.filter(({ guid }) => !without.has(guid))
  const wanted = invoices.map((one) => ({ ...one, cents: own.size > 0 ? (own.get(one.guid) ?? 0) : one.cents }))
  return proposedUses(money, wanted)
}

/** Lets a customer's credit pay invoices: proposed is the oldest money for what was due first. */
export function ApplyCredit({ customer, onClose }: { customer: { guid: string; name: string }; onClose: () => void }) {
  const t = useT('payments')
  const f = useFormat()
  const { mutate: ask, data: plan, error: refusal } = useWrite(paymentsApi.applyCredit)
  useEffect(() => ask({ guid: customer.guid, dryRun: true }), [ask, customer.guid])
  const [choice, setChoice] = useState<Choice>({ without: new Set(), own: new Map() })
  const uses = plan ? usesOf(plan, choice) : []
  const used = uses.reduce((sum, one) => sum + one.cents, 0)
  const writtenCents = [...choice.own.values()].reduce((sum, cents) => sum + cents, 0)
  const isOver = plan?.invoices.some(({ guid, cents }) => (choice.own.get(guid) ?? 0) > cents) === true
  const isShort = writtenCents > used
  const write = useWrite(paymentsApi.applyCredit, {
    onSuccess: () => {
      toast.success(t('payments:applyCredit.done', { amount: f.money(used) }))
      onClose()
    },
  })
  return (
    <AskDialog
      title={t('payments:applyCredit.menu')}
      action={t('payments:applyCredit.action', { amount: f.money(used) })}
      error={write.error ?? refusal}
      isBusy={write.isPending}
      isBlocked={used === 0 || isOver || isShort}
      onClose={onClose}
      onAsk={() => write.mutate({ guid: customer.guid, allocations: uses })}
    >
      <p className="muted no-margin">{customer.name}</p>
      {plan ? (
        <>
          <CreditMoney plan={plan} choice={choice} onChoose={setChoice} />
          <CreditInvoices plan={plan} choice={choice} paid={paidBy(uses)} onChoose={setChoice} />
          <ul className="plain-list muted small">
            {uses.map((one) => (
              <li key={`${one.paymentGuid} ${one.invoiceGuid}`}>
                {unbroken(
                  t('payments:applyCredit.line', {
                    payment: plan.credits.find(({ guid }) => guid === one.paymentGuid)?.number ?? '',
                    amount: f.money(one.cents),
                    number: plan.invoices.find(({ guid }) => guid === one.invoiceGuid)?.number ?? '',
                  }),
                )}
              </li>
            ))}
          </ul>
          <Rest plan={plan} used={used} missing={isShort ? writtenCents - used : 0} />
        </>
      ) : null}
    </AskDialog>
  )
}

function Rest({ plan, used, missing }: { plan: Plan; used: number; missing: number }) {
  const t = useT('payments')
  const f = useFormat()
  const left = plan.credits.reduce((sum, { cents }) => sum + cents, 0) - used
  return (
    <p className={`small no-margin ${missing > 0 ? 'overdue' : 'muted'}`} aria-live="polite">
      {missing > 0
        ? t('payments:applyCredit.short', { amount: f.money(missing) })
        : left > 0
          ? t('payments:applyCredit.left', { amount: f.money(left) })
          : t('payments:applyCredit.none')}
    </p>
  )
}

interface PartProps {
  plan: Plan
  choice: Choice
  onChoose: (choice: Choice) => void
}

function CreditMoney({ plan, choice, onChoose }: PartProps) {
  const t = useT('payments')
  const f = useFormat()
  const tick = (guid: string, isUsed: boolean) => {
    const without = new Set(choice.without)
    if (isUsed) without.delete(guid)
    else without.add(guid)
    onChoose({ ...choice, without })
  }
  return (
    <fieldset className="plain-fieldset payment-lines">
      <legend className="payment-legend">{t('payments:applyCredit.money')}</legend>
      {plan.credits.map(({ guid, number, receivedOn, cents, orderNumber }) => (
        <div key={guid} className="row spread">
          <span className="row">
            <Checkbox
              aria-label={t('payments:applyCredit.use', { number })}
              checked={!choice.without.has(guid)}
              onChange={(event) => tick(guid, event.currentTarget.checked)}
            />
            <span>
              <RecordLink noun="Payments" guid={guid}>
                {number}
              </RecordLink>
              <span className="cell-sub">
                {orderNumber
                  ? unbroken(t('payments:applyCredit.prepaid', { day: f.date(receivedOn), number: orderNumber }))
                  : f.date(receivedOn)}
              </span>
            </span>
          </span>
          <span className="tabular">
            <Money cents={cents} />
          </span>
        </div>
      ))}
    </fieldset>
  )
}

function CreditInvoices({ plan, choice, paid, onChoose }: PartProps & { paid: ReadonlyMap<string, number> }) {
  const t = useT('payments')
  const f = useFormat()
  const { own } = choice
  const amountOf = (guid: string) => (own.size > 0 ? own.get(guid) : paid.get(guid)) ?? 0
  const type = (guid: string, cents: number | null) =>
    onChoose({
      ...choice,
      own: new Map(plan.invoices.map((one) => [one.guid, amountOf(one.guid)])).set(guid, cents ?? 0),
    })
  return (
    <fieldset className="plain-fieldset payment-lines">
      <legend className="payment-legend">{t('payments:applyCredit.invoices')}</legend>
      {plan.invoices.map(({ guid, number, dueOn, cents }) => (
        <div key={guid} className="payment-line">
          <span>
            <RecordLink noun="Invoices" guid={guid}>
              {number}
            </RecordLink>
            <span className="cell-sub payment-facts">
              <span className="nowrap">{t('payments:record.owing', { amount: f.money(cents) })}</span>
              {dueOn ? <span className="nowrap">{t('payments:record.due', { day: f.date(dueOn) })}</span> : null}
            </span>
          </span>
          <MoneyInput
            aria-label={t('payments:record.pay', { number })}
            value={amountOf(guid) || null}
            onChange={(amount) => type(guid, amount)}
            error={(own.get(guid) ?? 0) > cents ? t('payments:refund.most', { amount: f.money(cents) }) : null}
          />
        </div>
      ))}
      {own.size > 0 ? (
        <button type="button" className="link small" onClick={() => onChoose({ ...choice, own: new Map() })}>
          {t('payments:record.again')}
        </button>
      ) : null}
    </fieldset>
  )
}
