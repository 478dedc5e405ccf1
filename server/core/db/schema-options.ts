import type { Generated } from 'kysely'
import type { OptionDefinition, VisibleWhen, Wording } from '../../../contract/booking-options.ts'
import type { Record } from './schema-business.ts'
import type { Computed, Json, JsonOrNull } from './schema-kinds.ts'

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
  productGuid: string
  optionGuid: string
  position: number
}

export interface OptionTables {
  bookingOptions: BookingOptions
  optionUses: OptionUses
}
