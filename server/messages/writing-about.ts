import { sql } from 'kysely'
import type { Consent } from '../../contract/consents.ts'
import { invalid, notFound } from '../../contract/core/errors.ts'
import { type MessageSubject, messageSubjects } from '../../contract/message-writes.ts'
import type { Suppression } from '../../contract/suppressions.ts'
import type { TemplateKind } from '../../contract/messages.ts'
import { templateKindFacts } from '../../contract/template-kinds.ts'
import type { Ctx } from '../core/ctx.ts'
import { addressesOf } from '../core/family.ts'
import { customerFacts, type MessageFacts, messageVariables } from '../documents/document-messages.service.ts'
import { filterReadable } from '../row-scope/row-scope.service.ts'
import { addressIn, isVisibleOwner, type MessageRow } from './messages.queries.ts'
import { suppressedAmong } from './suppressions.ts'
import { recordFields } from './template-fields.ts'

type WrittenOwner = 'quote' | 'order' | 'invoice' | 'customer'
/** What a message is about, with all that is to be said of it. */
export interface About {
  ownerType: WrittenOwner
  ownerGuid: string
  /** Of the occasion whose templates are offered first. */
  kind: TemplateKind
  facts: MessageFacts
  /** What its template may name, by types; only where it has one. */
  fields?: object
  /** The message that is kept already: it may speak of some invoices alone. */
  messageGuid?: string
}

const owners = {
  customerGuid: 'customer',
  quoteGuid: 'quote',
  orderGuid: 'order',
  invoiceGuid: 'invoice',
} as const satisfies Record<MessageSubject, WrittenOwner>

type Named = { readonly [S in MessageSubject]?: string | undefined }

/**
 * The one record that was named. Throws NOT_FOUND where the caller may not read it, and VALIDATION_FAILED
 * for none or two.
 */
export async function aboutOf(ctx: Ctx, named: Named): Promise<About> {
  const given = messageSubjects.filter((subject) => named[subject] !== undefined)
  const [subject] = given
  if (!subject || given.length > 1)
    throw invalid(given[1] ?? 'customerGuid', 'Choose one record that the message is about.')
  return aboutRecord(ctx, owners[subject], named[subject] ?? '')
}

/** `businessGuid` is whose message about a customer it is already; without it the window's, where he is of its pool. */
export async function aboutRecord(
  ctx: Ctx,
  ownerType: WrittenOwner,
  ownerGuid: string,
  businessGuid?: string | null,
): Promise<About> {
  if (ownerType !== 'customer') {
    if (!(await isVisibleOwner(ctx, ownerType, ownerGuid))) throw notFound()
    const facts = await messageVariables(ctx, ownerType, ownerType, ownerGuid)
    return { ownerType, ownerGuid, kind: ownerType, facts }
  }
  const customer = await customerRead(ctx, ownerGuid)
  const facts = await customerFacts(ctx, businessGuid ?? customer.businessGuid, customer.guid)
  return { ownerType, ownerGuid: customer.guid, kind: 'general', facts }
}

/** What a message that was kept is about. */
export async function aboutMessage(
  ctx: Ctx,
  { guid, ownerType, ownerGuid, businessGuid }: Pick<MessageRow, 'guid' | 'ownerType' | 'ownerGuid' | 'businessGuid'>,
): Promise<About> {
  if (
    !ownerGuid ||
    !(ownerType === 'quote' || ownerType === 'order' || ownerType === 'invoice' || ownerType === 'customer')
  )
    throw notFound()
  return { ...(await aboutRecord(ctx, ownerType, ownerGuid, businessGuid)), messageGuid: guid }
}

/**
 * A customer whom the caller may read, and the business that writes to him: that of the window, where he is of its
 * pool.
 */
export async function customerRead(ctx: Ctx, guid: string): Promise<{ guid: string; businessGuid: string }> {
  if ((await filterReadable(ctx, [{ entity: 'Customers', guid }])).length === 0) throw notFound()
  const { rows } = await sql<{ guid: string; businessGuid: string }>`select k.guid, case
      when k.business_guid = ${ctx.business.customersOf}::uuid then ${ctx.business.guid}::uuid else k.business_guid end
      as business_guid from parties k where k.member_guid = ${guid}::uuid`.execute(ctx.db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

export interface Offered {
  address: string
  name: string | null
  role: 'customer' | 'contact' | 'thread'
  suppressed: Suppression['reason'] | null
  /** The newest counts. */
  consent: { kind: Consent['kind']; at: string } | null
}

/** Whom a message may go to: the customer, those one deals with there, and who wrote to us about this. */
export async function offeredAddresses(
  ctx: Ctx,
  { ownerType, ownerGuid, facts }: About,
  category: 'transactional' | 'commercial',
): Promise<Offered[]> {
  const { customerGuid } = facts
  const { rows } = await sql<Omit<Offered, 'suppressed'>>`
    select address, name, (array['customer', 'contact', 'thread'])[place + 1] as role,
      (select json_build_object('kind', n.kind, 'at', to_char(n.created_at at time zone 'UTC',
          'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) from consents n
        where n.business_guid = ${facts.businessGuid}::uuid and n.address = once.address
        order by n.created_at desc, n.guid desc limit 1) as consent from (
      select distinct on (address) * from (
        select own.* from ${addressesOf(customerGuid)} own
        union all
        select lower(${addressIn('m.sender')}), null, 2 from messages m
          where m.direction = 'in' and m.owner_type = ${ownerType} and m.owner_guid = ${ownerGuid}::uuid
      ) named where address is not null order by address, place, name
    ) once order by place, name, address`.execute(ctx.db)
  const closed = await suppressedAmong(
    ctx.db,
    facts.businessGuid,
    rows.map(({ address }) => address),
    category,
  )
  return rows.map((row) => ({ ...row, suppressed: closed.get(row.address) ?? null }))
}

/** The same with what a template may name of it. */
export async function withFieldsOf(ctx: Ctx, about: About, kind: TemplateKind | undefined): Promise<About> {
  if (!kind) return about
  const { record } = templateKindFacts[kind]
  const { businessGuid, customerGuid } = about.facts
  const guid = record === 'customer' ? customerGuid : about.ownerGuid
  const { messageGuid } = about
  return { ...about, fields: await recordFields(ctx, { businessGuid, kind, record, guid, messageGuid }) }
}
