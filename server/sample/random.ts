/** Numbers that look random and are the same every time (mulberry32). */
export interface Dice {
  /** From 0 up to, not including, 1. */
  next: () => number
  /** Both ends included. */
  between: (low: number, high: number) => number
  pick: <T>(from: readonly T[]) => T
  chance: (percent: number) => boolean
}

export function makeDice(seed: number): Dice {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  const pick = <T>(from: readonly T[]): T => {
    const picked = from[between(0, from.length - 1)]
    if (picked === undefined) throw new Error('nothing to pick from')
    return picked
  }
  return { next, between, pick, chance: (percent) => next() * 100 < percent }
}
