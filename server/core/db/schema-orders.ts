import type { Generated } from 'kysely'
import type { OrderStatus } from '../../../contract/orders.ts'
import type { SubstatusColour } from '../../../contract/substatuses.ts'
import type { Record } from './schema-business.ts'
import type { GivenInstant, InstantOrNull, Optional } from './schema-kinds.ts'

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

export interface OrderTables {
  orderSubstatuses: OrderSubstatuses
  orderPeople: OrderPeople
  orderChecks: OrderChecks
  orderCosts: OrderCosts
}
