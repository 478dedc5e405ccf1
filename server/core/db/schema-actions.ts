import type { Generated } from 'kysely'
import type { ActionEffect, ActionStatus, PausedReason, RunState, TraceLine } from '../../../contract/actions.ts'
import type { Condition } from '../../../contract/core/conditions.ts'
import type { EventName } from '../../../contract/events.ts'
import type { GivenInstant, Instant, InstantOrNull, Json, JsonOrNull, Optional } from './schema-kinds.ts'

interface Actions {
  guid: string
  version: Generated<number>
  businessGuid: string
  name: string
  eventKey: EventName
  conditions: JsonOrNull<Condition>
  delayMinutes: Generated<number>
  effects: Json<ActionEffect[]>
  ownerGuid: string
  status: Generated<ActionStatus>
  pausedReason: Optional<PausedReason>
  failures: Generated<number>
  activatedAt: InstantOrNull
  stoppedAt: InstantOrNull
  createdAt: Instant
  createdBy: Optional<string>
  updatedAt: Instant
  updatedBy: Optional<string>
  archivedAt: InstantOrNull
}
interface ActionRuns {
  guid: string
  businessGuid: string
  actionGuid: string
  eventGuid: string
  replay: Generated<number>
  rootGuid: string
  depth: Generated<number>
  noun: string
  recordGuid: string
  recordLabel: Generated<string>
  state: RunState
  reason: Optional<string>
  dueAt: GivenInstant
  endedAt: InstantOrNull
  attempts: Generated<number>
  effectsDone: Generated<number>
  trace: Json<TraceLine[]>
  createdAt: Instant
}

export interface ActionTables {
  actions: Actions
  actionRuns: ActionRuns
}
