import type { Generated } from 'kysely'
import type { HoldReason, ReminderStep } from '../../../contract/reminders.ts'
import type { GivenInstant, Instant, InstantOrNull, Json, Optional } from './schema-kinds.ts'

/** When nobody is written to by what no person sends. */
export interface MailPolicies {
  guid: string
  businessGuid: string
  /** Minutes after midnight. */
  quietFrom: Generated<number>
  quietTo: Generated<number>
  /** Monday is 1. */
  quietWeekdays: Generated<number[]>
  quietHolidays: Generated<boolean>
}
export interface ReminderPolicies {
  guid: string
  version: Generated<number>
  businessGuid: string
  startsOn: string
  /** Minutes after midnight. */
  sendAt: Generated<number>
  minimumCents: Generated<number>
  isOn: Generated<boolean>
  /** In the order of their days. */
  steps: Json<ReminderStep[]>
  createdAt: Instant
  updatedAt: Instant
  updatedBy: Optional<string>
}
/** A hold stays when it is lifted: what was kept back is told afterwards, too. */
interface ReminderHolds {
  guid: string
  businessGuid: string
  customerGuid: Optional<string>
  invoiceGuid: Optional<string>
  /** Its last day. */
  until: Optional<string>
  reason: HoldReason
  note: Optional<string>
  liftedAt: InstantOrNull
  liftedBy: Optional<string>
  createdAt: Instant
  createdBy: Optional<string>
}
/** The steps of invoices that are over: a second instalment has another day, and a ladder of its own. */
interface ReminderLog {
  invoiceGuid: string
  dueOn: string
  step: number
  outcome: 'made' | 'passed_over'
  messageGuid: Optional<string>
  /** What it asked for when its reminder was made. */
  cents: Optional<number>
  at: GivenInstant
}
/** Invoices that a message speaks of, where it is not about one alone or was made of some. */
interface MessageInvoices {
  messageGuid: string
  invoiceGuid: string
}

export interface ReminderTables {
  mailPolicies: MailPolicies
  reminderPolicies: ReminderPolicies
  reminderHolds: ReminderHolds
  reminderLog: ReminderLog
  messageInvoices: MessageInvoices
}
