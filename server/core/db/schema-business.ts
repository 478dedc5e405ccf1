import type { ColumnType, Generated } from 'kysely'
import type { Address } from '../../../contract/businesses.ts'
import type { DepositRule, Discount, GstCode, LineKind } from '../../../contract/lines.ts'
import type { InvoiceKind, InvoicePaymentStatus, InvoiceStatus } from '../../../contract/invoices.ts'
import type { MessageStatus, TemplateKind } from '../../../contract/messages.ts'
import type { OrderStatus } from '../../../contract/orders.ts'
import type { QuoteStatus, Signature } from '../../../contract/quotes.ts'

/** Read as the value, written as JSON text: `pg` would turn a bare array into a PostgreSQL array. */
type Json<T> = ColumnType<T, string, string>
type JsonOrNull<T> = ColumnType<T | null, string | null | undefined, string | null>
/** Instants come out as ISO text and go in as text or Date. */
type Instant = ColumnType<string, string | Date | undefined, string | Date>
type InstantOrNull = ColumnType<string | null, string | Date | null | undefined, string | Date | null>
type Computed<T> = ColumnType<T, never, never>
type Mode = 'exclusive' | 'inclusive'
type Rounding = 'total_invoice' | 'taxable_supply'
type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>

interface Record {
  guid: string
  version: Generated<number>
  createdAt: Instant
  createdBy: Optional<string>
  updatedAt: Instant
  updatedBy: Optional<string>
  archivedAt: InstantOrNull
}
interface Money {
  subtotalCents: Generated<number>
  discountCents: Generated<number>
  gstCents: Generated<number>
  totalCents: Generated<number>
}
interface Pricing {
  priceMode: Mode
  roundingRule: Rounding
  discount: JsonOrNull<Discount>
}
interface Parties {
  businessGuid: string
  customerGuid: string
  contactGuid: Optional<string>
  siteGuid: Optional<string>
  ownerGuid: Optional<string>
}

