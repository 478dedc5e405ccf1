import { sql } from 'kysely'
import type { Consent, consentsApi, ConsentsOfAddress } from '../../contract/consents.ts'
import { invalid, notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { addressesOf } from '../core/family.ts'
import { newGuid } from '../core/guid.ts'
import { userName, userOf } from '../core/records.ts'
import { liftUnsubscribed, suppressedAmong } from '../messages/messages.service.ts'
import { filterReadable } from '../row-scope/row-scope.service.ts'

type Api = typeof consentsApi

/** An address may be that of several customers; their timelines tell of it. */
const maxTold = 20

const asConsent = sql<Consent>`json_build_object('guid', n.guid, 'address', n.address, 'kind', n.kind,
  'proof', n.proof, 'createdAt', to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'createdBy', (select ${userName('u')} from users u where u.guid = n.created_by))`

const mustRead = async (ctx: Ctx, guid: string) => {
  if ((await filterReadable(ctx, [{ entity: 'Customers', guid }])).length === 0) throw notFound()
}

async function list(ctx: Ctx, { customerGuid }: Input<Api['list']>) {
  await mustRead(ctx, customerGuid)
  // A customer's own address stands first; one that a contact has, too, stands there once.
  const { rows } = await sql<ConsentsOfAddress>`with once as (
      select distinct on (address) address, case place when 1 then name end as name, place
      from ${addressesOf(customerGuid)} own order by address, place, own.name)
    select o.address, o.name, coalesce((select json_agg(${asConsent} order by n.created_at desc, n.guid desc)
      from consents n where n.business_guid = ${ctx.business.guid}::uuid and n.address = o.address), '[]'::json)
      as consents from once o order by o.place, o.name, o.address`.execute(ctx.db)
  return { items: rows }
}

/** The customers of an address that the caller may read. */
async function customersOf(ctx: Ctx, address: string) {
  const { rows } = await sql<{ guid: string; name: string }>`select k.guid, k.display_name as name from parties k
    where k.member_guid in (select c.guid from customers c where lower(c.email) = ${address}
      union select l.customer_guid from contacts p join contact_links l on l.contact_guid = p.guid
        where lower(p.email) = ${address} and l.ended_at is null and l.customer_guid is not null
      union select s.customer_guid from contacts p join contact_links l on l.contact_guid = p.guid
        join sites s on s.guid = l.site_guid where lower(p.email) = ${address} and l.ended_at is null)
    and k.business_guid = ${ctx.business.customersOf}::uuid
    group by k.guid, k.display_name order by k.display_name, k.guid limit ${maxTold}`.execute(ctx.db)
  return filterReadable(
    ctx,
    rows.map((row) => ({ entity: 'Customers' as const, ...row })),
  )
}

/** Who took consent back gives it anew, or not at all: dealings with them say nothing of it any more. */
async function refuseInferred(ctx: Ctx, address: string) {
  const newest = await ctx.db
    .selectFrom('consents')
    .select('kind')
    .where('businessGuid', '=', ctx.business.guid)
    .where('address', '=', address)
    .orderBy('createdAt', 'desc')
    .orderBy('guid', 'desc')
    .executeTakeFirst()
  if (newest?.kind === 'withdrawn')
    throw invalid('kind', `${address} withdrew consent. Record a new consent once they agree again.`)
}

/** Express consent after somebody unsubscribed lets offers go there again; an address that bounced stays suppressed. */
async function record(ctx: Ctx, { address, kind, proof }: Input<Api['record']>) {
  const customers = await customersOf(ctx, address)
  if (customers.length === 0) throw invalid('address', `${address} is not an address of your customers.`)
  if (kind === 'inferred') await refuseInferred(ctx, address)
  const guid = newGuid()
  await ctx.db
    .insertInto('consents')
    .values({
      guid,
      businessGuid: ctx.business.guid,
      address,
      kind,
      proof,
      createdAt: ctx.now,
      createdBy: userOf(ctx),
    })
    .execute()
  for (const customer of customers)
    ctx.audit({
      action: kind === 'withdrawn' ? 'consent.withdrawn' : 'consent.given',
      entity: 'Customers',
      guid: customer.guid,
      after: { name: customer.name, to: address, kind, note: proof },
    })
  const isAllowedAgain = kind === 'express' && (await liftUnsubscribed(ctx, address, proof))
  const closed = await suppressedAmong(ctx.db, ctx.business.guid, [address], 'commercial')
  const { rows } = await sql<{ consent: Consent }>`select ${asConsent} as consent from consents n
    where n.guid = ${guid}::uuid`.execute(ctx.db)
  const [row] = rows
  if (!row) throw notFound()
  return { ...row, isAllowedAgain, suppressed: kind === 'withdrawn' ? null : (closed.get(address) ?? null) }
}

/** Notes that whoever reads at an address asked for no more offers: nobody of the house wrote it down. */
export async function withdrawConsent(ctx: Ctx, address: string, proof: string): Promise<void> {
  const { guid: businessGuid } = ctx.business
  await ctx.db
    .insertInto('consents')
    .values({ businessGuid, address, kind: 'withdrawn', proof: proof.slice(0, 400), createdAt: ctx.now })
    .execute()
  for (const { guid, name } of await customersOf(ctx, address))
    ctx.audit({ action: 'consent.withdrawn', entity: 'Customers', guid, after: { name, to: address, note: proof } })
}

export const consents: Handlers<Api> = { list, record }
