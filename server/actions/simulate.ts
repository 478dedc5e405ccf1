import type { ActionInput, SkipReason } from '../../contract/actions.ts'
import { type Known, meets } from '../../contract/core/conditions.ts'
import { localDay } from '../../contract/core/dates.ts'
import { decide } from './decide.ts'

/** An event as it happened, with what was known of its record then. */
export interface PastEvent extends Known {
  guid: string
  at: string
  recordGuid: string
  rootGuid: string
  depth: number
}
export interface Simulated {
  wouldRun: boolean
  reason: SkipReason | null
}

const hourMs = 3_600_000

/**
 * What an action would have done, had it been on: it is asked about each event in turn, by the guards of a real run,
 * which count what it would have done so far. Events come oldest first.
 */
export function simulate(
  events: readonly PastEvent[],
  { conditions }: Pick<ActionInput, 'conditions'>,
  timeZone: string,
): Simulated[] {
  const chains = new Set<string>()
  const days = new Map<string, number>()
  const times: number[] = []
  let stoppedBy: SkipReason | null = null
  return events.map((event) => {
    const day = `${event.recordGuid} ${localDay(event.at, timeZone)}`
    const at = Date.parse(event.at)
    const decision = decide({
      isActive: stoppedBy === null,
      isOwnerFit: true,
      depth: event.depth,
      isInChain: chains.has(event.rootGuid),
      runsOfRecordToday: days.get(day) ?? 0,
      runsInHour: times.length - times.findLastIndex((time) => time <= at - hourMs) - 1,
      areConditionsMet: !conditions || meets(conditions, event),
    })
    if (decision.do === 'nothing') return { wouldRun: false, reason: stoppedBy }
    if (decision.do === 'skip') {
      if (decision.pauses) stoppedBy = decision.reason
      return { wouldRun: false, reason: decision.reason }
    }
    chains.add(event.rootGuid)
    days.set(day, (days.get(day) ?? 0) + 1)
    times.push(at)
    return { wouldRun: true, reason: null }
  })
}
