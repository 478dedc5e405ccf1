import type { Generated } from 'kysely'
import type { BatchItemState, BatchReason, BatchState } from '../../../contract/batches.ts'
import type { Instant, InstantOrNull, Optional } from './schema-kinds.ts'

interface Batches {
  guid: string
  businessGuid: string
  /** Whose it is: nobody else goes on with it. */
  userGuid: string
  templateGuid: Optional<string>
  state: Generated<BatchState>
  createdAt: Instant
  /** When something was last done with it. */
  movedAt: Instant
  endedAt: InstantOrNull
}
interface BatchItems {
  batchGuid: string
  invoiceGuid: string
  /** By the numbers of the invoices. */
  position: number
  state: Generated<BatchItemState>
  messageGuid: Optional<string>
  reason: Optional<BatchReason>
}
export interface BatchTables {
  batches: Batches
  batchItems: BatchItems
}
