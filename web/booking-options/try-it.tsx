import { useState } from 'react'
import { type OptionAnswer, type OptionDefinition, rulesIn } from '../../contract/booking-options.ts'
import { answerOptions, defaultAnswers } from '../../contract/option-answers.ts'
import { useT } from '../core/i18n/i18n.ts'
import { MoneyInput, QuantityInput } from '../core/ui/inputs.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { Money } from '../core/ui/money.tsx'
import { Questions } from '../questions/questions.tsx'

/** The option, after those it depends on: what it depends on is asked before it. */
function askedWith(option: OptionDefinition, others: readonly OptionDefinition[]): OptionDefinition[] {
  const asked: OptionDefinition[] = []
  const visit = (one: OptionDefinition, above: readonly string[]) => {
    if (asked.some(({ code }) => code === one.code) || above.includes(one.code)) return
    for (const { rule } of one.visibleWhen ? rulesIn(one.visibleWhen) : []) {
      const earlier = others.find(({ code }) => code === rule.option)
      if (earlier) visit(earlier, [...above, one.code])
    }
    asked.push(one)
  }
  visit(option, [])
  return asked
}

/** The option as customers would meet it, with what each answer costs and how long it takes. */
export function TryIt({ option, others }: { option: OptionDefinition; others: readonly OptionDefinition[] }) {
  const t = useT('options')
  const options = askedWith(option, others)
  const [answers, setAnswers] = useState<OptionAnswer[] | null>(null)
  const [basePriceCents, setBase] = useState(10_000)
  const [quantity, setQuantity] = useState('1')
  const given = (answers ?? defaultAnswers(options)).filter((answer) =>
    options.some((one) => one.code === answer.option),
  )
  const result = answerOptions({
    options,
    answers: given,
    basePriceCents,
    quantity: /[1-9]/.test(quantity) ? quantity : '1',
  })
  const errors = Object.fromEntries(
    result.problems.map(({ path, message }) => [path.replace(/^answers\./, ''), message]),
  )
  return (
    <div className="stack">
      <div className="try-base">
        <MoneyInput
          label={t('options:try.base')}
          value={basePriceCents}
          onChange={(cents) => setBase(Math.max(0, cents ?? 0))}
        />
        <QuantityInput label={t('options:try.quantity')} value={quantity} onChange={setQuantity} />
      </div>
      <Questions options={options} visible={result.visible} answers={given} onChange={setAnswers} errors={errors} />
      {result.visible.includes(option.code) ? null : <p className="muted small no-margin">{t('options:try.hidden')}</p>}
      <div className="try-result" aria-live="polite">
        <KeyValueList
          items={[
            { label: t('options:try.unitPrice'), value: <Money cents={basePriceCents + result.unitCents} /> },
            ...result.fees.map((fee) => ({ label: fee.label, value: <Money cents={fee.cents} /> })),
            {
              label: t('options:try.minutes'),
              value: t('options:minutes', { count: result.minutes }),
              isHidden: result.minutes === 0,
            },
          ]}
        />
      </div>
    </div>
  )
}
