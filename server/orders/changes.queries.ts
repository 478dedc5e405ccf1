import { type Selectable, sql } from 'kysely'
import type { ChangeOrder, GuestChange } from '../../contract/change-orders.ts'
import type { Db } from '../core/ctx.ts'
import type { OrderTables } from '../core/db/schema-orders.ts'
import { userName } from '../core/records.ts'

export type ChangeRow = Selectable<OrderTables['changeOrders']>

export const findChange = (db: Db, orderGuid: string, guid: string) =>
  db
    .selectFrom('changeOrders')
    .selectAll()
    .where('orderGuid', '=', orderGuid)
    .where('guid', '=', guid)
    .forUpdate()
    .executeTakeFirst()

const acceptance = sql<GuestChange['acceptance']>`case when c.acceptance is not null then json_build_object('method',
  c.acceptance ->> 'method', 'name', c.acceptance ->> 'name', 'at', c.acceptance ->> 'at',
  'evidenceSha256', c.acceptance ->> 'evidenceSha256') end`

/** The changes of an order, the oldest first. A draft begins where the order is now. */
export const changesOf = (db: Db, order: { guid: string; totalCents: number }) =>
  db
    .selectFrom('changeOrders as c')
    .leftJoin('users as u', 'u.guid', 'c.createdBy')
    .select(['c.guid', 'c.position', 'c.title', 'c.note', 'c.status', 'c.lines', 'c.deltaCents', 'c.sha256'])
    .select(['c.sentAt', 'c.actions', 'c.createdAt', 'c.decline'])
    .select([
      acceptance.as('acceptance'),
      sql<string | null>`case when u.guid is not null then ${userName('u')} end`.as('byName'),
      sql<number>`case when c.status = 'draft' then ${order.totalCents}::bigint
        else c.contract_before_cents end`.as('contractBeforeCents'),
      sql<number>`case when c.status = 'draft' then ${order.totalCents}::bigint + c.delta_cents
        else c.contract_after_cents end`.as('contractAfterCents'),
    ])
    .where('c.orderGuid', '=', order.guid)
    .orderBy('c.position')
    .execute() satisfies Promise<(Omit<ChangeOrder, 'number'> & { position: number })[]>

/** Those that its customer knows of: what was sent, and what is agreed. */
export const guestChanges = (db: Db, orderGuid: string) =>
  db
    .selectFrom('changeOrders as c')
    .select(['c.guid', 'c.position', 'c.title', 'c.note', 'c.status', 'c.lines', 'c.deltaCents', 'c.sha256'])
    .select(['c.sentAt', 'c.contractBeforeCents', 'c.contractAfterCents', acceptance.as('acceptance')])
    .where('c.orderGuid', '=', orderGuid)
    .where('c.status', 'in', ['sent', 'accepted', 'declined'])
    .orderBy('c.position')
    .execute()
