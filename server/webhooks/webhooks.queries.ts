import { type Selectable, sql } from 'kysely'
import type { WebhookDelivery } from '../../contract/webhooks.ts'
import type { Ctx } from '../core/ctx.ts'
import { applyRows } from '../core/db/rows.ts'
import type { Webhooks } from '../core/db/schema-webhooks.ts'
import { rowColumns } from '../row-scope/row-scope.service.ts'

export type WebhookRow = Selectable<Webhooks>

export const visibleWebhooks = (ctx: Ctx) =>
  applyRows(ctx, ctx.db.selectFrom('webhooks as w'), rowColumns(ctx, 'Webhooks', 'w'))

/** What is told of a delivery. */
export const toldColumns = [
  'd.guid',
  'd.eventGuid',
  'd.event',
  'd.number',
  'd.attempts',
  'd.state',
  'd.status',
  'd.said',
  'd.createdAt',
  'd.triedAt',
  'd.nextAt',
] as const

const lastDelivery = sql<WebhookDelivery | null>`(select jsonb_build_object('guid', d.guid,
  'eventGuid', d.event_guid, 'event', d.event, 'number', d.number, 'attempts', d.attempts, 'state', d.state,
  'status', d.status, 'said', d.said, 'createdAt', to_jsonb(d.created_at at time zone 'UTC') #>> '{}' || 'Z',
  'triedAt', to_jsonb(d.tried_at at time zone 'UTC') #>> '{}' || 'Z',
  'nextAt', to_jsonb(d.next_at at time zone 'UTC') #>> '{}' || 'Z')
  from webhook_deliveries d where d.webhook_guid = w.guid order by d.created_at desc, d.guid desc limit 1)`

/** A webhook with what is told of it. */
export const toldWebhooks = (ctx: Ctx) =>
  ctx.db.selectFrom('webhooks as w').selectAll('w').select(lastDelivery.as('lastDelivery'))
export type ToldWebhook = WebhookRow & { lastDelivery: WebhookDelivery | null }

/** Deliveries of webhooks that the caller may see. */
export const visibleDeliveries = (ctx: Ctx) =>
  visibleWebhooks(ctx).innerJoin('webhookDeliveries as d', 'd.webhookGuid', 'w.guid')
