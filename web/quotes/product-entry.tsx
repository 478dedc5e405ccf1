import type { OptionAnswer } from '../../contract/booking-options.ts'
import { calculatorsApi } from '../../contract/calculators.ts'
import { lineInput } from '../../contract/lines.ts'
import type { productKinds } from '../../contract/products.ts'
import { useCan } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { FileAnswer } from '../lines/file-answer.tsx'
import { HireDays } from '../lines/hire-days.tsx'
import { askedNow } from '../lines/questions-state.ts'
import { Questions } from '../questions/questions.tsx'

export interface ChosenProduct {
  guid: string
  name: string
  kind: (typeof productKinds)[number]
}

interface ProductDetailsProps {
  product: ChosenProduct
  quantity: string
  days: { from: string | null; to: string | null }
  onDays: (days: { from: string | null; to: string | null }) => void
  /** Undefined until somebody has answered: then the answers that are selected by default count. */
  answers: readonly OptionAnswer[] | undefined
  onAnswers: (answers: OptionAnswer[]) => void
  /** What the last try was told, by the path in the entry. */
  problemAt: (path: string) => string | undefined
}

/** What the chosen product asks: the days of its hire, and its options, as the editor of a quote asks them. */
export function ProductDetails({
  product,
  quantity,
  days,
  onDays,
  answers,
  onAnswers,
  problemAt,
}: ProductDetailsProps) {
  const t = useT('lines', 'options')
  const may = useCan(calculatorsApi.totals)
  const line = lineInput.parse({ name: product.name, productGuid: product.guid })
  const { data } = useRead(calculatorsApi.totals, { priceMode: 'exclusive', lines: [line] }, { enabled: may })
  const [found] = data?.lines ?? []
  const isHired =
    product.kind === 'hire' ||
    (product.kind === 'bundle' && found?.children.some(({ kind }) => kind === 'hire') === true)
  const options = found?.options ?? []
  const asked = askedNow({ asking: { options, minutes: null }, answers })
  const errors = Object.fromEntries(
    options.flatMap(({ code }) => {
      const message = problemAt(`entry.answers.${code}`)
      return message ? [[code, message]] : []
    }),
  )
  return (
    <>
      {isHired ? (
        <HireDays
          line={{
            ...{ hireFrom: days.from, hireTo: days.to, productGuid: product.guid, awaits: true, isPriceManual: false },
            problems: { hireFrom: problemAt('entry.hire.from'), hireTo: problemAt('entry.hire.to') },
          }}
          of={(label) => label}
          onChange={(change) =>
            onDays({
              from: change.hireFrom === undefined ? days.from : change.hireFrom,
              to: change.hireTo === undefined ? days.to : change.hireTo,
            })
          }
        />
      ) : null}
      {options.length > 0 ? (
        <fieldset className="plain-fieldset stack">
          <legend>{t('lines:questions')}</legend>
          <Questions
            options={options}
            visible={asked.visible}
            answers={asked.answers}
            onChange={onAnswers}
            errors={errors}
            priced={{ isEach: Number(quantity) !== 1, isExclusive: false }}
            file={(props) => <FileAnswer {...props} />}
          />
        </fieldset>
      ) : null}
    </>
  )
}
