import { sql } from 'kysely'
import type { StageDue } from '../../contract/stages.ts'
import type { ServiceOrder } from '../../contract/service.ts'
import type { Db } from '../core/ctx.ts'
import { displayStatusOf } from '../documents/statuses.service.ts'
import { linesJson } from '../documents/lines.service.ts'
import { siteLabelOf } from '../documents/parties.service.ts'

const openLinkOf = (kind: string, record: string) =>
  sql`(select sl.guid from service_links sl where sl.kind = ${sql.lit(kind)} and sl.record_guid = ${sql.ref(record)}
    and sl.revoked_at is null)`

interface Numbered {
  serviceGuid: string
  number: string
}

/** The issued invoices of an order, each with its own link. */
export const invoicesOfOrder = (db: Db, orderGuid: string, today: string): Promise<ServiceOrder['invoices']> =>
  db
    .selectFrom('invoices as i')
    .innerJoin('serviceLinks as sl', 'sl.recordGuid', 'i.guid')
    .select(['sl.guid as serviceGuid', 'i.kind', 'i.totalCents', 'i.balanceCents'])
    .select([
      sql<string>`i.number`.as('number'),
      displayStatusOf('Invoices', 'i', today).as('status'),
      sql<string>`i.issue_on`.as('issueOn'),
      sql<string>`coalesce(i.due_on, i.issue_on)`.as('dueOn'),
    ])
    .where('sl.kind', '=', 'invoice')
    .where('sl.revokedAt', 'is', null)
    .where('i.orderGuid', '=', orderGuid)
    .where('i.status', '=', 'issued')
    .where('i.archivedAt', 'is', null)
    .orderBy('i.issuedAt')
    .orderBy('i.guid')
    .execute()

/** The stages of an order, each with the page of the invoice that bills it once it is issued. */
const serviceStages = sql<
  (Pick<ServiceOrder['stages'][number], 'label' | 'cents' | 'invoice'> & {
    dueType: StageDue['type']
    dueOn: string | null
    status: string | null
  })[]
>`(select coalesce(json_agg(json_build_object('label', s.label, 'cents', s.cents, 'dueType', s.due_type,
  'dueOn', s.due_on, 'status', i.status, 'invoice', case when i.status = 'issued' and k.guid is not null then
  json_build_object('serviceGuid', k.guid, 'number', i.number, 'balanceCents', i.balance_cents) end)
  order by s.position), '[]'::json)
  from order_stages s left join invoices i on i.stage_guid = s.guid and i.status = 'issued' and i.archived_at is null
  left join service_links k on k.kind = 'invoice' and k.record_guid = i.guid and k.revoked_at is null
  where s.order_guid = o.guid)`

/** An order behind a link, with what its customer sees. */
export const findServiceOrder = (db: Db, linkGuid: string) =>
  db
    .selectFrom('serviceLinks as k')
    .innerJoin('orders as o', 'o.guid', 'k.recordGuid')
    .innerJoin('parties as c', 'c.memberGuid', 'o.customerGuid')
    .select([
      'o.guid',
      'o.businessGuid',
      'o.customerGuid',
      'o.number',
      'o.title',
      'o.status',
      'o.scheduledOn',
      'o.createdAt',
      'o.completedAt',
      'o.customerReference',
      'o.priceMode',
      'o.subtotalCents',
      'o.discountCents',
      'o.gstCents',
      'o.totalCents',
      'o.contractCents',
      'c.displayName',
      'c.language',
    ])
    .select([
      siteLabelOf('o.siteGuid').as('siteLabel'),
      serviceStages.as('stages'),
      'o.startedAt',
      linesJson('order_lines', 'o.guid').as('lines'),
      sql<Numbered | null>`(select json_build_object('serviceGuid', ${openLinkOf('quote', 'q.guid')}, 'number',
        q.number) from quotes q where q.guid = o.quote_guid and q.archived_at is null
        and ${openLinkOf('quote', 'q.guid')} is not null)`.as('quote'),
      sql<number>`coalesce((select sum(i.paid_cents - i.refunded_cents) from invoices i where i.order_guid = o.guid
        and i.status = 'issued'), 0)::bigint`.as('paidCents'),
    ])
    .where('k.guid', '=', linkGuid)
    .where('k.kind', '=', 'order')
    .where('k.revokedAt', 'is', null)
    .where('o.status', '<>', 'draft')
    .where('o.archivedAt', 'is', null)
    .executeTakeFirst()

/** Counts a look at a quote or an invoice. It is no change of the document, so its version stays. */
export const noteView = (db: Db, table: 'quotes' | 'invoices', guid: string, now: Date) =>
  db
    .updateTable(table)
    .set((e) => ({
      firstViewedAt: e.fn.coalesce('firstViewedAt', e.val(now)),
      lastViewedAt: now,
      viewCount: e('viewCount', '+', 1),
    }))
    .where('guid', '=', guid)
    .where('status', '<>', 'draft')
    .where('archivedAt', 'is', null)
    .executeTakeFirst()

/** The same for the page of a statement. */
export const notePageView = (db: Db, guid: string, now: Date) =>
  db
    .updateTable('statementPages')
    .set((e) => ({
      firstViewedAt: e.fn.coalesce('firstViewedAt', e.val(now)),
      lastViewedAt: now,
      viewCount: e('viewCount', '+', 1),
    }))
    .where('guid', '=', guid)
    .executeTakeFirst()
