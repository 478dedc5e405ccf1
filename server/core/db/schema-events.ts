import type { Generated } from 'kysely'
import type { EventName } from '../../../contract/events.ts'
import type { NounName } from '../../../contract/nouns.ts'
import type { GivenInstant, InstantOrNull, Json, JsonOrNull, Optional } from './schema-kinds.ts'

/** What a phrase about an event is filled with. */
export type ToldValues = Record<string, string | number | null>

interface Events {
  guid: string
  key: EventName
  noun: NounName
  recordGuid: string
  businessGuid: Optional<string>
  values: Json<ToldValues>
  facts: JsonOrNull<Record<string, unknown>>
  depth: Generated<number>
  rootGuid: string
  byKind: 'user' | 'guest' | 'system'
  byGuid: Optional<string>
  byName: Generated<string>
  at: GivenInstant
  onceKey: Optional<string>
  takenAt: InstantOrNull
}

export interface EventTables {
  events: Events
}
