import type { ColumnType, Generated } from 'kysely'
import type { HirePrice, HireRhythm } from '../../../contract/hire-runs.ts'
import type { Instant, InstantOrNull, Optional } from './schema-kinds.ts'

/** A line of an order that is on hire, or was. */
interface HireRuns {
  guid: Generated<string>
  orderGuid: string
  lineGuid: string
  startedOn: string
  /** The last day charged, once all is back. */
  offOn: Optional<string>
  units: string
  every: HireRhythm
  price: ColumnType<HirePrice, string, never>
  /** What its line is of the order's total, GST included. */
  countedCents: Generated<number>
  settledAt: InstantOrNull
  createdAt: Instant
  createdBy: Optional<string>
}

/** Only ever added to. */
interface HireReturns {
  guid: Generated<string>
  runGuid: string
  offOn: string
  units: string
  createdAt: Instant
  createdBy: Optional<string>
}

/** Only ever added to and voided. */
interface HireBills {
  guid: Generated<string>
  runGuid: string
  /** A multirange as text, such as `{[2026-09-01,2026-09-08)}`. */
  days: string
  cents: number
  invoiceGuid: Optional<string>
  invoiceLineGuid: Optional<string>
  createdAt: Instant
  createdBy: Optional<string>
  voidedAt: InstantOrNull
}

export interface HireTables {
  hireRuns: HireRuns
  hireReturns: HireReturns
  hireBills: HireBills
}
