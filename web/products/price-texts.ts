import type { Product } from '../../contract/products.ts'
import type { Format } from '../core/i18n/format.ts'
import { phrase } from '../core/i18n/i18n.ts'

type Hire = NonNullable<Product['hire']>
/** Parts that may be left out where it is typed. */
type Given<T> = { [K in keyof T]?: T[K] | undefined }

export const tiersText = (tiers: Product['tiers'], f: Format): string =>
  tiers.map(({ from, priceCents }) => phrase('products:tiers.one', { from, price: f.money(priceCents) })).join(' · ')

/** A day, a week, four weeks, as far as there is a rate, and the least that is charged. */
export function hireText({ dayCents, weekCents, fourWeekCents, minimumDays }: Given<Hire>, f: Format): string {
  const rates = [
    [dayCents, 'products:hire.aDay'],
    [weekCents, 'products:hire.aWeek'],
    [fourWeekCents, 'products:hire.fourWeeks'],
  ] as const
  const said = rates.flatMap(([cents, words]) =>
    typeof cents === 'number' ? [phrase(words, { price: f.money(cents) })] : [],
  )
  if (minimumDays && minimumDays > 1) said.push(phrase('products:hire.atLeast', { count: minimumDays }))
  return said.join(' · ')
}

export const bundleText = ({ mode, items }: { mode: string; items: readonly unknown[] }): string =>
  `${phrase(`products:bundle.modes.${mode}` as 'products:bundle.modes.sum')} · ${phrase('products:bundle.count', {
    count: items.length,
  })}`
