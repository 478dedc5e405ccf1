import type { Generated } from 'kysely'
import type { DeliveryState, WebhookPausedReason } from '../../../contract/webhooks.ts'
import type { GivenInstant, Instant, InstantOrNull, Optional } from './schema-kinds.ts'

/** An address of another program that actions send events to. */
export interface Webhooks {
  guid: string
  version: Generated<number>
  businessGuid: string
  name: string
  url: string
  status: Generated<'active' | 'paused'>
  pausedReason: Optional<Exclude<WebhookPausedReason, 'restored'>>
  /** Sealed to the webhook. */
  secret: string
  /** The one before, which signs along until `oldUntil`. */
  oldSecret: Optional<string>
  oldUntil: InstantOrNull
  createdAt: Instant
  createdBy: Optional<string>
  updatedAt: Instant
  updatedBy: Optional<string>
  archivedAt: InstantOrNull
}

interface WebhookDeliveries {
  guid: string
  webhookGuid: string
  eventGuid: string
  event: string
  number: Optional<string>
  body: string
  isTest: Generated<boolean>
  state: Generated<DeliveryState>
  attempts: Generated<number>
  status: Optional<number>
  said: Optional<string>
  createdAt: GivenInstant
  /** When the tries began that are being made. */
  firstAt: InstantOrNull
  triedAt: InstantOrNull
  nextAt: InstantOrNull
  leaseUntil: InstantOrNull
}

export interface WebhookTables {
  webhooks: Webhooks
  webhookDeliveries: WebhookDeliveries
}
