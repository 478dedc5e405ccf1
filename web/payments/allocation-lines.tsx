import { Checkbox } from '@mantine/core'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { MoneyInput } from '../core/ui/inputs.tsx'
import { Money } from '../core/ui/money.tsx'
import {
  type OpenInvoice,
  paidInFull,
  type Proposal,
  smallDifference,
  takes,
  wantsMore,
  written,
} from './allocation.ts'
import './payments.css'

export interface AllocationLinesProps {
  invoices: readonly OpenInvoice[]
  proposal: Proposal
  /** Amounts that somebody has written himself; empty: the proposal counts. */
  own: ReadonlyMap<string, number>
  onOwn: (own: ReadonlyMap<string, number>) => void
  /** Small differences up to this may be given up, in cents; and those of which invoices are. */
  limitCents: number
  givenUp: ReadonlySet<string>
  onGiveUp: (guid: string, isGivenUp: boolean) => void
  /** What is left is kept for an order. */
  isForOrder?: boolean
  errorOf: (index: number) => string | undefined
}

/** What a payment is for, invoice by invoice, and what is left of it. */
export function AllocationLines({
  invoices,
  proposal,
  own,
  onOwn,
  limitCents,
  givenUp,
  onGiveUp,
  isForOrder = false,
  errorOf,
}: AllocationLinesProps) {
  const t = useT('payments')
  const f = useFormat()
  const { cents, creditCents } = proposal
  const paid = invoices.filter(({ guid }) => cents.get(guid))
  if (invoices.length === 0 && isForOrder) return null
  if (invoices.length === 0) return <p className="muted small no-margin">{t('payments:record.none')}</p>
  const kept = isForOrder ? t('payments:record.prepaid') : t('payments:record.credit')
  return (
    <fieldset className="plain-fieldset payment-lines" aria-labelledby="payment-lines">
      <div className="row spread">
        <span id="payment-lines" className="payment-legend">
          {t('payments:record.for')}
        </span>
        {own.size > 0 ? (
          <button type="button" className="link small" onClick={() => onOwn(new Map())}>
            {t('payments:record.again')}
          </button>
        ) : null}
      </div>
      {invoices.map((invoice) => {
        const { guid, number, dueOn, balanceCents, writtenOffCents = 0 } = invoice
        const difference = smallDifference(invoice, cents.get(guid) ?? 0, limitCents)
        const isTooMuch = (cents.get(guid) ?? 0) > takes(invoice)
        return (
          <div key={guid} className="payment-line">
            <div>
              <span className="strong nowrap">{number}</span>
              <span className="muted small payment-facts">
                {balanceCents > 0 || !writtenOffCents ? (
                  <span className="nowrap">{t('payments:record.owing', { amount: f.money(balanceCents) })}</span>
                ) : null}
                {writtenOffCents > 0 ? (
                  <span className="nowrap">
                    {t('payments:record.writtenOff', { amount: f.money(writtenOffCents) })}
                  </span>
                ) : null}
                {dueOn ? <span className="nowrap">{t('payments:record.due', { day: f.date(dueOn) })}</span> : null}
                {wantsMore(invoice, cents.get(guid) ?? 0) ? (
                  <button
                    type="button"
                    className="link nowrap"
                    aria-label={t('payments:record.payInFull', { number })}
                    onClick={() => onOwn(paidInFull(proposal, own, invoice))}
                  >
                    {t('payments:record.inFull')}
                  </button>
                ) : null}
              </span>
            </div>
            <MoneyInput
              aria-label={t('payments:record.pay', { number })}
              value={cents.get(guid) || null}
              onChange={(amountCents) => onOwn(written(proposal, guid, amountCents))}
              error={
                isTooMuch
                  ? t('payments:refund.most', { amount: f.money(takes(invoice)) })
                  : errorOf(paid.findIndex((invoice) => invoice.guid === guid))
              }
            />
            {(cents.get(guid) ?? 0) > balanceCents && !isTooMuch ? (
              <p className="muted small no-margin payment-difference">
                {t('payments:record.recovers', { amount: f.money((cents.get(guid) ?? 0) - balanceCents) })}
              </p>
            ) : null}
            {difference > 0 ? (
              <Checkbox
                className="payment-difference"
                label={t('payments:record.giveUp', { amount: f.money(difference) })}
                checked={givenUp.has(guid)}
                onChange={(event) => onGiveUp(guid, event.currentTarget.checked)}
              />
            ) : null}
          </div>
        )
      })}
      <p className={`payment-rest ${creditCents < 0 ? 'overdue' : ''}`} aria-live="polite">
        <span>{creditCents < 0 ? t('payments:record.over') : kept}</span>
        <strong className="tabular">
          <Money cents={Math.abs(creditCents)} />
        </strong>
      </p>
    </fieldset>
  )
}
