import { inclusiveDays } from '../../contract/hire.ts'
import { phrase, useT } from '../core/i18n/i18n.ts'
import { useFormat } from '../core/i18n/format.ts'
import type { EditorLine } from './line-state.ts'

type Step = NonNullable<EditorLine['why']>[number]

/** The catalogue's own price needs no reason, and parts of a bundle are named below it. */
const isTold = ({ step, cents }: Step) => step !== 'base' && step !== 'gst' && !(step === 'bundle' && cents >= 0)

/** Whether fewer days were asked for than are charged. */
const isLeast = ({ hireFrom, hireTo }: EditorLine, charged: number) =>
  hireFrom !== null && hireTo !== null && inclusiveDays({ from: hireFrom, to: hireTo }) < charged

/** The server's `12.5 %` as basis points. */
const basisPoints = (label: string) => Math.round(Number.parseFloat(label) * 100)

/** Why a line costs what it does, and the way back to the catalogue's price. */
export function PriceReason({ line, onCatalogue }: { line: EditorLine; onCatalogue: () => void }) {
  const t = useT('lines')
  const f = useFormat()
  if (line.productGuid === null) return null
  const steps = line.why ?? []
  const words = ({ step, label, cents, from = '1' }: Step) => {
    if (step === 'list' && from !== '1') return t('lines:why.listFrom', { label, from: f.quantity(from) })
    if (step === 'hire')
      return isLeast(line, Number(label))
        ? t('lines:why.hireLeast', { count: Number(label) })
        : t('lines:why.hire', { count: Number(label) })
    if (step === 'discount') return t('lines:why.discount', { label: f.percent(basisPoints(label)) })
    if (step === 'bundle' && cents < 0) return t('lines:why.bundleOff', { label: f.percent(basisPoints(label)) })
    return phrase(`lines:why.${step}`, { label })
  }
  const instead = (cents: number) => t('lines:why.instead', { amount: f.money(cents) })
  const shares = line.kind === 'bundle' ? (line.below?.children ?? []) : []
  const all = [
    ...steps.flatMap((step) => [
      `${words(step)}: ${f.money(step.cents)}`,
      ...(step.insteadOfCents === undefined ? [] : [instead(step.insteadOfCents)]),
    ]),
    ...shares.map(({ name, unitPriceCents }) => t('lines:why.share', { name, amount: f.money(unitPriceCents) })),
  ].join('\n')
  const told = line.isPriceManual ? [] : steps.filter(isTold)
  // A list is an agreement and holds, but for many pieces anybody else may pay less.
  const isDearer = told.some(({ step, cents, insteadOfCents = cents }) => step === 'list' && insteadOfCents < cents)
  return (
    <>
      {told.length ? (
        <p className="line-why" title={all}>
          {told
            .flatMap((step) => [
              words(step),
              ...(step.insteadOfCents === undefined || step.insteadOfCents === step.cents
                ? []
                : [instead(step.insteadOfCents)]),
            ])
            .join(' · ')}
        </p>
      ) : null}
      {isDearer ? <p className="line-why line-dearer">{t('lines:why.dearer')}</p> : null}
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
