import type { Invoice } from '../../contract/invoices.ts'
import { useFormat } from '../core/i18n/format.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { MoneyInput } from '../core/ui/inputs.tsx'
import { Money } from '../core/ui/money.tsx'
import './payments.css'

export interface GivenLinesProps {
  lines: Invoice['lines']
  given: ReadonlyMap<string, number>
  amountCents: number
  maxCents: number
  onGive: (guid: string, cents: number | null) => void
}

/** What of each line is given back: the adjustment note carries the GST of just these. */
export function GivenLines({ lines, given, amountCents, maxCents, onGive }: GivenLinesProps) {
  const t = useT('payments', 'lines')
  const f = useFormat()
  return (
    <fieldset className="plain-fieldset payment-lines">
      <legend className="visually-hidden">{t('payments:refund.what')}</legend>
      {lines.map((line) => (
        <div key={line.guid} className="payment-line">
          <div>
            <span className="strong prose">{line.name}</span>
            <span className="muted small">
              {f.money(line.totalCents)} · {phraseOr(`lines:gstCodes.${line.gstCode}`, line.gstCode)}
            </span>
          </div>
          <MoneyInput
            aria-label={t('payments:refund.lineBack', { name: line.name })}
            value={given.get(line.guid) || null}
            onChange={(cents) => onGive(line.guid, cents)}
            error={
              (given.get(line.guid) ?? 0) > line.totalCents
                ? t('payments:refund.most', { amount: f.money(line.totalCents) })
                : null
            }
          />
        </div>
      ))}
      <p className={`payment-rest ${amountCents > maxCents ? 'overdue' : ''}`} aria-live="polite">
        <span>
          {amountCents > maxCents
            ? t('payments:refund.most', { amount: f.money(maxCents) })
            : t('payments:refund.amount')}
        </span>
        <strong className="tabular">
          <Money cents={amountCents} />
        </strong>
      </p>
    </fieldset>
  )
}
