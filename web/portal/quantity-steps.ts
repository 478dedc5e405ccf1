import { quantityScale, quantityUnits } from '../../contract/core/cents.ts'
import { trimQuantity } from '../../contract/lines.ts'
import type { QuantityRange } from '../../contract/quantity-range.ts'

/** Ten-thousandths as decimal text. */
const textOf = (units: bigint): string =>
  trimQuantity(`${units / quantityScale}.${String(units % quantityScale).padStart(4, '0')}`)

/** The next quantity that may be chosen, up or down; the same at the end, and the nearest from anywhere between. */
export function stepped(range: QuantityRange, quantity: string, direction: 1 | -1): string {
  const least = quantityUnits(range.quantityMin)
  const most = quantityUnits(range.quantityMax)
  const step = quantityUnits(range.quantityStep)
  const now = quantityUnits(quantity)
  if (now <= least) return textOf(direction === 1 && now === least ? least + step : least)
  if (now >= most) return textOf(direction === -1 && now === most ? most - step : most)
  const below = least + ((now - least) / step) * step
  if (direction === 1) return textOf(below + step)
  return textOf(below === now ? below - step : below)
}
