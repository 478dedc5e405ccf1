import type { Generated, GeneratedAlways } from 'kysely'
import type { GstBasis } from '../../../contract/businesses.ts'
import type { AccountRole, AccountType, JournalSource } from '../../../contract/ledger.ts'
import type { GstCode } from '../../../contract/lines.ts'
import type { Computed, Instant, InstantOrNull, Optional } from './schema-kinds.ts'

/** The chart of accounts of a legal entity, whose guid is `businessGuid`. */
interface Accounts {
  guid: Generated<string>
  businessGuid: string
  version: Generated<number>
  code: string
  name: string
  type: AccountType
  role: Optional<AccountRole>
  isActive: Generated<boolean>
  createdAt: Instant
  createdBy: Optional<string>
  updatedAt: Instant
  updatedBy: Optional<string>
}

/** Only ever added to. */
interface JournalEntries {
  guid: string
  businessGuid: string
  entityGuid: Computed<string>
  postedOn: string
  source: JournalSource
  sourceGuid: string
  /** The entry that this one mirrors. */
  reversesGuid: Optional<string>
  /** The entry that made GST due on this one's day. */
  causedByGuid: Optional<string>
  narrative: string
  /** In the order of posting, with gaps. */
  number: Computed<number>
  /** Why an entry by hand was reversed. */
  reason: Optional<string | null>
  searchText: Computed<string>
  createdAt: Instant
}

/** Only ever added to. */
interface JournalLines {
  entryGuid: string
  /** The legal entity, whose books they are. */
  businessGuid: string
  position: number
  account: string
  debitCents: Generated<number>
  creditCents: Generated<number>
  revenueStreamGuid: Optional<string>
  gstCode: Optional<GstCode>
  customerGuid: Optional<string>
  /** Whose GST it is: an invoice, or a payment for an order. */
  gstOf: Optional<string>
}

/** Only ever added to: from which day a legal entity counts GST otherwise than before. */
interface BasisChanges {
  guid: string
  /** The legal entity. */
  businessGuid: string
  fromOn: string
  basis: GstBasis
  createdAt: Instant
  createdBy: Optional<string>
}

/** Only ever added to: the newest row that has not lapsed counts. */
interface PeriodLocks {
  id: GeneratedAlways<number>
  guid: string
  /** The legal entity. */
  businessGuid: string
  /** The last day that nothing can be posted on. */
  lockedThrough: string
  reason: Optional<string>
  /** When it lapses, and the lock before it counts again; empty: it stays. */
  reopensUntil: InstantOrNull
  createdAt: Instant
  createdBy: Optional<string>
}

export interface BooksTables {
  accounts: Accounts
  periodLocks: PeriodLocks
  journalEntries: JournalEntries
  journalLines: JournalLines
  basisChanges: BasisChanges
}
