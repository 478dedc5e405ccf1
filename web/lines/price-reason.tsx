import { phrase, useT } from '../core/i18n/i18n.ts'
import { useFormat } from '../core/i18n/format.ts'
import type { EditorLine } from './line-state.ts'

type Step = NonNullable<EditorLine['why']>[number]

/** Why a line costs what it does, and the way back to the catalogue's price. */
export function PriceReason({ line, onCatalogue }: { line: EditorLine; onCatalogue: () => void }) {
  const t = useT('lines')
  const f = useFormat()
  if (line.productGuid === null) return null
  const steps = line.why ?? []
  const words = ({ step, label }: Step) => phrase(`lines:why.${step}`, { label })
  const all = steps.map((step) => `${words(step)}: ${f.money(step.cents)}`).join('\n')
  // The catalogue's own price needs no reason.
  const told = line.isPriceManual ? [] : steps.filter(({ step }) => step !== 'base' && step !== 'gst')
  return (
    <>
      {told.length ? (
        <p className="line-why" title={all}>
          {told.map(words).join(' · ')}
        </p>
      ) : null}
      {line.isPriceManual ? (
        <p className="line-why">
          <span title={all}>{t('lines:why.manual')}</span>
          <button type="button" className="link small" onClick={onCatalogue}>
            {t('lines:useCatalogue')}
          </button>
        </p>
      ) : null}
    </>
  )
}
