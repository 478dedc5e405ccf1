import type { State } from '../../../contract/core/address.ts'
import type { Instant, Optional } from './schema-kinds.ts'
import type { Generated } from 'kysely'

/** A public holiday that a business keeps otherwise than its state. */
interface HolidayChanges {
  guid: string
  version: Generated<number>
  businessGuid: string
  state: State
  day: string
  name: string
  isAdded: boolean
  /** Minutes after midnight; null: the whole day. */
  fromMin: Optional<number>
  createdAt: Instant
  createdBy: Optional<string>
  updatedAt: Instant
  updatedBy: Optional<string>
}

export interface HolidayTables {
  holidayChanges: HolidayChanges
}
