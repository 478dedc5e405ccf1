type Plain = Record<string, unknown>
const isPlain = (value: unknown): value is Plain => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value without what says nothing, its keys in one order: two of the same meaning are the same text. */
function meaning(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(meaning)
  if (!isPlain(value)) return value === '' || value === undefined ? null : value
  const filled = Object.entries(value)
    .map(([key, inner]) => [key, meaning(inner)] as const)
    .filter(([, inner]) => inner !== null)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return filled.length ? Object.fromEntries(filled) : null
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(meaning(a)) === JSON.stringify(meaning(b))

/** A field that was left alone may hold nothing at all; emptied on purpose, it holds null. */
const isLeft = (before: unknown, after: unknown) => isSame(before, after) && !(before === undefined && after === null)

/**
 * Those of what would be sent whose field holds something else than at first. What the form has no
 * field for is never among them.
 */
export const changesOf = <I extends object>(first: object, now: object, sent: I): Partial<I> => {
  const [before, after] = [first as Plain, now as Plain]
  return Object.fromEntries(
    Object.entries(sent).filter(([name]) => name in after && !isLeft(before[name], after[name])),
  ) as Partial<I>
}

/** The fields that somebody else changed from one version of a record to the next. */
export const changedFields = <K extends string>(names: readonly K[], from: object, to: object): K[] =>
  names.filter((name) => !isSame((from as Plain)[name], (to as Plain)[name]))

/** Whether mine says something else than theirs; what a record does not show, such as a picture, cannot be compared. */
export const isOpen = (name: string, mine: object, theirs: object): boolean =>
  !(name in theirs) || !isSame((mine as Plain)[name], (theirs as Plain)[name])

/**
 * Whether two people's changes have to do with each other: one field was changed by both, to different things, or two
 * of those that only make sense together.
 */
export function isContested(
  mine: object,
  theirs: object,
  changedByThem: readonly string[],
  together: readonly (readonly string[])[] = [],
): boolean {
  const changedByMe = Object.keys(mine).filter((name) => isOpen(name, mine, theirs))
  return changedByMe.some(
    (name) =>
      !(name in theirs) ||
      changedByThem.includes(name) ||
      together.some((group) => group.includes(name) && group.some((other) => changedByThem.includes(other))),
  )
}

/** Entries of a list whose record somebody else has taken away meanwhile are entered as new ones. */
export function onTopOf<I extends object>(mine: I, theirs: object): I {
  const known = (name: string) => {
    const items = (theirs as Plain)[name]
    return new Set(Array.isArray(items) ? (items as Plain[]).map((item) => item.guid) : [])
  }
  return Object.fromEntries(
    Object.entries(mine).map(([name, value]) => {
      if (!Array.isArray(value)) return [name, value]
      const there = known(name)
      return [
        name,
        (value as unknown[]).map((item) => {
          if (!isPlain(item) || item.guid === undefined || there.has(item.guid)) return item
          const { guid: _gone, ...entered } = item
          return entered
        }),
      ]
    }),
  ) as I
}
