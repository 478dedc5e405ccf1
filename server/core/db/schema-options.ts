import type { Generated } from 'kysely'
import type { OptionDefinition, VisibleWhen, Wording } from '../../../contract/booking-options.ts'
import type { JobStrings, JobTypeInput } from '../../../contract/job-types.ts'
import type { DepositRule } from '../../../contract/lines.ts'
import type { Record } from './schema-business.ts'
import type { Computed, Json, JsonOrNull, Optional } from './schema-kinds.ts'

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
  jobTypes: JobTypes
}
