const lines = 4

/** A round figure of cents at or above the largest, in as many equal steps as there are lines. */
export function scaleOf(largest: number): number[] {
  // Steps of whole dollars, however little there is.
  const least = Math.max(largest, lines * 100) / lines
  const unit = 10 ** Math.floor(Math.log10(least))
  const step = ([1, 2, 2.5, 5, 10].find((times) => times * unit >= least) ?? 10) * unit
  return Array.from({ length: lines + 1 }, (_, i) => Math.round(i * step))
}
