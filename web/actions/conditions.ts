import { type Condition, type Leaf, partsOf } from '../../contract/core/conditions.ts'
import { comparisonsOf, type EventField } from '../../contract/event-fields.ts'

/** What of the parts of a group has to hold, as people choose it. */
export const modes = ['all', 'any', 'notAll', 'notAny'] as const
export type Mode = (typeof modes)[number]

/** A group as the editor shows it: a negation is one with the group that it is of. */
export function modeOf(group: Condition): { mode: Mode; parts: readonly Condition[] } {
  if (!('not' in group)) return { mode: 'any' in group ? 'any' : 'all', parts: partsOf(group) }
  const { not } = group
  if ('any' in not) return { mode: 'notAny', parts: not.any }
  return { mode: 'notAll', parts: 'all' in not ? not.all : [not] }
}

export function groupOf(mode: Mode, parts: readonly Condition[]): Condition {
  const some = [...parts]
  if (mode === 'all') return { all: some }
  if (mode === 'any') return { any: some }
  return { not: mode === 'notAny' ? { any: some } : { all: some } }
}

/** A question that is asked first about the first of some fields. */
export function newLeaf([field]: readonly EventField[]): Leaf {
  const path = field?.path ?? ''
  const [is] = comparisonsOf[field?.type ?? 'text']
  if (!is) return { path, is: 'isEmpty' }
  return { path, is, value: field?.type === 'boolean' ? true : '' }
}

/** What is wrong in a condition, as the form has it: by the same places as the condition. */
export interface Problems {
  message?: string
  root?: Problems
  path?: Problems
  is?: Problems
  value?: Problems
  all?: readonly (Problems | undefined)[] & Problems
  any?: readonly (Problems | undefined)[] & Problems
  not?: Problems
}

/** What is wrong with a part of a group. */
export function problemsOfPart(problems: Problems | undefined, group: Condition, i: number): Problems | undefined {
  if (!problems) return undefined
  if (!('not' in group)) return ('any' in group ? problems.any : problems.all)?.[i]
  const { not } = group
  if ('any' in not) return problems.not?.any?.[i]
  return 'all' in not ? problems.not?.all?.[i] : problems.not
}

/** What is wrong with a group as a whole. */
export function problemIn(problems: Problems | undefined, mode: Mode): string | undefined {
  const inner = mode === 'all' || mode === 'any' ? problems : problems?.not
  const list = mode === 'any' || mode === 'notAny' ? inner?.any : inner?.all
  return problems?.message ?? inner?.message ?? list?.message ?? list?.root?.message
}

export const capital = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1)
