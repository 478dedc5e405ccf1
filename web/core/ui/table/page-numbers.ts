/** First, last and the neighbours of the current page; 0 stands for a gap. */
export function pageNumbers(current: number, last: number): number[] {
  const wanted = [1, current - 1, current, current + 1, last].filter((n) => n >= 1 && n <= last)
  const unique = [...new Set(current <= 3 ? [...wanted, 2, 3].filter((n) => n <= last) : wanted)].toSorted(
    (a, b) => a - b,
  )
  return unique.flatMap((n, i) => (i > 0 && n - (unique[i - 1] ?? 0) > 1 ? [0, n] : [n]))
}
