import type { Welcomed } from './schema-automatic.ts'
import type { RoundingRule } from '../../../contract/core/money.ts'
import type { ColumnType, Generated } from 'kysely'
import type { contactRoles, customerKinds, CustomerStatus } from '../../../contract/customers.ts'
import type { Language } from '../../../contract/core/languages.ts'
import type { Address, State } from '../../../contract/core/address.ts'
import type { BasCycle, GstBasis, PhotoLocation } from '../../../contract/businesses.ts'
import type { DepositRule, Discount, GstCode, LineKind } from '../../../contract/lines.ts'
import type { InvoiceBaseStatus, InvoiceKind, InvoicePaymentStatus, InvoiceStatus } from '../../../contract/invoices.ts'
import type { OrderStatus } from '../../../contract/orders.ts'
import type { KeptAcceptance, QuoteBaseStatus, QuoteStatus } from '../../../contract/quotes.ts'
import type { InvoiceBooks, OrderBooks } from './schema-settling.ts'
import type { CataloguedLine, CatalogueTables, QuoteMargin } from './schema-catalogue.ts'
import type { Stage } from '../../../contract/stages.ts'
import type { Computed, GivenInstant, Instant, InstantOrNull, Json, JsonOrNull, Optional } from './schema-kinds.ts'
import type {
  ChargeReleases,
  Messages,
  PartySnapshot,
  PaymentAllocations,
  PaymentReversals,
  PaymentAttempts,
  PaymentDisputes,
  Payments,
  RefundAttempts,
  Refunds,
  WebhookEvents,
  WebhookOutcomes,
} from './schema-money.ts'

type CustomerKind = (typeof customerKinds)[number]
type Mode = 'exclusive' | 'inclusive'

export interface Record {
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
  roundingRule: RoundingRule
  discount: JsonOrNull<Discount>
}
interface DocumentParties {
  businessGuid: string
  customerGuid: string
  contactGuid: Optional<string>
  siteGuid: Optional<string>
  ownerGuid: Optional<string>
}

