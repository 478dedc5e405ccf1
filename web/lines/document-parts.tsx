import type { ReactNode } from 'react'
import { useFormState, useWatch, type Control } from 'react-hook-form'
import { useT } from '../core/i18n/i18n.ts'
import { FormError } from '../core/ui/form-card.tsx'
import { Money } from '../core/ui/money.tsx'
import { PricedFor, useCataloguePrices } from './catalogue-prices.ts'
import type { DocumentValues } from './document-values.ts'
import { isBlank, priced, type Terms } from './line-state.ts'
import { LinesEditor } from './lines-editor.tsx'
import { useLineProblems, useLines, type LinesStore } from './lines-store.ts'
import { MarginBar } from './margin-bar.tsx'
import { TotalsBlock } from './totals-block.tsx'

// Each part listens to what it shows, so that a key draws that part and not the whole form.

interface Watching<T extends DocumentValues> {
  control: Control<T>
  store: LinesStore
}

function useTerms<T extends DocumentValues>(control: Control<T>): Terms {
  // What all documents have in common, whatever else this one has.
  const common = control as unknown as Control<DocumentValues>
  const [priceMode, roundingRule, discount] = useWatch({
    control: common,
    name: ['priceMode', 'roundingRule', 'discount'],
  })
  return { priceMode, roundingRule, discount }
}

/** What the document comes to now; undefined while something is no number or too large. */
function useTotals<T extends DocumentValues>({ control, store }: Watching<T>) {
  const lines = useLines(store)
  const terms = useTerms(control)
  return priced(
    lines.filter((line) => !isBlank(line)),
    terms,
  )?.totals
}

/** The kind of a failed save that is about fields alone. */
export const ofFields = 'fields'

/** Why it was not saved, until every field it is about was mended. */
export function DocumentError<T extends DocumentValues>({ control, store }: Watching<T>) {
  const { errors } = useFormState({ control: control as unknown as Control })
  const hasProblems = useLineProblems(store)
  const { root, ...fields } = errors
  const said = (root as { server?: { type?: string } } | undefined)?.server?.type
  const isMended = said === ofFields && !hasProblems && Object.keys(fields).length === 0
  return isMended ? null : <FormError control={control} />
}

interface LinesProps<T extends DocumentValues> extends Watching<T> {
  isRegistered: boolean
  hasOptions: boolean
}

export function Lines<T extends DocumentValues>({ control, ...rest }: LinesProps<T>) {
  const terms = useTerms(control)
  const customerGuid = useWatch({ control: control as unknown as Control<DocumentValues>, name: 'customerGuid' })
  const margin = useCataloguePrices(rest.store, terms, customerGuid)
  return (
    <PricedFor value={customerGuid || null}>
      <LinesEditor {...rest} priceMode={terms.priceMode} />
      {margin ? <MarginBar margin={margin} /> : null}
    </PricedFor>
  )
}

export function Totals<T extends DocumentValues>(watching: Watching<T>) {
  const t = useT('lines')
  const totals = useTotals(watching)
  return totals ? <TotalsBlock totals={totals} /> : <p className="muted">{t('lines:notPriced')}</p>
}

interface RailProps<T extends DocumentValues> extends Watching<T> {
  defaults: T
  /** What the noun has to say about it. */
  more: ((values: T, totalCents: number | null) => ReactNode) | undefined
  /** The button that saves. */
  children: ReactNode
}

/** The total and what saves it: beside the details, on a phone a bar at the bottom. */
export function Rail<T extends DocumentValues>({ control, store, defaults, more, children }: RailProps<T>) {
  const t = useT('lines')
  const totals = useTotals({ control, store })
  const values = { ...defaults, ...useWatch({ control }), lines: store.get() } as T
  return (
    <>
      <div className="rail-main">
        <div>
          <p className="muted no-margin">{t('lines:total')}</p>
          <p className="rail-total tabular">{totals ? <Money cents={totals.totalCents} /> : '–'}</p>
        </div>
        {children}
      </div>
      <div className="rail-more">{more?.(values, totals?.totalCents ?? null)}</div>
    </>
  )
}
