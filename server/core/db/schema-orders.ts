import type { Generated, GeneratedAlways } from 'kysely'
import type { ChangedLine, ChangeReason, ChangeStatus, changeMethods } from '../../../contract/change-orders.ts'
import type { OrderStatus } from '../../../contract/orders.ts'
import type { SupplyBasis } from '../../../contract/supplies.ts'
import type { Signature } from '../../../contract/quotes.ts'
import type { SubstatusColour } from '../../../contract/substatuses.ts'
import type { Record } from './schema-business.ts'
import type { GivenInstant, Instant, InstantOrNull, Json, JsonOrNull, Optional } from './schema-kinds.ts'

/** A word of the business for orders within one status; the business names the pool. */
interface OrderSubstatuses extends Record {
  businessGuid: string
  core: OrderStatus
  label: string
  colour: SubstatusColour
}

/** Who works along; the lead stands on the order. */
interface OrderPeople {
  orderGuid: string
  userGuid: string
}

/** The checklist of the job type as it was when the order was made. */
interface OrderChecks {
  orderGuid: string
  code: string
  position: number
  label: string
  isRequired: boolean
  doneAt: InstantOrNull
  doneBy: Optional<string>
}

/** What was spent on an order. Only ever added to. */
interface OrderCosts {
  guid: Generated<string>
  orderGuid: string
  spentOn: string
  body: string
  /** Below zero corrects an earlier one. */
  cents: number
  addedAt: GivenInstant
  addedBy: Optional<string>
}

/** What somebody wrote down about an order, for staff. Only ever added to. */
interface OrderNotes {
  guid: Generated<string>
  orderGuid: string
  body: string
  createdAt: GivenInstant
  createdBy: Optional<string>
}

/** Who agreed to a change of an order, and to what by its hash. */
export interface ChangeAcceptance {
  method: (typeof changeMethods)[number]
  name: string
  at: string
  recordedBy: string | null
  ip: string | null
  userAgent: string | null
  sha256: string
  signature: Signature | null
  /** The last hash of the evidence then; none of what nobody agreed to. */
  evidenceSha256?: string
}

/** A change of an order: frozen once it was sent. */
interface ChangeOrders {
  guid: Generated<string>
  orderGuid: string
  position: number
  title: string
  note: Optional<string>
  status: ChangeStatus
  actions: Json<unknown[]>
  lines: Json<ChangedLine[]>
  /** Lines as they are priced, each with those below it. */
  resolved: Json<unknown[]>
  deltaCents: number
  contractBeforeCents: number
  contractAfterCents: number
  content: Optional<string>
  sha256: Optional<string>
  sentAt: InstantOrNull
  acceptance: JsonOrNull<ChangeAcceptance>
  decline: JsonOrNull<{ name: string; note: string | null; at: string }>
  createdAt: GivenInstant
  createdBy: Optional<string>
}

/** A moment of a change, chained to all before it. Only ever added to. */
interface ChangeEvents {
  guid: Generated<string>
  orderGuid: string
  changeGuid: string
  /** Counts from one in all changes of an order. */
  position: number
  reason: ChangeReason
  happenedAt: GivenInstant
  /** JSON text, to the letter. */
  event: string
  /** Of the chain before it, a line feed, and `event`. */
  chainSha256: string
}

/** What an order came to since a day, as far as it is, or was, one supply. Only triggers write it. */
interface OrderSupplies {
  id: GeneratedAlways<number>
  guid: Generated<string>
  orderGuid: string
  onDay: string
  basis: SupplyBasis
  /** Nothing more is supplied of what is cancelled. */
  isOpen: boolean
  totalCents: number
  gstCents: number
  createdAt: Instant
}

/** What moved in or out of the GST that is brought forward of an order, each with its entry. Only triggers write it. */
interface GstForwards {
  guid: Generated<string>
  orderGuid: string
  onDay: string
  cents: number
  createdAt: Instant
}

export interface OrderTables {
  orderSupplies: OrderSupplies
  gstForwards: GstForwards
  changeEvents: ChangeEvents
  changeOrders: ChangeOrders
  orderSubstatuses: OrderSubstatuses
  orderPeople: OrderPeople
  orderChecks: OrderChecks
  orderCosts: OrderCosts
  orderNotes: OrderNotes
}
