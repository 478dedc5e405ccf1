/** What two customers are compared by. */
export interface Likeness {
  displayName: string
  abn: string | null
  email: string | null
  phone: string | null
  postcode: string | null
}

export const duplicateReasons = ['abn', 'otherAbn', 'email', 'phone', 'name', 'alike', 'postcode'] as const
export type DuplicateReason = (typeof duplicateReasons)[number]

const points: Record<DuplicateReason, number> = {
  abn: 60,
  otherAbn: -60,
  email: 40,
  phone: 30,
  name: 40,
  alike: 25,
  postcode: 10,
}
export const possibleFrom = 50
const likelyFrom = 70
/** Names whose letters in threes have this part in common are alike. */
export const alikeFrom = 0.7

export const grades = ['likely', 'possible'] as const
export const gradeOf = (sum: number): (typeof grades)[number] => (sum >= likelyFrom ? 'likely' : 'possible')

/** A name without case, marks, the kind of company, and "the". The database keeps the same for its indexes. */
export const plainName = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replaceAll('p/l', ' ')
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .replaceAll(/\b(?:pty|ltd|the)\b/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** The letters of each word in threes, as the database's trigrams: with two blanks before it and one behind. */
const threes = (plain: string): Set<string> =>
  new Set(
    plain
      .split(' ')
      .filter(Boolean)
      .flatMap((word) => Array.from({ length: word.length + 1 }, (_, i) => `  ${word} `.slice(i, i + 3))),
  )

/** From 0, nothing in common, to 1. */
export function likeness(a: string, b: string): number {
  const [first, second] = [threes(plainName(a)), threes(plainName(b))]
  const common = [...first].filter((three) => second.has(three)).length
  const all = first.size + second.size - common
  return all === 0 ? 0 : common / all
}

/** Numbers are one where their last nine digits are: with and without the country's. */
const lastDigits = (phone: string | null) => {
  const digits = (phone ?? '').replaceAll(/\D/g, '').slice(-9)
  return digits.length === 9 ? digits : null
}

const isOne = (a: string | null, b: string | null) => a !== null && a !== '' && a === b

function nameReason(a: string, b: string): DuplicateReason[] {
  if (isOne(plainName(a), plainName(b))) return ['name']
  return likeness(a, b) >= alikeFrom ? ['alike'] : []
}

/** How much speaks for two customers being one, and what does. */
export function compareCustomers(a: Likeness, b: Likeness): { points: number; reasons: DuplicateReason[] } {
  const reasons: DuplicateReason[] = [
    ...(isOne(a.abn, b.abn) ? (['abn'] as const) : a.abn && b.abn ? (['otherAbn'] as const) : []),
    ...(isOne(a.email?.toLowerCase() ?? null, b.email?.toLowerCase() ?? null) ? (['email'] as const) : []),
    ...(isOne(lastDigits(a.phone), lastDigits(b.phone)) ? (['phone'] as const) : []),
    ...nameReason(a.displayName, b.displayName),
    ...(isOne(a.postcode, b.postcode) ? (['postcode'] as const) : []),
  ]
  return { points: reasons.reduce((sum, reason) => sum + points[reason], 0), reasons }
}
