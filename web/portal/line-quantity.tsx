import { ActionIcon } from '@mantine/core'
import { useState } from 'react'
import type { QuantityRange } from '../../contract/quantity-range.ts'
import { isWithin } from '../../contract/quantity-range.ts'
import { trimQuantity } from '../../contract/lines.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { parseQuantity } from '../core/ui/amounts.ts'
import { Icon } from '../core/ui/icon.tsx'
import { DecimalInput } from '../core/ui/inputs.tsx'
import { unitText } from '../lines/unit-text.ts'
import { stepped } from './quantity-steps.ts'
import type { ServiceLine } from './shown-lines.ts'

/** A quantity with its unit; the unit of single things goes without saying. */
export function useQuantityText() {
  const f = useFormat()
  return (quantity: string, unit: string) =>
    unit === 'each' ? f.quantity(quantity) : `${f.quantity(quantity)} ${unitText(unit, quantity)}`
}

/** `10`, `14 m` and `0.5`, as sentences on a range take them. */
export function useRangeText() {
  const f = useFormat()
  const text = useQuantityText()
  return ({ quantityMin, quantityMax, quantityStep }: QuantityRange, unit: string) => ({
    min: f.quantity(quantityMin),
    max: text(quantityMax, unit),
    step: f.quantity(quantityStep),
  })
}

/** How many of a line the customer wants, between what he was offered. */
export function LineQuantity({
  line,
  range,
  value,
  onChange,
}: {
  line: ServiceLine
  range: QuantityRange
  value: string
  onChange: (quantity: string) => void
}) {
  const t = useT('service', 'common')
  const texts = useRangeText()(range, line.unit)
  // What was typed gives way to a step.
  const [steps, setSteps] = useState(0)
  const isWrong = !isWithin(value, range)
  const go = (direction: 1 | -1) => {
    setSteps(steps + 1)
    onChange(stepped(range, value, direction))
  }
  const step = (direction: 1 | -1) => {
    const isLast = stepped(range, value, direction) === trimQuantity(value)
    return (
      <ActionIcon
        size={44}
        variant="default"
        // Whoever has stepped to the end is not thrown out of the button.
        aria-disabled={isLast}
        {...(isLast ? { 'data-disabled': true } : {})}
        aria-label={t(direction === 1 ? 'service:quantity.more' : 'service:quantity.less', { name: line.name })}
        onClick={() => {
          if (!isLast) go(direction)
        }}
      >
        {direction === 1 ? <Icon name="create" size={20} /> : <span className="line-minus" aria-hidden="true" />}
      </ActionIcon>
    )
  }
  return (
    <div className="offer-quantity">
      {step(-1)}
      <DecimalInput
        className="offer-quantity-field"
        label={t('service:quantity.label', { name: line.name })}
        description={t('service:quantity.range', texts)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={value}
        choices={steps}
        write={(quantity) => parseQuantity(quantity) ?? quantity}
        read={parseQuantity}
        problem={t('common:form.notQuantity')}
        error={isWrong ? t('service:quantity.wrong', texts) : null}
        onChange={onChange}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
          event.preventDefault()
          go(event.key === 'ArrowUp' ? 1 : -1)
        }}
      />
      {step(1)}
    </div>
  )
}
