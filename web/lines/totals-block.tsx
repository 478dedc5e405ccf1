import type { ReactNode } from 'react'
import { useT } from '../core/i18n/i18n.ts'
import { Money } from '../core/ui/money.tsx'
import './lines.css'

export interface TotalsBlockProps {
  totals: {
    subtotalCents: number
    discountCents: number
    gstCents: number
    totalCents: number
    optionalTotalCents?: number
  }
  /** Rows below the total: paid, credited, balance. */
  children?: ReactNode
}

export function TotalsRow({ label, cents, isStrong = false }: { label: string; cents: number; isStrong?: boolean }) {
  return (
    <div className={`totals-row ${isStrong ? 'totals-strong' : ''}`}>
      <dt>{label}</dt>
      <dd>
        <Money cents={cents} />
      </dd>
    </div>
  )
}

/** Subtotal, discount, GST, total: the same four everywhere, each where there is any. */
export function TotalsBlock({ totals, children }: TotalsBlockProps) {
  const t = useT('lines')
  return (
    <dl className="totals">
      <TotalsRow label={t('lines:subtotal')} cents={totals.subtotalCents} />
      {totals.discountCents ? <TotalsRow label={t('lines:discounts')} cents={-totals.discountCents} /> : null}
      {totals.gstCents ? <TotalsRow label={t('lines:gstTotal')} cents={totals.gstCents} /> : null}
      <TotalsRow label={t('lines:total')} cents={totals.totalCents} isStrong />
      {totals.optionalTotalCents ? (
        <TotalsRow
          label={totals.gstCents ? t('lines:optionsOpenGst') : t('lines:optionsOpen')}
          cents={totals.optionalTotalCents}
        />
      ) : null}
      {children}
    </dl>
  )
}
