import { AppError, conflict, invalid, invalidTransition, notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import {
  testEvent,
  unanswered,
  type Webhook,
  type WebhookBody,
  type WebhookDelivery,
  webhooksApi,
} from '../../contract/webhooks.ts'
import { archiving, writeArchived } from '../core/bulk.ts'
import type { Ctx, Handlers, OpenCtx } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { checkVersion } from '../core/db/rows.ts'
import { newGuid } from '../core/guid.ts'
import { readHold } from '../core/hold.ts'
import { sayConstraints } from '../core/http/errors.ts'
import { outboundRefusal } from '../core/outbound.ts'
import { archivedIf, changed, firstStamp, stamp } from '../core/records.ts'
import { deliver, hold, leaseMs } from './deliveries.ts'
import { isClosed } from './destinations.ts'
import { newSecret, sealSecret } from './signing.ts'
import {
  toldColumns,
  type ToldWebhook,
  toldWebhooks,
  visibleDeliveries,
  visibleWebhooks,
  type WebhookRow,
} from './webhooks.queries.ts'

type Api = typeof webhooksApi

export const deliveryQueue = 'webhooks.deliver'
/** One that waits is enough: it takes whatever is there when it begins. */
export const askForDelivery = (ctx: Pick<Ctx, 'enqueue'>) => ctx.enqueue(deliveryQueue, {}, { singletonKey: 'due' })

/** How long the secret before the last change signs along. */
const oldSecretMs = 24 * 3_600_000
/** So much of an event goes out; without its facts where these make it longer. */
const maxBody = 64 * 1024

sayConstraints({
  webhook_name_taken: ['ALREADY_EXISTS', 'Another webhook has this name.', 'name'],
})

/** An event as it is handed over. */
export interface HandedEvent {
  guid: string
  key: string
  at: Date | string
  record: WebhookBody['record']
  values: WebhookBody['values']
  facts: WebhookBody['facts']
}

function bodyOf({ guid, key, at, ...event }: HandedEvent): string {
  const whole: WebhookBody = { id: guid, event: key, at: new Date(at).toISOString(), ...event }
  const fits = [whole, { ...whole, facts: null }, { ...whole, values: {}, facts: null }]
  return fits.map((body) => JSON.stringify(body)).find((text) => text.length <= maxBody) ?? ''
}

const firstOf = (ctx: Pick<Ctx, 'now'>, webhookGuid: string, event: HandedEvent) => ({
  ...{ guid: newGuid(), webhookGuid, eventGuid: event.guid, event: event.key, number: event.record.number },
  ...{ body: bodyOf(event), createdAt: ctx.now, nextAt: ctx.now },
})

/**
 * Hands an event to a webhook of the business within the caller's transaction: it is sent once that is committed, and
 * never if it is not. What is handed to a webhook that is paused waits until it is resumed.
 */
export async function handToWebhook(ctx: Ctx, webhookGuid: string, event: HandedEvent): Promise<{ guid: string }> {
  const webhook = await ctx.db
    .selectFrom('webhooks')
    .select('archivedAt')
    .where('guid', '=', webhookGuid)
    .where('businessGuid', '=', ctx.business.guid)
    .forKeyShare()
    .executeTakeFirst()
  if (!webhook) throw notFound()
  if (webhook.archivedAt) throw conflict(archivedAlready)
  const row = firstOf(ctx, webhookGuid, event)
  await ctx.db.insertInto('webhookDeliveries').values(row).execute()
  await askForDelivery(ctx)
  return { guid: row.guid }
}

const archivedAlready = 'This webhook is archived. Restore it first.'

/** What people enter of a webhook, as the audit log and answers show it: never a secret. */
const entered = ({ name, url, status }: WebhookRow) => ({ name, url, status })

/** While a restored database is being looked at nothing goes out, whatever a webhook says itself. */
const shown = (row: ToldWebhook, isHeld: boolean): Webhook => ({
  ...{ guid: row.guid, version: row.version, createdAt: row.createdAt, updatedAt: row.updatedAt },
  ...{ archivedAt: row.archivedAt, ...entered(row), pausedReason: row.pausedReason, lastDelivery: row.lastDelivery },
  ...(isHeld ? { status: 'paused', pausedReason: 'restored' } : {}),
})

const isHeld = async (ctx: Pick<Ctx, 'db'>) => (await readHold(ctx.db)) !== null

async function one(ctx: Ctx, guid: string): Promise<{ webhook: Webhook }> {
  const seen = await visibleWebhooks(ctx).select('w.guid').where('w.guid', '=', guid).executeTakeFirst()
  if (!seen) throw notFound()
  const row = await toldWebhooks(ctx).where('w.guid', '=', guid).executeTakeFirstOrThrow()
  return { webhook: shown(row, await isHeld(ctx)) }
}

async function list(ctx: Ctx, input: Input<Api['list']>) {
  const page = await pageOf({
    query: toldWebhooks(ctx),
    found: visibleWebhooks(ctx).where('w.businessGuid', '=', ctx.business.guid).where(archivedIf('w', input.archived)),
    isPlain: true,
    input,
    sorts: { name: 'w.name', createdAt: 'w.createdAt' },
    guid: 'w.guid',
    defaultSort: 'name',
  })
  const held = await isHeld(ctx)
  return { ...page, items: page.items.map((row) => shown(row, held)) }
}

async function lock(ctx: Ctx, guid: string): Promise<WebhookRow> {
  const row = await visibleWebhooks(ctx).selectAll('w').where('w.guid', '=', guid).forUpdate('w').executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** Asked before the transaction: no name server is waited for inside one. */
async function refuseClosed(ctx: OpenCtx, url: string | undefined) {
  if (url !== undefined && (await isClosed(ctx.deps.settings, url))) throw invalid('url', outboundRefusal)
}

async function create(ctx: OpenCtx, { status, ...input }: Input<Api['create']>) {
  await refuseClosed(ctx, input.url)
  const guid = newGuid()
  const secret = newSecret()
  return ctx.tx(async (tx) => {
    const row = await tx.db
      .insertInto('webhooks')
      .values({
        ...{ guid, businessGuid: ctx.business.guid, ...input, ...pausedAs(status), ...firstStamp(ctx) },
        secret: sealSecret(ctx.deps.keys, guid, secret),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    tx.audit({ action: 'webhook.created', entity: 'Webhooks', guid, after: entered(row) })
    return { ...(await one(tx, guid)), secret }
  })
}

const pausedAs = (status: 'active' | 'paused') => ({
  status,
  pausedReason: status === 'paused' ? ('person' as const) : null,
})

async function update(ctx: OpenCtx, { guid, version, status, ...changes }: Input<Api['update']>) {
  await refuseClosed(ctx, changes.url)
  return ctx.tx(async (tx) => {
    const before = await lock(tx, guid)
    await checkVersion(before, version, webhooksApi.get, () => one(tx, guid))
    const isMoved = status !== undefined && status !== before.status
    if (isMoved && status === 'active') await refuseRest(tx, before)
    const after = await tx.db
      .updateTable('webhooks')
      .set({ ...changes, ...(isMoved ? pausedAs(status) : {}), ...stamp(tx, before.version) })
      .where('guid', '=', guid)
      .returningAll()
      .executeTakeFirstOrThrow()
    const change = changed(entered(before), entered(after))
    tx.audit({
      action: isMoved ? (status === 'active' ? 'webhook.resumed' : 'webhook.paused') : 'webhook.updated',
      ...{ entity: 'Webhooks', guid, before: change.before, after: { ...change.after, name: after.name } },
    })
    if (isMoved && status === 'active') await wake(tx, guid)
    return one(tx, guid)
  })
}

/** Nothing is sent by what is archived, and nothing at all while a restored database is being looked at. */
async function refuseRest(ctx: Ctx, row: Pick<WebhookRow, 'archivedAt'>) {
  if (row.archivedAt) throw invalidTransition(archivedAlready)
  if (await isHeld(ctx))
    throw conflict('Sending is paused because this database was restored. Check what is waiting, then resume.')
}

/** What waits goes out at once, with all its retries. */
async function wake(ctx: Ctx, webhookGuid: string) {
  await ctx.db
    .updateTable('webhookDeliveries')
    .set({ nextAt: ctx.now, firstAt: null })
    .where('webhookGuid', '=', webhookGuid)
    .where('state', '=', 'waiting')
    .execute()
  await askForDelivery(ctx)
}

async function setArchived(ctx: Ctx, guid: string, isArchived: boolean) {
  const row = await lock(ctx, guid)
  if ((row.archivedAt !== null) === isArchived)
    throw invalidTransition(isArchived ? 'This webhook is already archived.' : 'This webhook isn’t archived.')
  await writeArchived(ctx, 'Webhooks', row, isArchived)
  if (isArchived)
    await ctx.db
      .updateTable('webhookDeliveries')
      .set({ state: 'failed', status: null, said: unanswered.archived, nextAt: null, leaseUntil: null })
      .where('webhookGuid', '=', guid)
      .where('state', '=', 'waiting')
      .execute()
}

async function changeSecret(ctx: Ctx, { guid }: Input<Api['secret']>) {
  const row = await lock(ctx, guid)
  if (row.archivedAt) throw invalidTransition(archivedAlready)
  const secret = newSecret()
  await ctx.db
    .updateTable('webhooks')
    .set({
      secret: sealSecret(ctx.deps.keys, guid, secret),
      oldSecret: row.secret,
      oldUntil: new Date(ctx.now.getTime() + oldSecretMs),
      ...stamp(ctx, row.version),
    })
    .where('guid', '=', guid)
    .execute()
  ctx.audit({ action: 'webhook.secret_changed', entity: 'Webhooks', guid, after: { name: row.name } })
  return { ...(await one(ctx, guid)), secret }
}

async function delivery(ctx: Ctx, guid: string): Promise<{ delivery: WebhookDelivery }> {
  const row = await visibleDeliveries(ctx).select(toldColumns).where('d.guid', '=', guid).executeTakeFirst()
  if (!row) throw notFound()
  return { delivery: row }
}

/** A test goes out at once, paused or not, and once: whoever asks for it waits for its answer. */
async function test(ctx: OpenCtx, { guid }: Input<Api['test']>) {
  const held = await ctx.tx(async (tx) => {
    const row = await lock(tx, guid)
    await refuseRest(tx, row)
    const record = { noun: 'Webhooks', guid, number: null }
    const event = { guid: newGuid(), key: testEvent, at: ctx.now, record, values: { name: row.name }, facts: null }
    const first = firstOf(tx, guid, event)
    const leaseUntil = new Date(ctx.now.getTime() + leaseMs)
    await tx.db
      .insertInto('webhookDeliveries')
      .values({ ...first, isTest: true, leaseUntil })
      .execute()
    return hold(tx, first.guid, tx.deps.now())
  })
  await deliver(ctx, held)
  return delivery(ctx, held.guid)
}

async function deliveries(ctx: Ctx, { guid, state, ...input }: Input<Api['deliveries']>) {
  const seen = await visibleWebhooks(ctx).select('w.guid').where('w.guid', '=', guid).executeTakeFirst()
  if (!seen) throw notFound()
  const all = ctx.db.selectFrom('webhookDeliveries as d').where('d.webhookGuid', '=', guid)
  const asked = state === undefined ? all : all.where('d.state', 'in', state.split(',') as WebhookDelivery['state'][])
  return pageOf({
    query: asked.select(toldColumns),
    input,
    sorts: { createdAt: 'd.createdAt' },
    guid: 'd.guid',
    defaultSort: '-createdAt',
  })
}

async function retry(ctx: Ctx, { guid }: Input<Api['retry']>) {
  const row = await visibleDeliveries(ctx)
    .select(['d.state', 'd.leaseUntil', 'd.isTest', 'w.guid', 'w.name', 'w.status', 'w.archivedAt'])
    .where('d.guid', '=', guid)
    .forUpdate('d')
    .executeTakeFirst()
  if (!row) throw notFound()
  await refuseRest(ctx, row)
  if (row.status === 'paused') throw new AppError('INVALID_TRANSITION', 'Resume this webhook first.')
  if (row.state === 'delivered') throw invalidTransition('This delivery has already arrived.')
  if (row.leaseUntil && new Date(row.leaseUntil) > ctx.now) throw conflict('This delivery is being tried right now.')
  const again = row.state === 'failed' ? { firstAt: null } : {}
  await ctx.db
    .updateTable('webhookDeliveries')
    .set({ state: 'waiting', nextAt: ctx.now, leaseUntil: null, ...again })
    .where('guid', '=', guid)
    .execute()
  ctx.audit({ action: 'webhook.retried', entity: 'Webhooks', guid: row.guid, after: { name: row.name } })
  await askForDelivery(ctx)
  return delivery(ctx, guid)
}

export const webhooks: Handlers<Api> = {
  list,
  get: (ctx, { guid }) => one(ctx, guid),
  create,
  update,
  ...archiving('Webhooks', setArchived, one),
  secret: changeSecret,
  test,
  deliveries,
  retry,
}
