import type { Generated } from 'kysely'
import type { FollowUpStep } from '../../../contract/automatic-emails.ts'
import type { GivenInstant, Instant, InstantOrNull, Optional } from './schema-kinds.ts'

/** Since when a business sends emails that nobody writes. */
interface AutomaticEmails {
  businessGuid: string
  version: Generated<number>
  welcomeSince: InstantOrNull
  followUpSince: InstantOrNull
  updatedAt: Instant
  updatedBy: Optional<string>
}
/** When an order became one, and when its customer was sent a welcome. */
export interface Welcomed {
  confirmedAt: InstantOrNull
  welcomedAt: InstantOrNull
}
interface QuoteFollowUps {
  quoteGuid: string
  step: FollowUpStep
  sentAt: GivenInstant
  messageGuid: string
}
/** A day on which an invoice was told to be overdue. */
interface InvoiceOverdues {
  invoiceGuid: string
  dueOn: string
  at: GivenInstant
}

export interface AutomaticTables {
  automaticEmails: AutomaticEmails
  quoteFollowUps: QuoteFollowUps
  invoiceOverdues: InvoiceOverdues
}
