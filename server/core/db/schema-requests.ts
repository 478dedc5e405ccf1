import type { Generated } from 'kysely'
import type { Selection } from '../../../contract/booking-options.ts'
import type { Address } from '../../../contract/core/address.ts'
import type { Language } from '../../../contract/core/languages.ts'
import type { RequestFormInput } from '../../../contract/requests.ts'
import type { Record } from './schema-business.ts'
import type { Computed, Json, JsonOrNull, Optional } from './schema-kinds.ts'

interface RequestForms extends Record {
  businessGuid: string
  name: string
  slug: string
  jobTypeGuid: string
  notifyGuid: Optional<string>
  optionGuids: Optional<string[]>
  heading: Json<RequestFormInput['heading']>
  intro: JsonOrNull<NonNullable<RequestFormInput['intro']>>
  thanks: JsonOrNull<NonNullable<RequestFormInput['thanks']>>
  isActive: Generated<boolean>
}
interface Requests extends Record {
  businessGuid: string
  formGuid: string
  customerGuid: string
  quoteGuid: string
  ownerGuid: Optional<string>
  reference: string
  language: Language
  name: string
  email: Optional<string>
  phone: Optional<string>
  siteAddress: JsonOrNull<Address>
  wantedOn: Optional<string>
  message: string
  selections: Json<Selection[]>
  searchText: Computed<string>
}
export interface RequestTables {
  requestForms: RequestForms
  requests: Requests
}
