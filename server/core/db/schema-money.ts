import type { ColumnType, Generated } from 'kysely'
import type { CodePart } from '../../../contract/gst-state.ts'
import type { GstCode } from '../../../contract/lines.ts'
import type { Address } from '../../../contract/core/address.ts'
import type { Language } from '../../../contract/core/languages.ts'
import type {
  AccountEmailKind,
  MessageCategory,
  MessageFailure,
  MessageFiling,
  MessagePurpose,
  MessageStatus,
  TemplateKind,
} from '../../../contract/messages.ts'
import type { RefundEffect } from '../../../contract/refunds.ts'
import type { Computed, GivenInstant, Instant, InstantOrNull, Json, JsonOrNull, Optional } from './schema-kinds.ts'

export interface CardDetails {
  brand: string
  last4: string
  expMonth: number
  expYear: number
  wallet?: string | null | undefined
}
export interface PaymentAttempts {
  guid: string
  businessGuid: string
  /** None where several are paid in one go: its parts say how much of each. */
  invoiceGuid: Optional<string>
  /** The page of a statement they are paid on. */
  statementPageGuid: Optional<string>
  amountCents: number
  provider: string
  providerKey: string
  providerPaymentId: Optional<string>
  status: Generated<'processing' | 'requires_action' | 'succeeded' | 'failed'>
  actionUrl: Optional<string>
  failure: JsonOrNull<{ code: string; message: string }>
  method: Generated<string>
  card: JsonOrNull<CardDetails>
  apiGuid: Optional<string>
  checks: Generated<number>
  nextCheckAt: InstantOrNull
  createdAt: Instant
  settledAt: InstantOrNull
}
export interface Payments {
  guid: string
  businessGuid: string
  entityGuid: Computed<string>
  number: string
  customerGuid: string
  /** The order it was paid for before there was an invoice. */
  orderGuid: Optional<string>
  /** What that order came to when the money came. */
  orderGst: Computed<{ totalCents: number; gstCents: number; parts: CodePart[] } | null>
  attemptGuid: Optional<string>
  /** The security deposit that the money comes from. */
  depositGuid: Optional<string>
  method: string
  amountCents: number
  receivedOn: string
  reference: Optional<string>
  note: Optional<string>
  provider: Optional<string>
  providerPaymentId: Optional<string>
  card: JsonOrNull<CardDetails>
  searchText: Computed<string>
  createdAt: Instant
  createdBy: Optional<string>
}
export interface PaymentAllocations {
  guid: string
  paymentGuid: string
  invoiceGuid: string
  /** Below zero where it takes another allocation back. */
  cents: number
  effectiveOn: string
  reversesGuid: Optional<string>
  createdAt: Instant
  createdBy: Optional<string>
}
export interface PaymentReversals {
  guid: string
  paymentGuid: string
  reasonCode: string
  reversedOn: string
  note: Optional<string>
  createdAt: Instant
  createdBy: Optional<string>
}
export interface RefundAttempts {
  guid: string
  businessGuid: string
  paymentGuid: string
  invoiceGuid: Optional<string>
  amountCents: number
  reasonCode: string
  note: Optional<string>
  provider: Optional<string>
  providerKey: string
  providerRefundId: Optional<string>
  status: Generated<'processing' | 'succeeded' | 'failed'>
  failure: JsonOrNull<{ code: string; message: string }>
  checks: Generated<number>
  nextCheckAt: InstantOrNull
  createdAt: Instant
  createdBy: Optional<string>
  settledAt: InstantOrNull
  given: JsonOrNull<Partial<Record<GstCode, number>>>
  /** The request that somebody approved it by. */
  requestGuid: Optional<string>
  method: Optional<string>
  /** Empty where its reason alone decided. */
  effect: Optional<RefundEffect>
  /** The invoice that owes the money again once it is back; what it pays of it until then is `invoiceGuid`. */
  reopensGuid: Optional<string>
  /** The bank account it goes to, sealed. */
  payee: Optional<string>
}
export interface Refunds {
  guid: string
  businessGuid: string
  entityGuid: Computed<string>
  number: string
  paymentGuid: string
  attemptGuid: string
  invoiceGuid: Optional<string>
  adjustmentNoteGuid: Optional<string>
  amountCents: number
  gstCents: Generated<number>
  reasonCode: string
  note: Optional<string>
  providerRefundId: Optional<string>
  createdAt: Instant
  createdBy: Optional<string>
  method: Optional<string>
  effect: Optional<RefundEffect>
  reopensGuid: Optional<string>
}
export interface WebhookEvents {
  guid: string
  provider: string
  eventId: string
  type: string
  payload: Json<unknown>
  receivedAt: Instant
}
export interface WebhookOutcomes {
  eventGuid: string
  outcome: 'done' | 'ignored' | 'quarantined'
  reason: Optional<string>
  at: Instant
  providerPaymentId: Optional<string>
  /** What stood at the provider. */
  found: JsonOrNull<FoundCharge>
  attemptGuid: Optional<string>
}
export interface FoundCharge {
  status: string
  amountCents: number
  refundedCents: number
  currency: string
  reference: string | null
}
export interface ChargeReleases {
  guid: string
  eventGuid: string
  provider: string
  providerPaymentId: string
  action: 'booked' | 'refunded' | 'dismissed'
  paymentGuid: Optional<string>
  note: Optional<string>
  createdAt: Instant
  createdBy: Optional<string>
}
export interface PaymentDisputes {
  guid: string
  paymentGuid: string
  openedAt: GivenInstant
  closedAt: InstantOrNull
}
export interface PartySnapshot {
  name: string
  abn: string | null
  email: string | null
  address: Address | null
}
interface MessageAttachment {
  name: string
  kind: 'quote' | 'order' | 'invoice' | 'statement'
  guid: string
}
/** What a message says, as it was when it was queued: with its template this is all that its words are made of. */
export interface FrozenFacts {
  language: Language
  /** What the template may name. */
  values: Record<string, string>
  /** The same and more by their types. */
  fields?: object
  business: {
    name: string
    primaryColour: string
    legalName?: string
    /** Its name is a business name of the legal entity. */
    isBrand?: boolean
    abn?: string | null
    email?: string | null
    phone?: string | null
    website?: string | null
    address?: Address | null
  }
  /** Where its button leads; sealed in account emails, where it opens an account. */
  link: string | null
  /** Until when the link works. */
  until?: string
  /** Words that are filled in already, of a message that somebody wrote: only their dress is still to come. */
  words?: { preheader: string; bodyHtml: string; button: string | null }
}
export interface Messages {
  guid: string
  /** None for account emails. */
  businessGuid: Optional<string>
  ownerType: Optional<'quote' | 'order' | 'invoice' | 'payment' | 'refund' | 'customer' | 'user'>
  ownerGuid: Optional<string>
  ownerNumber: Optional<string>
  customerGuid: Optional<string>
  template: Optional<TemplateKind | AccountEmailKind>
  sender: string
  replyTo: Optional<string>
  recipients: string[]
  subject: string
  searchText: Computed<string>
  /** Frozen until the words are composed. */
  facts: JsonOrNull<FrozenFacts>
  bodyHtml: Optional<string>
  bodyText: Optional<string>
  attachments: ColumnType<MessageAttachment[], string | undefined, string>
  status: Generated<MessageStatus>
  direction: Generated<'out' | 'in' | 'internal'>
  version: Generated<number>
  updatedAt: Instant
  /** What it is dressed in. */
  themeVersionGuid: Optional<string>
  messageId: string
  accountGuid: Optional<string>
  accountAt: InstantOrNull
  isUnanswered: Generated<boolean>
  attempts: Generated<number>
  nextAttemptAt: InstantOrNull
  leaseUntil: InstantOrNull
  sentAt: InstantOrNull
  rawSha256: Optional<string>
  failureReason: Optional<string>
  failureType: Optional<MessageFailure>
  resendOfGuid: Optional<string>
  category: Generated<MessageCategory>
  purpose: Generated<MessagePurpose>
  cc: Generated<string[]>
  bcc: Generated<string[]>
  /** What the message was written from, before its variables were filled in. */
  source: JsonOrNull<MessageSource>
  /** `YYYY-MM-DDTHH:MM` on the clock of `timeZone`; `scheduledAt` is the instant it comes to. */
  scheduledFor: Optional<string>
  timeZone: Optional<string>
  scheduledAt: InstantOrNull
  cancelWhen: Optional<'settled'>
  /** None on messages of before there were answers. */
  replyToken: Optional<string>
  isTest: Generated<boolean>
  /** No person sends it: it waits out quiet hours and days. */
  isAutomatic: Generated<boolean>
  /** The run of an action that has it sent. */
  runGuid: Optional<string>
  /** When it was sent, or given up. */
  settledAt: InstantOrNull
  /** The day it counts on: `settledAt`, or `sentAt` of those from before. */
  countedAt: Computed<string | null>
  filing: Optional<MessageFiling>
  isUnknownSender: Generated<boolean>
  createdAt: Instant
  createdBy: Optional<string>
}
export interface MessageSource {
  templateVersionGuid: string | null
  language: Language
  subject: string
  bodyHtml: string
  /** Somebody was asked whether it is an offer, and said that it is only facts. */
  isFactsOnly?: boolean
}
