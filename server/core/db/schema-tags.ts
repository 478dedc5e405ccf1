import type { Generated } from 'kysely'
import type { Consent } from '../../../contract/consents.ts'
import type { Suppression } from '../../../contract/suppressions.ts'
import type { NounWith } from '../../../contract/nouns.ts'
import type { Computed, Instant, InstantOrNull, Optional } from './schema-kinds.ts'

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

/** Addresses that nothing, or no offer, is sent to. Lifted, and never changed. */
interface Suppressions {
  guid: Generated<string>
  businessGuid: string
  address: string
  scope: Suppression['scope']
  reason: Suppression['reason']
  said: Optional<string>
  messageGuid: Optional<string>
  createdAt: Instant
  liftedAt: InstantOrNull
  liftedBy: Optional<string>
  liftReason: Optional<string>
}

interface UnsubscribeLinks {
  tokenHash: string
  businessGuid: string
  messageGuid: string
  address: string
  createdAt: Instant
  usedAt: InstantOrNull
}

export interface TagTables {
  recordTags: RecordTags
  consents: Consents
  suppressions: Suppressions
  unsubscribeLinks: UnsubscribeLinks
}
