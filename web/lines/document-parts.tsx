import type { ReactNode } from 'react'
import { useWatch, type Control } from 'react-hook-form'
import type { FieldError } from '../../contract/core/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Money } from '../core/ui/money.tsx'
import { useCataloguePrices } from './catalogue-prices.ts'
import type { DocumentValues } from './document-values.ts'
import { isBlank, priced, type Terms } from './line-state.ts'
import { LinesEditor } from './lines-editor.tsx'
import { useLines, type LinesStore } from './lines-store.ts'
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

interface LinesProps<T extends DocumentValues> extends Watching<T> {
  isRegistered: boolean
  hasOptions: boolean
  errors: readonly FieldError[]
}

export function Lines<T extends DocumentValues>({ control, ...rest }: LinesProps<T>) {
  const terms = useTerms(control)
  const customerGuid = useWatch({ control: control as unknown as Control<DocumentValues>, name: 'customerGuid' })
  const margin = useCataloguePrices(rest.store, terms, customerGuid)
  return (
    <>
      <LinesEditor {...rest} priceMode={terms.priceMode} />
      {margin ? <MarginBar margin={margin} /> : null}
    </>
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
