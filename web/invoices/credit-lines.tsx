import { Checkbox } from '@mantine/core'
import { creditOfQuantity } from '../../contract/credit-notes.ts'
import { type Line, trimQuantity } from '../../contract/lines.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { MoneyInput, QuantityInput } from '../core/ui/inputs.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { unitText } from '../lines/unit-text.ts'

/** How much of a line is taken back: its quantity proposes the amount, which can be another. */
export interface PickedLine {
  quantity: string
  cents: number | null
}
export type PickedLines = ReadonlyMap<string, PickedLine>

/** What a note says of a line: its name, with the quantity where that is not all of it. */
export const textOfPicked = ({ name, quantity }: Pick<Line, 'name' | 'quantity'>, picked: PickedLine): string =>
  (trimQuantity(picked.quantity) === trimQuantity(quantity)
    ? name
    : `${trimQuantity(picked.quantity)} × ${name}`
  ).slice(0, 200)

interface Props {
  lines: readonly Line[]
  picked: PickedLines
  onPick: (picked: PickedLines) => void
}

/** The lines of the invoice: which of them a note takes back, and how much of each. */
export function CreditLines({ lines, picked, onPick }: Props) {
  const t = useT('invoices')
  const write = (guid: string, line: PickedLine | null) => {
    const next = new Map(picked)
    if (line) next.set(guid, line)
    else next.delete(guid)
    onPick(next)
  }
  return (
    <fieldset className="plain-fieldset credit-lines">
      <legend className="strong">{t('invoices:credit.lines')}</legend>
      {lines.map((line) => (
        <CreditLine
          key={line.guid}
          line={line}
          picked={picked.get(line.guid) ?? null}
          onWrite={(part) => write(line.guid, part)}
        />
      ))}
    </fieldset>
  )
}

interface LineProps {
  line: Line
  picked: PickedLine | null
  onWrite: (picked: PickedLine | null) => void
}

function CreditLine({ line, picked, onWrite }: LineProps) {
  const t = useT('invoices', 'lines')
  const f = useFormat()
  const { name, quantity, unit, totalCents } = line
  const whole = trimQuantity(quantity)
  return (
    <div className="credit-line">
      <Checkbox
        label={unbroken(name)}
        description={`${whole} ${unitText(unit, whole)} · ${f.money(totalCents)}`}
        checked={picked !== null}
        onChange={(event) => onWrite(event.currentTarget.checked ? { quantity: whole, cents: totalCents } : null)}
      />
      {picked ? (
        <div className="grid-2 form-grid">
          <QuantityInput
            label={t('invoices:credit.quantity')}
            aria-label={t('invoices:credit.quantityOf', { name })}
            value={picked.quantity}
            onChange={(taken) => onWrite({ quantity: taken, cents: creditOfQuantity(line, taken) })}
          />
          <MoneyInput
            label={t('invoices:credit.lineAmount')}
            aria-label={t('invoices:credit.lineAmountOf', { name })}
            value={picked.cents}
            onChange={(cents) => onWrite({ ...picked, cents })}
            error={(picked.cents ?? 0) > totalCents ? t('invoices:credit.most', { amount: f.money(totalCents) }) : null}
          />
        </div>
      ) : null}
    </div>
  )
}
