import type { Generated } from 'kysely'
import type { OptionDefinition, Selection, VisibleWhen, Wording } from '../../../contract/booking-options.ts'
import type { JobStrings, JobTypeInput } from '../../../contract/job-types.ts'
import type { DepositRule } from '../../../contract/lines.ts'
import type { Record } from './schema-business.ts'
import type { Computed, GivenInstant, Json, JsonOrNull, Optional } from './schema-kinds.ts'

interface BookingOptions extends Record {
  businessGuid: string
  code: string
  label: Json<Wording>
  help: JsonOrNull<Wording>
  input: OptionDefinition['input']
  required: Generated<boolean>
  answeredBy: Generated<OptionDefinition['answeredBy']>
  choices: Json<OptionDefinition['choices']>
  visibleWhen: JsonOrNull<VisibleWhen>
  name: Computed<string>
  searchText: Computed<string>
}
interface OptionUses {
  productGuid: Optional<string>
  jobTypeGuid: Optional<string>
  optionGuid: string
  position: number
}

/** Made of what lines keep, by triggers. */
interface BookingSelections {
  guid: Generated<string>
  businessGuid: string
  quoteLineGuid: Optional<string>
  orderLineGuid: Optional<string>
  requestGuid: Optional<string>
  quoteGuid: Optional<string>
  orderGuid: Optional<string>
  productGuid: Optional<string>
  optionGuid: Optional<string>
  optionCode: string
  label: string
  choices: Json<Selection['choices']>
  value: Json<Selection['value']>
  cents: number
  minutes: number
  answeredBy: Selection['answeredBy']
  userGuid: Optional<string>
  answeredAt: GivenInstant
}

interface JobTypes extends Record {
  businessGuid: string
  name: string
  durationMin: number
  bufferBeforeMin: number
  bufferAfterMin: number
  checklist: Json<JobTypeInput['checklist']>
  lines: Json<JobTypeInput['lines']>
  depositRule: JsonOrNull<DepositRule>
  strings: Json<JobStrings>
  searchText: Computed<string>
}

export interface OptionTables {
  bookingOptions: BookingOptions
  optionUses: OptionUses
  bookingSelections: BookingSelections
  jobTypes: JobTypes
}
