import type { Generated } from 'kysely'
import type { StatementPaper } from '../../../contract/statements.ts'
import type { Instant, InstantOrNull, Json, Optional } from './schema-kinds.ts'

/** What a customer opens to pay all that is owing to some businesses of one legal entity. */
interface StatementPages {
  guid: string
  /** Whose letterhead it has. */
  businessGuid: string
  /** The businesses whose invoices it shows, in guid order. */
  covers: string[]
  customerGuid: string
  firstViewedAt: InstantOrNull
  lastViewedAt: InstantOrNull
  viewCount: Generated<number>
  createdAt: Instant
}

/** Only ever added to: a statement as it was sent. */
interface Statements {
  guid: string
  businessGuid: string
  pageGuid: string
  customerGuid: string
  kind: 'open' | 'activity'
  fromOn: Optional<string>
  toOn: string
  content: Json<StatementPaper>
  createdAt: Instant
  createdBy: Optional<string>
}

/** How much of which invoice a card payment for several is; never changed. */
interface PaymentAttemptParts {
  guid: string
  attemptGuid: string
  invoiceGuid: string
  cents: number
}

export interface StatementTables {
  statementPages: StatementPages
  statements: Statements
  paymentAttemptParts: PaymentAttemptParts
}
