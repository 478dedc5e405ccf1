import type { Generated } from 'kysely'
import type { SupplyBasis } from '../../../contract/supplies.ts'
import type { DepositNature } from '../../../contract/deposit-natures.ts'
import type { WriteOffReason } from '../../../contract/write-offs.ts'
import type { RequestDecision } from '../../../contract/refund-requests.ts'
import type { RefundEffect } from '../../../contract/refunds.ts'
import type { Instant, InstantOrNull, JsonOrNull, Optional } from './schema-kinds.ts'

export interface OrderBooks {
  invoicedCents: Generated<number>
  contractCents: Optional<number>
  /** Whether all its GST counts with the first invoice or money. */
  supplyBasis: Generated<SupplyBasis>
}
export interface InvoiceBooks {
  writtenOffCents: Generated<number>
  /** A note that stands by itself, without a refund. */
  isCredit: Generated<boolean>
  depositNature: Generated<DepositNature>
  forfeitureClause: Optional<string>
  /** Of a security deposit, what paid invoices or was forfeited. */
  depositUsedCents: Generated<number>
  /** The security deposit of which this bills the forfeited part. */
  forfeitsGuid: Optional<string>
}
/** Only ever added to. */
interface WriteOffs {
  guid: string
  invoiceGuid: string
  /** The payment it came with. */
  paymentGuid: Optional<string>
  cents: number
  gstCents: number
  reasonCode: WriteOffReason
  note: Optional<string>
  effectiveOn: string
  /** The row it takes back, or takes a part back of. */
  reversesGuid: Optional<string>
  createdAt: Instant
  createdBy: Optional<string>
}

/** A refund that somebody else must approve. */
interface RefundRequests {
  guid: string
  businessGuid: string
  paymentGuid: string
  invoiceGuid: Optional<string>
  amountCents: number
  reasonCode: string
  note: Optional<string>
  lines: JsonOrNull<{ lineGuid: string; cents: number }[]>
  method: Optional<string>
  /** Empty where its reason alone decided. */
  effect: Optional<RefundEffect>
  /** The bank account it is to go to, sealed. */
  payee: Optional<string>
  status: Generated<RequestDecision>
  requestedBy: string
  createdAt: Instant
  decidedBy: Optional<string>
  decidedAt: InstantOrNull
  decisionNote: Optional<string>
}

/** Only ever added to: the newest plan of an invoice counts. */
interface InvoiceInstalments {
  guid: string
  invoiceGuid: string
  plan: number
  position: number
  label: string
  dueOn: string
  cents: number
  createdAt: Instant
  createdBy: Optional<string>
}

export interface SettlingTables {
  writeOffs: WriteOffs
  refundRequests: RefundRequests
  invoiceInstalments: InvoiceInstalments
}
