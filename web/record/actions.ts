import type { Op } from '../../contract/core/op.ts'
import type { useMay } from '../core/api/can.ts'
import type { IconName } from '../core/ui/icons.ts'
import type { NextAction } from './next-action.tsx'

/**
 * What can be done with a record, as data. By itself an action runs its operation on the record. The head of its page,
 * the menu, the palette and a glance from a list are made of it.
 */
export interface ActionFacts<K extends string = string> {
  key: K
  /** Whose right it takes. */
  op: Op
  label: string
  icon: IconName
  /** `main` is what one came for, `head` stands beside it, `more` behind a button. `more` when not said. */
  place?: 'main' | 'light' | 'head' | 'more'
  /** Why it cannot be done now. */
  refusal?: string | null
  isHidden?: boolean
  /** Asked first; `reason` is what a reason is asked for with, `keep` leaves it where “Cancel” is the deed itself. */
  confirm?: { title: string; text?: string; reason?: string; keep?: string }
  /** Said when it is done. */
  said?: string
  /** Offered with what was said: what takes it back, and what is said then. */
  undo?: { op: Op; said: string }
  isDangerous?: boolean
  /** Sensibly done next, from wherever the record is seen: the first that is possible. */
  isNext?: boolean
}

/** What is sensibly done next with a record. */
export const nextOf = (actions: readonly ActionFacts[], may: ReturnType<typeof useMay>): NextAction | null =>
  actions.find((action) => action.isNext && !action.isHidden && !action.refusal && may(action.op)) ?? null
