import { Radio, Textarea } from '@mantine/core'
import { useState } from 'react'
import { rangeOfLine } from '../../contract/quantity-range.ts'
import type { AskKind } from '../../contract/negotiation.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DialogForm } from '../core/ui/confirm-form.tsx'
import { QuantityInput } from '../core/ui/inputs.tsx'
import { unitText } from '../lines/unit-text.ts'
import { originOf } from './kept-choice.ts'
import { useRangeText } from './line-quantity.tsx'
import { quantityProblem, type Request } from './requests.ts'
import type { ServiceLine } from './shown-lines.ts'

const kinds: readonly AskKind[] = ['comment', 'quantity', 'drop']

/** What a customer asks of one line. */
export function RequestDialog({
  line,
  isWaiting,
  onAdd,
  onClose,
}: {
  line: ServiceLine
  /** Nothing can be signed meanwhile, so that also what the customer may choose is asked for. */
  isWaiting: boolean
  onAdd: (request: Request) => void
  onClose: () => void
}) {
  const t = useT('service', 'lines')
  const rangeText = useRangeText()
  const [kind, setKind] = useState<AskKind>('comment')
  const [quantity, setQuantity] = useState('')
  const [text, setText] = useState('')
  const [isTried, setTried] = useState(false)
  const wrong = kind === 'quantity' ? quantityProblem(line, quantity, isWaiting) : null
  const isMissing = kind === 'comment' && !text.trim()
  const range = isWaiting ? null : rangeOfLine(line)
  const submit = () => {
    setTried(true)
    if (wrong || isMissing) return
    const facts = { origin: originOf(line), text: text.trim() }
    onAdd(kind === 'quantity' ? { ...facts, kind, quantity } : { ...facts, kind })
    onClose()
  }
  return (
    <DialogForm
      isOpen
      title={t('service:asks.about', { name: line.name })}
      problem={null}
      isBusy={false}
      action={t('service:asks.add')}
      onClose={onClose}
      onSubmit={submit}
    >
      <Radio.Group
        label={t('service:asks.kind')}
        value={kind}
        onChange={(value) => setKind(kinds.find((one) => one === value) ?? 'comment')}
      >
        <div className="stack request-kinds">
          {kinds.map((one) => (
            <Radio key={one} value={one} label={t(`service:asks.kinds.${one}`)} />
          ))}
        </div>
      </Radio.Group>
      {kind === 'quantity' ? (
        <QuantityInput
          label={t('service:asks.quantity')}
          description={range ? t('service:asks.quantityHint', rangeText(range, line.unit)) : undefined}
          rightSection={
            line.unit === 'each' ? null : (
              <span className="muted request-unit">{unitText(line.unit, quantity || '2')}</span>
            )
          }
          rightSectionWidth={96}
          value={quantity}
          onChange={setQuantity}
          required
          error={isTried && wrong ? t(`service:asks.wrong.${wrong}`) : null}
        />
      ) : null}
      <Textarea
        label={t(kind === 'comment' ? 'service:asks.comment' : 'service:asks.note')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        maxLength={2000}
        rows={4}
        required={kind === 'comment'}
        error={isTried && isMissing ? t('service:asks.wrong.text') : null}
      />
    </DialogForm>
  )
}