export interface Businesses extends Record {
  /** The legal entity whose brand it is; null: it is one itself. */
  parentGuid: Optional<string>
  /** Whose ABN, GST, bank account, books and numbers of money hold: the parent, or the business itself. */
  entityGuid: Computed<string>
  /** Whose customers it works with. `business_guid` of customers names it. */
  customersOf: string
  /** Whose products it works with. `business_guid` of products names it. */
  catalogueOf: string
  legalName: string
  tradingName: Optional<string>
  abn: Optional<string>
  gstRegistered: Generated<boolean>
  email: Optional<string>
  phone: Optional<string>
  website: Optional<string>
  address: JsonOrNull<Address>
  bankAccount: JsonOrNull<{
    accountName: string
    bsb: string
    accountNumber: string
    payId?: string | null | undefined
  }>
  defaultTermsDays: Generated<number>
  defaultValidityDays: Generated<number>
  defaultDepositRule: ColumnType<DepositRule, string | undefined, string>
  defaultPriceMode: Generated<Mode>
  roundingRule: Generated<RoundingRule>
  quoteTerms: Optional<string>
  invoiceNotes: Optional<string>
  primaryColour: Generated<string>
  timeZone: Generated<string>
  holidayState: Optional<State>
  beganOn: Generated<string>
  gstBasis: Generated<GstBasis>
  /** The day of its last change. */
  gstBasisFrom: Optional<string>
  basCycle: Generated<BasCycle>
  refundLimitCents: Generated<number>
  writeOffLimitCents: Generated<number>
  photoLocation: Generated<PhotoLocation>
  logoSha256: Optional<string>
  logoMime: Optional<string>
}
interface NumberCounters {
  businessGuid: string
  kind: string
  prefix: string
  padding: number
  next: number
  first: number
}
export interface Customers extends Record {
  businessGuid: string
  kind: Generated<CustomerKind>
  displayName: string
  language: Generated<Language>
  abn: Optional<string>
  acn: Optional<string>
  status: Generated<CustomerStatus>
  externalRef: Optional<string>
  email: Optional<string>
  phone: Optional<string>
  billingAddress: JsonOrNull<Address>
  /** Another customer, who is kept: the two are one family. */
  mergedInto: Optional<string>
  /** The customer who is kept: itself, unless it was merged. */
  familyGuid: Computed<string>
  plainName: Computed<string>
  matchedVersion: Optional<number>
  internalNotes: Optional<string>
  searchText: Computed<string>
}
interface Contacts {
  guid: string
  customerGuid: string
  name: string
  position: Optional<string>
  email: Optional<string>
  phone: Optional<string>
  version: Generated<number>
  searchText: Computed<string>
  createdAt: Instant
  archivedAt: InstantOrNull
  /** Kept by triggers. */
  listedIn: Computed<string | null>
}
interface ContactLinks {
  guid: string
  contactGuid: string
  customerGuid: Optional<string>
  siteGuid: Optional<string>
  role: Generated<(typeof contactRoles)[number]>
  isPrimary: Generated<boolean>
  receivesQuotes: Generated<boolean>
  receivesInvoices: Generated<boolean>
  receivesReminders: Generated<boolean>
  createdAt: Instant
  endedAt: InstantOrNull
}
interface CustomerTerms {
  customerGuid: string
  businessGuid: string
  termsDays: Optional<number>
  limitCents: Optional<number>
  isOnHold: Generated<boolean>
  holdReason: Optional<string>
  discountBp: Generated<number>
  priceListGuid: Optional<string>
}
interface CustomerMerges {
  guid: string
  version: Generated<number>
  businessGuid: string
  keepGuid: string
  fromGuid: string
  members: readonly string[]
  kept: readonly string[]
  fields: Json<MergeChanges>
  terms: Json<{ [businessGuid: string]: MergeChanges }>
  mergedAt: Instant
  mergedBy: Optional<string>
  undoneAt: InstantOrNull
  undoneBy: Optional<string>
}
interface MergeChanges {
  [field: string]: { before: unknown; after: unknown }
}
interface DuplicatePairs {
  guid: string
  businessGuid: string
  aGuid: string
  bGuid: string
  points: number
  reasons: readonly string[]
  foundAt: Instant
  dismissedAt: InstantOrNull
  dismissedBy: Optional<string>
}
/** A view: each customer, with what whoever is kept of the family says. */
interface Parties {
  memberGuid: Computed<string>
  guid: Computed<string>
  businessGuid: Computed<string>
  kind: Computed<CustomerKind>
  displayName: Computed<string>
  language: Computed<Language>
  abn: Computed<string | null>
  acn: Computed<string | null>
  email: Computed<string | null>
  phone: Computed<string | null>
  billingAddress: Computed<Address | null>
  status: Computed<CustomerStatus>
  archivedAt: Computed<string | null>
}
interface Sites {
  guid: string
  customerGuid: string
  name: string
  address: Json<Address>
  accessNotes: Optional<string>
  createdAt: Instant
  archivedAt: InstantOrNull
}
interface ServiceLinks {
  guid: string
  kind: 'quote' | 'order' | 'invoice' | 'statement'
  recordGuid: string
  createdAt: Instant
  revokedAt: InstantOrNull
}
export interface Quotes extends Record, DocumentParties, Pricing, Money, QuoteMargin {
  number: Optional<string>
  revision: Generated<number>
  /** Set by a trigger: the first of its revisions. */
  rootGuid: Generated<string>
  previousRevisionGuid: Optional<string>
  jobTypeGuid: Optional<string>
  title: string
  status: Generated<QuoteStatus>
  baseStatus: Computed<QuoteBaseStatus>
  searchText: Computed<string>
  validUntil: Optional<string>
  depositRule: JsonOrNull<DepositRule>
  schedule: JsonOrNull<Stage[]>
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
  acceptance: JsonOrNull<KeptAcceptance>
  decline: JsonOrNull<{
    reasonCode: 'price' | 'timing' | 'scope' | 'competitor' | 'not_needed' | 'other'
    note: string | null
    at: string
    by: string
  }>
  competitor: Optional<string>
  changeRequest: JsonOrNull<{ note: string; at: string }>
  cancelReason: Optional<string>
  answeredAt: Computed<string | null>
}
interface DocumentLine extends CataloguedLine {
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
interface QuoteLines extends DocumentLine {
  quoteGuid: string
  /** The line it was in the revision that had it first; null where it is that one itself. */
  originLineGuid: Optional<string>
}
export interface Orders extends Record, DocumentParties, Pricing, Money, OrderBooks, Welcomed {
  number: string
  title: string
  quoteGuid: Optional<string>
  jobTypeGuid: Optional<string>
  assignedGuid: Optional<string>
  status: Generated<OrderStatus>
  statusReason: Optional<string>
  customerReference: Optional<string>
  scheduledOn: Optional<string>
  startedAt: InstantOrNull
  completedAt: InstantOrNull
  internalNotes: Optional<string>
  invoiceStatus: Generated<
    'nothing_to_invoice' | 'to_invoice' | 'partially_invoiced' | 'drafted' | 'invoiced' | 'over_invoiced'
  >
  nextScheduled: Computed<number>
  searchText: Computed<string>
  substatusGuid: Optional<string>
}
export interface OrderLines extends DocumentLine {
  orderGuid: string
  sourceLineGuid: Optional<string>
  quantityInvoiced: Generated<string>
}
export interface Invoices extends Record, DocumentParties, Pricing, Money, InvoiceBooks {
  /** Whose money it is; filled in by a trigger, as wherever it stands. */
  entityGuid: Computed<string>
  number: Optional<string>
  kind: Generated<InvoiceKind>
  title: string
  status: Generated<InvoiceStatus>
  isTaxInvoice: Generated<boolean>
  orderGuid: Optional<string>
  quoteGuid: Optional<string>
  stageGuid: Optional<string>
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
  baseStatus: Computed<InvoiceBaseStatus>
  searchText: Computed<string>
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
interface DocumentPdfs {
  kind: 'quote' | 'order' | 'invoice'
  recordGuid: string
  contentSha256: string
  fileSha256: string
  drawnAt: GivenInstant
}
export interface BusinessTables extends CatalogueTables {
  businesses: Businesses
  numberCounters: NumberCounters
  customers: Customers
  contacts: Contacts
  contactLinks: ContactLinks
  customerMerges: CustomerMerges
  customerTerms: CustomerTerms
  duplicatePairs: DuplicatePairs
  parties: Parties
  sites: Sites
  serviceLinks: ServiceLinks
  documentPdfs: DocumentPdfs
  quotes: Quotes
  quoteLines: QuoteLines
  orders: Orders
  orderLines: OrderLines
  invoices: Invoices
  invoiceLines: InvoiceLines
  paymentAttempts: PaymentAttempts
  payments: Payments
  paymentAllocations: PaymentAllocations
  paymentReversals: PaymentReversals
  refundAttempts: RefundAttempts
  refunds: Refunds
  webhookEvents: WebhookEvents
  webhookOutcomes: WebhookOutcomes
  chargeReleases: ChargeReleases
  paymentDisputes: PaymentDisputes
  messages: Messages
}
