import { Checkbox } from '@mantine/core'
import { servicePath } from '../../contract/places.ts'
import type { OpenInvoice, ServiceStatement } from '../../contract/service-statements.ts'
import type { Format } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { MoneyInput } from '../core/ui/inputs.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import type { ChoiceRow, StatementChoice } from './statement-choice.ts'

/** The parts of a plan that are not paid yet, one after the other. */
function Parts({ row: { invoice }, f }: { row: ChoiceRow; f: Format }) {
  const t = useT('service')
  const open = invoice.instalments.filter(({ cents, paidCents }) => paidCents < cents)
  if (open.length === 0) return null
  return (
    <ul className="owed-parts muted small">
      {open.map(({ label, dueOn, cents, paidCents }) => (
        <li key={`${dueOn} ${label}`}>
          {unbroken(t('service:statement.part', { label, amount: f.money(cents - paidCents), date: f.date(dueOn) }))}
        </li>
      ))}
    </ul>
  )
}

/** When it is due; or what of it is overdue, and since when. */
function Due({ invoice: { dueOn, overdueCents, balanceCents }, f }: { invoice: OpenInvoice; f: Format }) {
  const t = useT('service')
  const date = f.date(dueOn)
  if (overdueCents === 0) return t('service:statement.due', { date })
  if (overdueCents < balanceCents) return t('service:statement.overduePart', { amount: f.money(overdueCents), date })
  return t('service:statement.overdue', { date })
}

interface RowProps {
  row: ChoiceRow
  choice: StatementChoice
  /** Staff look, and choose nothing. */
  isFixed: boolean
  f: Format
}

function InvoiceRow({ row, choice, isFixed, f }: RowProps) {
  const t = useT('service')
  const { invoice, isTicked, cents, isAmount, isLowered } = row
  const { serviceGuid, number, what, title, overdueCents, balanceCents, totalCents } = invoice
  return (
    <li className="owed-row">
      <Checkbox
        size="md"
        className="owed-tick"
        aria-label={t('service:statement.pick', { number })}
        checked={isTicked}
        disabled={isFixed}
        onChange={(event) => choice.tick(serviceGuid, event.currentTarget.checked)}
      />
      <div className="owed-what">
        <AppLink to={servicePath('invoice', serviceGuid)} className="link strong">
          {unbroken(number)}
        </AppLink>
        {what === 'invoice' ? null : <span className="block small">{t(`service:statement.whats.${what}`)}</span>}
        <span className="block">{unbroken(title)}</span>
        <span className="block small" data-tone={overdueCents > 0 ? 'error' : 'neutral'}>
          <Due invoice={invoice} f={f} />
        </span>
        {balanceCents < totalCents ? (
          <span className="muted small block">
            {t('service:statement.of', { balance: f.money(balanceCents), total: f.money(totalCents) })}
          </span>
        ) : null}
        <Parts row={row} f={f} />
      </div>
      <div className="owed-amount">
        <MoneyInput
          aria-label={t('service:statement.amount', { number })}
          value={cents}
          disabled={isFixed}
          onChange={(typed) => choice.type(invoice, typed)}
          description={isLowered ? t('service:statement.lowered', { balance: f.money(balanceCents) }) : null}
          error={isTicked && !isAmount ? t('service:pay.amountWrong', { balance: f.money(balanceCents) }) : null}
        />
      </div>
    </li>
  )
}

/** What is owing, each with a tick and how much of it is paid now. */
export function StatementInvoices({
  statement,
  choice,
  isFixed,
  f,
}: {
  statement: ServiceStatement
  choice: StatementChoice
  isFixed: boolean
  f: Format
}) {
  const t = useT('service')
  const { rows, ticked } = choice
  const isAll = ticked.length === rows.length
  return (
    <section className="card owed-invoices" aria-labelledby="owed-title">
      <header className="owed-top">
        <h2 id="owed-title" className="service-panel-title">
          {t('service:statement.open')}
        </h2>
        {rows.length > 1 ? (
          <Checkbox
            className="no-print"
            label={t('service:statement.all')}
            checked={isAll}
            indeterminate={!isAll && ticked.length > 0}
            disabled={isFixed}
            onChange={() => choice.tickAll(!isAll)}
          />
        ) : null}
      </header>
      <ul className="owed-rows">
        {rows.map((row) => (
          <InvoiceRow key={row.invoice.serviceGuid} row={row} choice={choice} isFixed={isFixed} f={f} />
        ))}
      </ul>
      <p className="owed-total row spread">
        <span>{t('service:statement.owing')}</span>
        <span className="strong tabular">{f.money(statement.owingCents)}</span>
      </p>
      {statement.prepaid.map(({ number, cents }) => (
        <p key={number} className="muted small no-margin">
          {unbroken(t('service:statement.prepaid', { amount: f.money(cents), number }))}
        </p>
      ))}
      {statement.creditCents > 0 ? (
        <p className="muted small no-margin">
          {t('service:statement.credit', { amount: f.money(statement.creditCents) })}
        </p>
      ) : null}
    </section>
  )
}
