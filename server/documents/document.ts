import type { ServiceInvoice } from '../../contract/service.ts'
import type { Instalment } from '../../contract/instalments.ts'
import type { AnswerValue, OfferedOption } from '../../contract/booking-options.ts'
import type { Language } from '../../contract/core/languages.ts'
import type { Dress } from '../../contract/dress.ts'
import type { Address } from '../../contract/core/address.ts'
import type { BilledParty, Claim, Letterhead } from '../../contract/documents.ts'
import type { InvoiceKind } from '../../contract/invoices.ts'
import type { DepositRule, Discount, GstCode, LineKind } from '../../contract/lines.ts'
import type { ShownStage } from '../../contract/stages.ts'
import type { PriceMode } from '../../contract/core/money.ts'

const documentKinds = ['quote', 'order', 'invoice'] as const
export type DocumentKind = (typeof documentKinds)[number]

/** What was entered on a line. */
export interface LineContent {
  guid: string
  kind: LineKind
  name: string
  description: string | null
  quantity: string
  unit: string
  unitPriceCents: number
  discount: Discount | null
  gstCode: GstCode
}

export interface DocumentLine extends LineContent {
  /** Missing from lines that lie below no other, and from what was frozen before there were such. */
  parentLineGuid?: string
  sourceKey?: string
  /** Of a bundle, whether its customer sees its parts. */
  showsParts?: boolean
  /** The questions as they were put; missing where none were, and from what was frozen before there were any. */
  options?: OfferedOption[]
  /** What was answered, also in the words of the document. */
  answers?: { option: string; value: AnswerValue; question: string; answer: string }[]
  isOptional: boolean
  alternativeGroup: string | null
  isSelected: boolean
  netCents: number
  gstCents: number
  totalCents: number
}
export interface DocumentTotals {
  subtotalCents: number
  discountCents: number
  gstCents: number
  totalCents: number
  optionalTotalCents: number
}
export type DocumentBusiness = Letterhead
export type DocumentParty = BilledParty

/** What is printed and never changes once a document was sent or issued. Plain JSON: it is the snapshot. */
export interface DocumentContent {
  format: 1
  /** Missing from what was frozen before there were languages. */
  language?: Language
  kind: DocumentKind
  invoiceKind: InvoiceKind | null
  isTaxInvoice: boolean
  number: string | null
  revision: number
  title: string
  reference: string | null
  issueOn: string | null
  dueOn: string | null
  validUntil: string | null
  scheduledOn: string | null
  business: DocumentBusiness
  billTo: DocumentParty
  site: { name: string; address: Address } | null
  priceMode: PriceMode
  discount: Discount | null
  deposit: { rule: DepositRule; cents: number } | null
  /** Payments in stages; missing where it is paid otherwise. */
  stages?: ShownStage[]
  intro: string | null
  terms: string | null
  notes: string | null
  lines: DocumentLine[]
  totals: DocumentTotals
  /** Missing from what was frozen before claims were shown. */
  claim?: Claim | null
  /** Of a request for a security deposit, when it is kept. */
  forfeitureClause?: string
  /** The invoice an adjustment note corrects, and why. */
  adjusts: { number: string; issueOn: string | null; totalCents: number; reason: string | null } | null
}

/** What happens to a document afterwards: money, decisions, its link. */
export interface DocumentState {
  status: string
  paymentStatus: string | null
  paidCents: number
  creditedCents: number
  writtenOffCents: number
  refundedCents: number
  balanceCents: number
  /** The parts an invoice is paid in. */
  instalments: Instalment[]
  /** The last day money came in for it. */
  paidOn: string | null
  /** What became of a security deposit. */
  depositUses: ServiceInvoice['depositUses']
  /**
   * `signature` is a drawn one, as PNG in base64; `evidenceSha256` proves the file of what both sides saw, and is
   * missing from what was accepted before there was one.
   */
  accepted: { name: string; at: string; signature: string | null; evidenceSha256?: string | undefined } | null
  /** Lines and totals as the customer chose them, which may differ from what was offered. */
  chosen: { lineGuids: string[]; totals: DocumentTotals } | null
  serviceGuid: string | null
}
export interface DocumentData {
  content: DocumentContent
  state: DocumentState
}

/** What a paper is dressed in; one of before there were themes has the colour of its business alone. */
export interface Suit {
  dress: Dress
  /** What the theme says at the foot, in words. */
  foot: string
}

/** Everything the worker needs to draw a document. */
export interface RenderData extends DocumentData {
  /** The address of the customer's page, printed as the way to pay or accept. */
  link: string | null
  canPayByCard: boolean
  /** The local day of the acceptance. */
  acceptedOn: string | null
  logo: { bytes: Uint8Array; mime: string } | null
  suit?: Suit | null
  /** The drawn signature of the acceptance. */
  signature: Uint8Array | null
  /** For those who do the work: what is to be done, without what it comes to. */
  hidesAmounts?: boolean
}
