import { actionLimits, type PausedReason, type SkipReason } from '../../contract/actions.ts'

/** What is known of an event and an action when it is asked whether the one runs for the other. */
export interface Considered {
  isActive: boolean
  /** Whether the owner may log in, and may do what the action does. */
  isOwnerFit: boolean
  /** How many actions led to the event, one after the other: what a person does is 0. */
  depth: number
  /** Whether the action ran, or waits to, for another event of the same chain. */
  isInChain: boolean
  /** Runs of the action for the same record since local midnight. */
  runsOfRecordToday: number
  /** Runs of the action in the last 60 minutes. */
  runsInHour: number
  areConditionsMet: boolean
}
export type Decision =
  | { do: 'nothing' }
  | { do: 'run' }
  /** `pauses`: no later event is asked about until somebody turns it on again. */
  | { do: 'skip'; reason: SkipReason; pauses: Extract<PausedReason, 'owner' | 'runaway'> | null }

const skip = (reason: SkipReason): Decision => ({
  do: 'skip',
  reason,
  pauses: reason === 'owner' || reason === 'runaway' ? reason : null,
})

/** Whether an action runs for an event: the guards in their order, for the engine and for what it would have done. */
export function decide(known: Considered): Decision {
  if (!known.isActive) return { do: 'nothing' }
  if (!known.isOwnerFit) return skip('owner')
  if (known.depth > actionLimits.depth) return skip('too_deep')
  if (known.isInChain) return skip('loop')
  if (known.runsOfRecordToday >= actionLimits.perRecordAndDay) return skip('too_many')
  if (known.runsInHour >= actionLimits.perHour) return skip('runaway')
  return known.areConditionsMet ? { do: 'run' } : skip('not_met')
}

/** The same when a delay is over: owner and conditions are asked again. */
export function decideAgain(known: Pick<Considered, 'isOwnerFit' | 'areConditionsMet'>): Decision {
  if (!known.isOwnerFit) return skip('owner')
  return known.areConditionsMet ? { do: 'run' } : skip('not_met')
}
