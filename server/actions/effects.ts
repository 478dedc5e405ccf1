import { type Selectable, sql } from 'kysely'
import type { ActionEffect } from '../../contract/actions.ts'
import { conflict, notFound } from '../../contract/core/errors.ts'
import type { Op } from '../../contract/core/op.ts'
import { invoicesApi } from '../../contract/invoices.ts'
import { messageWritesApi } from '../../contract/message-writes.ts'
import { type NounName, rightsOf, rowOf } from '../../contract/nouns.ts'
import { ordersApi } from '../../contract/orders.ts'
import { quotesApi } from '../../contract/quotes.ts'
import { seriesApi } from '../../contract/series.ts'
import { templateKindFacts } from '../../contract/template-kinds.ts'
import { acceptance } from '../acceptance/acceptance.service.ts'
import { type Ctx, withCtx } from '../core/ctx.ts'
import type { ActionTables } from '../core/db/schema-actions.ts'
import { authorize } from '../core/http/permission.ts'
import { notify } from '../core/notices.ts'
import { userName } from '../core/records.ts'
import { toldTo } from '../events/events.service.ts'
import type { TakenEvent } from '../events/taking.service.ts'
import { invoices } from '../invoices/invoices.service.ts'
import { queueByRule } from '../messages/by-rule.service.ts'
import { orders } from '../orders/orders.service.ts'
import { quotes } from '../quotes/quotes.service.ts'
import { filterReadable } from '../row-scope/row-scope.service.ts'
import { series } from '../series/series.service.ts'
import { tagging } from '../tags/tags.service.ts'
import { handToWebhook } from '../webhooks/webhooks.service.ts'

type Effect<T extends ActionEffect['type']> = Extract<ActionEffect, { type: T }>

/** What an effect is done for. */
export interface Occasion {
  action: Selectable<ActionTables['actions']>
  run: Selectable<ActionTables['actionRuns']>
  event: TakenEvent
}
/** What became of an effect, beyond what it says itself: addresses, names, tags, the number of what was made. */
type Done = string

/** Sends something out of the house, and so rests while a restored database is being looked at. */
export const leavesHouse = ({ type }: ActionEffect): boolean => type === 'message' || type === 'webhook'

/** The records that the owner may touch by an operation: as a call of his would. */
const as = (ctx: Ctx, op: Pick<Op, 'can' | 'who'>): Ctx => withCtx(ctx, { rows: authorize(op, ctx.actor, true) })

/** A record that changes only where nobody else changes it meanwhile. */
async function lockVersion(ctx: Ctx, noun: NounName, guid: string): Promise<number> {
  const { rows } = await sql<{ version: number }>`select d.version from ${sql.table(rowOf(noun).table)} d
    where d.guid = ${guid}::uuid for update`.execute(ctx.db)
  if (!rows[0]) throw notFound()
  return rows[0].version
}

/** Moves the record on as its own noun does it: its rights, its rows and its states decide. */
async function transition(ctx: Ctx, { deed }: Effect<'transition'>, { action, event }: Occasion): Promise<Done> {
  const { noun, recordGuid: guid } = event
  const at = { guid, version: await lockVersion(ctx, noun, guid) }
  const reason = action.name
  if (noun === 'Orders') {
    const input = ordersApi.status.body.parse({ version: at.version, deed, reason })
    await orders.status(as(ctx, ordersApi.status), { ...input, guid })
    return ''
  }
  if (noun === 'Series') {
    const input = seriesApi.status.body.parse({ version: at.version, deed, reason })
    await series.status(as(ctx, seriesApi.status), { ...input, guid })
    return ''
  }
  if (noun === 'Quotes' && deed === 'cancel') {
    await quotes.cancel(as(ctx, quotesApi.cancel), { ...at, reason })
    return ''
  }
  if (noun === 'Quotes' && deed === 'convert')
    return (await acceptance.convert(as(ctx, quotesApi.convert), at)).order.label
  if (noun === 'Invoices' && deed === 'issue')
    return (await invoices.issue(as(ctx, invoicesApi.issue), at)).invoice.number ?? ''
  throw conflict('This event can’t do that.')
}

async function tag(ctx: Ctx, { add, remove }: Effect<'tag'>, { event: { noun, recordGuid } }: Occasion): Promise<Done> {
  if (!hasTags(noun)) throw conflict('This event can’t do that.')
  const can = ['update', `${rightsOf(noun)}:Update:Guid`] as const
  const { tags } = await tagging(noun).tag(as(ctx, { can, who: 'staff' }), { guid: recordGuid, add, remove })
  return tags.join(', ')
}
type Tagged = Parameters<typeof tagging>[0]
const hasTags = (noun: NounName): noun is Tagged => rowOf(noun).hasTags === true

