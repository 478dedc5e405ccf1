import type { Generated } from 'kysely'
import type { StageDue } from '../../../contract/stages.ts'
import type { AskKind, AskOutcome, FrameReason } from '../../../contract/negotiation.ts'
import type { GivenInstant, InstantOrNull, Optional } from './schema-kinds.ts'

/** What a customer asks of a quote that was sent. Only ever added to, as all of these. */
interface QuoteAsks {
  guid: Generated<string>
  quoteGuid: string
  lineGuid: Optional<string>
  kind: AskKind
  body: Optional<string>
  /** Decimal text. */
  quantity: Optional<string>
  effectCents: Optional<number>
  askedAt: GivenInstant
}

interface QuoteAnswers {
  askGuid: string
  outcome: AskOutcome
  body: Optional<string>
  quantity: Optional<string>
  unitPriceCents: Optional<number>
  answeredAt: GivenInstant
  /** Nobody of ours where the customer took it back. */
  answeredBy: Optional<string>
}

/** Canonical JSON under its hash. */
interface FrameContents {
  sha256: string
  content: string
}

interface QuoteFrames {
  guid: Generated<string>
  rootGuid: string
  quoteGuid: string
  /** Counts from one in all revisions. */
  position: number
  reason: FrameReason
  contentSha256: string
  framedAt: GivenInstant
  ip: Optional<string>
  /** JSON text, to the letter. */
  event: string
  /** Of the chain before it, a line feed, and `event`. */
  chainSha256: string
}

interface OrderStages {
  guid: Generated<string>
  orderGuid: string
  position: number
  label: string
  /** GST included. */
  cents: number
  dueType: StageDue['type']
  dueOn: Optional<string>
  toldAt: InstantOrNull
}

export interface NegotiationTables {
  orderStages: OrderStages
  quoteAsks: QuoteAsks
  quoteAnswers: QuoteAnswers
  frameContents: FrameContents
  quoteFrames: QuoteFrames
}
