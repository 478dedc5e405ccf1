import type { Generated } from 'kysely'
import type { Consent } from '../../../contract/consents.ts'
import type { NounWith } from '../../../contract/nouns.ts'
import type { Computed, Instant, Optional } from './schema-kinds.ts'

/** A word of people's own on a record of any noun that has tags. */
interface RecordTags {
  guid: Generated<string>
  /** Of the record: its business, or the pool it is of. */
  businessGuid: string
  noun: NounWith<'hasTags'>
  recordGuid: string
  tag: string
  tagKey: Computed<string>
  createdAt: Instant
  createdBy: Optional<string>
}

/** Whether an address agreed to receive offers. Only ever added to. */
interface Consents {
  guid: Generated<string>
  businessGuid: string
  address: string
  kind: Consent['kind']
  proof: string
  createdAt: Instant
  createdBy: Optional<string>
}

export interface TagTables {
  recordTags: RecordTags
  consents: Consents
}