/** Who is told: everybody of a role, a user, or whoever the record is of. Each hears of what he may read alone. */
async function listenersOf(ctx: Ctx, { to }: Effect<'notify'>, { event }: Occasion): Promise<Person[]> {
  const people = ctx.db
    .selectFrom('users as u')
    .select(['u.guid', userName('u').as('name')])
    .where('u.status', '=', 'active')
  if (to !== 'recordOwner')
    return 'roleGuid' in to
      ? people.where('u.roleGuid', '=', to.roleGuid).orderBy('u.guid').execute()
      : people.where('u.guid', '=', to.userGuid).execute()
  const { scope, table } = rowOf(event.noun)
  if (!scope?.owner) return []
  return people
    .where(sql<boolean>`u.guid = (select ${sql.ref(`d.${scope.owner}`)} from ${sql.table(table)} d
      where d.guid = ${event.recordGuid}::uuid)`)
    .execute()
}
interface Person {
  guid: string
  name: string
}

async function tell(ctx: Ctx, effect: Effect<'notify'>, occasion: Occasion): Promise<Done> {
  const { run, event } = occasion
  const people = await listenersOf(ctx, effect, occasion)
  for (const { guid: to } of people)
    await notify(
      // Whoever owns the action is told like the others.
      { enqueue: (...given) => ctx.enqueue(...given), actor: { kind: 'system', name: 'actions' } },
      {
        ...{ kind: 'action.told', noun: event.noun, recordGuid: event.recordGuid, to },
        event: `action:${run.guid}:${run.effectsDone}`,
        values: { text: effect.text, record: run.recordLabel || null },
      },
    )
  return people.map(({ name }) => name).join(', ')
}

/** The customer of a record: itself, its own, or that of the payment it gives back. */
async function customerOf(ctx: Ctx, { noun, recordGuid }: TakenEvent): Promise<string> {
  if (noun === 'Customers') return recordGuid
  const { rows } =
    noun === 'Refunds'
      ? await sql<{ guid: string | null }>`select p.customer_guid as guid from refunds d
          join payments p on p.guid = d.payment_guid where d.guid = ${recordGuid}::uuid`.execute(ctx.db)
      : await sql<{ guid: string | null }>`select d.customer_guid as guid from ${sql.table(rowOf(noun).table)} d
          where d.guid = ${recordGuid}::uuid`.execute(ctx.db)
  const guid = rows[0]?.guid
  if (!guid) throw conflict('This record has no customer.')
  return guid
}

/** What a message may be about besides its customer. */
const owners = {
  Quotes: 'quote',
  Orders: 'order',
  Invoices: 'invoice',
  Payments: 'payment',
  Refunds: 'refund',
} as const
const isOwner = (noun: NounName): noun is keyof typeof owners => Object.hasOwn(owners, noun)

/** A template that is filled from a record goes with that record; a general one with a document, too. */
async function aboutOf(ctx: Ctx, { templateGuid }: Effect<'message'>, { noun, recordGuid }: TakenEvent) {
  const template = await ctx.db
    .selectFrom('templates')
    .select('kind')
    .where('guid', '=', templateGuid)
    .executeTakeFirst()
  const record = template && templateKindFacts[template.kind].record
  if (isOwner(noun) && owners[noun] === record) return { ownerType: owners[noun], ownerGuid: recordGuid }
  if (record !== 'customer') throw conflict('This template doesn’t fit the event.')
  if (template?.kind === 'general' && (noun === 'Quotes' || noun === 'Orders' || noun === 'Invoices'))
    return { ownerType: owners[noun], ownerGuid: recordGuid }
  return null
}

async function message(ctx: Ctx, effect: Effect<'message'>, { event, run }: Occasion): Promise<Done> {
  const customerGuid = await customerOf(ctx, event)
  const about = (await aboutOf(ctx, effect, event)) ?? { ownerType: 'customer' as const, ownerGuid: customerGuid }
  const { templateGuid, to, attachDocument } = effect
  const sentTo = await queueByRule(as(ctx, messageWritesApi.write), {
    ...{ templateGuid, to, attachDocument, customerGuid, runGuid: run.guid },
    ...about,
  })
  return sentTo.join(', ')
}

/** Nothing is told of a record, and nothing done with it, that the owner of the action may not read. */
async function mustBeReadable(ctx: Ctx, { noun, recordGuid }: TakenEvent): Promise<void> {
  if ((await filterReadable(ctx, [{ entity: noun, guid: recordGuid }])).length === 0) throw notFound()
}

/** Hands the event to a webhook, with what the owner of the action may know of the record. */
async function hand(ctx: Ctx, { webhookGuid }: Effect<'webhook'>, { event }: Occasion): Promise<Done> {
  const { guid, key, at, noun, recordGuid, values } = event
  const { number } = values
  const record = { noun, guid: recordGuid, number: typeof number === 'string' ? number : null }
  await handToWebhook(ctx, webhookGuid, { guid, key, at, record, ...toldTo(ctx, event) })
  return ''
}

/** Does one effect in the name of the action's owner, in the transaction that notes it. */
export async function perform(ctx: Ctx, effect: ActionEffect, occasion: Occasion): Promise<Done> {
  await mustBeReadable(ctx, occasion.event)
  if (effect.type === 'message') return message(ctx, effect, occasion)
  if (effect.type === 'notify') return tell(ctx, effect, occasion)
  if (effect.type === 'tag') return tag(ctx, effect, occasion)
  if (effect.type === 'transition') return transition(ctx, effect, occasion)
  return hand(ctx, effect, occasion)
}