export interface Businesses extends Record {
  legalName: string
  tradingName: Optional<string>
  abn: Optional<string>
  gstRegistered: Generated<boolean>
  email: Optional<string>
  phone: Optional<string>
  website: Optional<string>
  address: JsonOrNull<Address>
  bankAccount: JsonOrNull<{ accountName: string; bsb: string; accountNumber: string; payId?: string | null | undefined }>
  defaultTermsDays: Generated<number>
  defaultValidityDays: Generated<number>
  defaultDepositRule: ColumnType<DepositRule, string | undefined, string>
  defaultPriceMode: Generated<Mode>
  roundingRule: Generated<Rounding>
  quoteTerms: Optional<string>
  invoiceNotes: Optional<string>
  primaryColour: Generated<string>
  timeZone: Generated<string>
  logoSha256: Optional<string>
  logoMime: Optional<string>
}
export interface NumberCounters {
  businessGuid: string
  kind: string
  prefix: string
  padding: number
  next: number
  first: number
}
export interface Customers extends Record {
  businessGuid: string
  kind: Generated<'individual' | 'business' | 'government' | 'charity' | 'trust' | 'partnership'>
  displayName: string
  abn: Optional<string>
  email: Optional<string>
  phone: Optional<string>
  billingAddress: JsonOrNull<Address>
  paymentTermsDays: Optional<number>
  internalNotes: Optional<string>
  searchText: Computed<string>
}
export interface Contacts {
  guid: string
  customerGuid: string
  name: string
  position: Optional<string>
  email: Optional<string>
  phone: Optional<string>
  isPrimary: Generated<boolean>
  receivesQuotes: Generated<boolean>
  receivesInvoices: Generated<boolean>
  searchText: Computed<string>
  createdAt: Instant
  archivedAt: InstantOrNull
}
export interface Sites {
  guid: string
  customerGuid: string
  name: string
  address: Json<Address>
  accessNotes: Optional<string>
  createdAt: Instant
  archivedAt: InstantOrNull
}
export interface Products extends Record {
  businessGuid: string
  sku: Optional<string>
  name: string
  kind: Generated<'service' | 'goods' | 'hire' | 'labour' | 'fee'>
  description: Optional<string>
  unit: Generated<string>
  priceCents: number
  costCents: Optional<number>
  gstCode: Generated<GstCode>
  searchText: Computed<string>
}
export interface ServiceLinks {
  guid: string
  kind: 'quote' | 'order' | 'invoice'
  recordGuid: string
  createdAt: Instant
  revokedAt: InstantOrNull
}
export interface Quotes extends Record, Parties, Pricing, Money {
  number: Optional<string>
  revision: Generated<number>
  previousRevisionGuid: Optional<string>
  title: string
  status: Generated<QuoteStatus>
  validUntil: Optional<string>
  depositRule: JsonOrNull<DepositRule>
  intro: Optional<string>
  terms: Optional<string>
  internalNotes: Optional<string>
  optionalTotalCents: Generated<number>
  snapshot: JsonOrNull<unknown>
  snapshotSha256: Optional<string>
  sentAt: InstantOrNull
  firstViewedAt: InstantOrNull
  lastViewedAt: InstantOrNull
  viewCount: Generated<number>
  acceptance: JsonOrNull<{ method: 'guest' | 'phone' | 'email' | 'in_person' | 'signed_paper'; name: string; at: string; recordedBy: string | null; note: string | null; ip: string | null; userAgent: string | null; documentSha256: string; signature: Signature | null }>
  decline: JsonOrNull<{ reasonCode: 'price' | 'timing' | 'scope' | 'competitor' | 'not_needed' | 'other'; note: string | null; at: string; by: string }>
  changeRequest: JsonOrNull<{ note: string; at: string }>
  cancelReason: Optional<string>
}
interface DocumentLine {
  guid: string
  position: number
  kind: LineKind
  productGuid: Optional<string>
  name: string
  description: Optional<string>
  /** Decimal text with four decimals, as PostgreSQL's numeric gives it. */
  quantity: Generated<string>
  unit: Generated<string>
  unitPriceCents: Generated<number>
  discount: JsonOrNull<Discount>
  gstCode: Generated<GstCode>
  isOptional: Generated<boolean>
  alternativeGroup: Optional<string>
  isSelected: Generated<boolean>
  netCents: Generated<number>
  gstCents: Generated<number>
  totalCents: Generated<number>
}
export interface QuoteLines extends DocumentLine {
  quoteGuid: string
}
export interface Orders extends Record, Parties, Pricing, Money {
  number: string
  title: string
  quoteGuid: Optional<string>
  assignedGuid: Optional<string>
  status: Generated<OrderStatus>
  statusReason: Optional<string>
  customerReference: Optional<string>
  scheduledOn: Optional<string>
  startedAt: InstantOrNull
  completedAt: InstantOrNull
  internalNotes: Optional<string>
  invoiceStatus: Generated<'nothing_to_invoice' | 'to_invoice' | 'partially_invoiced' | 'invoiced'>
  invoicedCents: Generated<number>
}
export interface OrderLines extends DocumentLine {
  orderGuid: string
  sourceLineGuid: Optional<string>
  quantityInvoiced: Generated<string>
}
interface PartySnapshot {
  name: string
  abn: string | null
  email: string | null
  address: Address | null
}
export interface Invoices extends Record, Parties, Pricing, Money {
  number: Optional<string>
  kind: Generated<InvoiceKind>
  title: string
  status: Generated<InvoiceStatus>
  isTaxInvoice: Generated<boolean>
  orderGuid: Optional<string>
  quoteGuid: Optional<string>
  adjustsInvoiceGuid: Optional<string>
  adjustmentReason: Optional<string>
  reference: Optional<string>
  issueOn: Optional<string>
  dueOn: Optional<string>
  termsDays: Generated<number>
  notes: Optional<string>
  internalNotes: Optional<string>
  depositAppliedCents: Generated<number>
  paidCents: Generated<number>
  creditedCents: Generated<number>
  refundedCents: Generated<number>
  balanceCents: Computed<number>
  paymentStatus: Computed<InvoicePaymentStatus>
  supplier: JsonOrNull<PartySnapshot>
  billTo: JsonOrNull<PartySnapshot>
  snapshot: JsonOrNull<unknown>
  snapshotSha256: Optional<string>
  issuedAt: InstantOrNull
  sentAt: InstantOrNull
  firstViewedAt: InstantOrNull
  lastViewedAt: InstantOrNull
  viewCount: Generated<number>
  voidedAt: InstantOrNull
  voidReason: Optional<string>
}
export interface InvoiceLines extends DocumentLine {
  invoiceGuid: string
  orderLineGuid: Optional<string>
  depositInvoiceGuid: Optional<string>
}
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
  invoiceGuid: string
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
  number: string
  customerGuid: string
  attemptGuid: Optional<string>
  method: string
  amountCents: number
  receivedOn: string
  reference: Optional<string>
  note: Optional<string>
  provider: Optional<string>
  providerPaymentId: Optional<string>
  card: JsonOrNull<CardDetails>
  createdAt: Instant
  createdBy: Optional<string>
}
export interface PaymentAllocations {
  guid: string
  paymentGuid: string
  invoiceGuid: string
  cents: number
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
}
export interface Refunds {
  guid: string
  businessGuid: string
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
}
export interface JournalEntries {
  guid: string
  businessGuid: string
  postedOn: string
  source: 'invoice' | 'void' | 'payment' | 'adjustment_note' | 'refund'
  sourceGuid: string
  narrative: string
  createdAt: Instant
}
export interface JournalLines {
  entryGuid: string
  position: number
  account: string
  debitCents: Generated<number>
  creditCents: Generated<number>
}
export interface MessageTemplates {
  guid: string
  businessGuid: string
  kind: TemplateKind
  language: Generated<string>
  subject: string
  body: string
  button: Optional<string>
  updatedAt: Instant
}
export interface MessageAttachment {
  name: string
  kind: 'quote' | 'order' | 'invoice'
  guid: string
}
export interface Messages {
  guid: string
  businessGuid: string
  ownerType: Optional<'quote' | 'order' | 'invoice' | 'payment' | 'refund'>
  ownerGuid: Optional<string>
  ownerNumber: Optional<string>
  customerGuid: Optional<string>
  template: Optional<TemplateKind>
  sender: string
  replyTo: Optional<string>
  recipients: string[]
  subject: string
  bodyHtml: string
  bodyText: string
  attachments: ColumnType<MessageAttachment[], string | undefined, string>
  status: Generated<MessageStatus>
  messageId: string
  attempts: Generated<number>
  nextAttemptAt: InstantOrNull
  leaseUntil: InstantOrNull
  sentAt: InstantOrNull
  rawSha256: Optional<string>
  failureReason: Optional<string>
  resendOfGuid: Optional<string>
  createdAt: Instant
  createdBy: Optional<string>
}

export interface BusinessTables {
  businesses: Businesses
  numberCounters: NumberCounters
  customers: Customers
  contacts: Contacts
  sites: Sites
  products: Products
  serviceLinks: ServiceLinks
  quotes: Quotes
  quoteLines: QuoteLines
  orders: Orders
  orderLines: OrderLines
  invoices: Invoices
  invoiceLines: InvoiceLines
  paymentAttempts: PaymentAttempts
  payments: Payments
  paymentAllocations: PaymentAllocations
  refundAttempts: RefundAttempts
  refunds: Refunds
  webhookEvents: WebhookEvents
  webhookOutcomes: WebhookOutcomes
  journalEntries: JournalEntries
  journalLines: JournalLines
  messageTemplates: MessageTemplates
  messages: Messages
}
