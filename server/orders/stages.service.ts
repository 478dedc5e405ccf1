import { sql } from 'kysely'
import { conflict, invalid } from '../../contract/core/errors.ts'
import { money } from '../core/i18n/format.ts'
import type { Order } from '../../contract/orders.ts'
import { endStages, moveStages, type Stage, stageAmounts, type StageDue, stageState } from '../../contract/stages.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { notify } from '../core/notices.ts'
import type { OrderRow } from './orders.queries.ts'

export type { OrderRow }

/** A stage as an order's screens and its customer's page read it. */
interface FoundStage {
  guid: string
  label: string
  cents: number
  dueType: StageDue['type']
  dueOn: string | null
  invoice: { guid: string; number: string | null; title: string; status: string; balanceCents: number } | null
}

/** The stages of an order in order, each with the invoice that bills it. */
export const stagesOf = (order: string) => sql<FoundStage[]>`(select coalesce(json_agg(json_build_object('guid', s.guid,
  'label', s.label, 'cents', s.cents, 'dueType', s.due_type, 'dueOn', s.due_on, 'invoice',
  (select json_build_object('guid', i.guid, 'number', i.number, 'title', i.title, 'status', i.status,
    'balanceCents', i.balance_cents) from invoices i
    where i.stage_guid = s.guid and i.status <> 'void' and i.archived_at is null))
  order by s.position), '[]'::json)
  from order_stages s where s.order_guid = ${sql.ref(order)})`

export const dueOf = ({ dueType, dueOn }: Pick<FoundStage, 'dueType' | 'dueOn'>): StageDue =>
  dueType === 'day' ? { type: 'day', on: dueOn ?? '' } : { type: dueType }

type Dated = Pick<OrderRow, 'startedAt' | 'completedAt'>

export const shownStages = (stages: readonly FoundStage[], order: Dated, today: string): Order['stages'] =>
  stages.map(({ guid, label, cents, invoice, ...when }) => ({
    guid,
    label,
    cents,
    due: dueOf(when),
    state: stageState({ cents, due: dueOf(when), invoice }, order, today),
    invoice: invoice && {
      guid: invoice.guid,
      label: invoice.number ?? invoice.title,
      balanceCents: invoice.balanceCents,
    },
  }))

/** The stages a quote was accepted with, with the amounts its order makes of them. */
export async function keepStages(ctx: Ctx, orderGuid: string, schedule: readonly Stage[], totalCents: number) {
  const amounts = stageAmounts(schedule, totalCents)
  await ctx.db
    .insertInto('orderStages')
    .values(
      schedule.map(({ label, due }, i) => ({
        orderGuid,
        position: i + 1,
        label,
        cents: amounts[i] ?? 0,
        dueType: due.type,
        dueOn: due.type === 'day' ? due.on : null,
        // Whoever accepts is asked at once.
        toldAt: due.type === 'acceptance' ? ctx.now : null,
      })),
    )
    .execute()
}

const found = async (db: Db, orderGuid: string) =>
  (
    await db
      .selectFrom('orders as o')
      .select(stagesOf('o.guid').as('stages'))
      .where('o.guid', '=', orderGuid)
      .executeTakeFirstOrThrow()
  ).stages

export interface OpenStage {
  guid: string
  label: string
  cents: number
  due: StageDue
  isLast: boolean
}

/**
 * The stage of a locked order that is named to be invoiced; null of an order that is not paid in stages. Throws
 * VALIDATION_FAILED and CONFLICT.
 */
export async function stageToInvoice(
  ctx: Ctx,
  order: OrderRow,
  stageGuid: string | undefined,
): Promise<OpenStage | null> {
  const stages = await found(ctx.db, order.guid)
  if (stages.length === 0 && stageGuid === undefined) return null
  if (stageGuid === undefined) throw conflict('This order is paid in stages. Invoice its next stage.')
  const index = stages.findIndex(({ guid }) => guid === stageGuid)
  const stage = stages[index]
  if (!stage) throw invalid('stageGuid', 'We can’t find that stage.')
  if (stage.invoice) throw conflict('This stage is already invoiced.')
  const isLast = index === stages.length - 1
  if (stage.cents === 0 && !isLast) throw conflict('There is nothing to invoice for this stage.')
  const isOpen = ({ cents, invoice }: FoundStage) =>
    cents > 0 && (!invoice || ['draft', 'scheduled'].includes(invoice.status))
  if (stages.slice(0, index).some(isOpen)) throw conflict('Invoice the earlier stages first.')
  return { guid: stage.guid, label: stage.label, cents: stage.cents, due: dueOf(stage), isLast }
}

/**
 * After the lines of a locked order changed: its stages come to its total again, the last one that is not invoiced
 * first; `label` names a stage that has to be added. Throws CONFLICT where less would be left than is invoiced.
 */
export async function settleStages(
  ctx: Ctx,
  order: Pick<OrderRow, 'guid' | 'number'>,
  totalCents: number,
  label: string,
) {
  const stages = await found(ctx.db, order.guid)
  if (stages.length === 0) return
  const delta = totalCents - stages.reduce((sum, { cents }) => sum + cents, 0)
  if (delta === 0) return
  const moved = moveStages(
    stages.map(({ cents, invoice }) => ({ cents, isBilled: invoice !== null })),
    delta,
  )
  if (!moved && delta < 0) {
    const left = stages.reduce((sum, { cents, invoice }) => sum + (invoice ? 0 : cents), 0)
    throw conflict(`Only ${money(left)} is left to invoice. Issue a credit note for the rest.`)
  }
  if (!moved) return addStage(ctx, { orderGuid: order.guid, label }, stages.length + 1, delta)
  await putStages(ctx, stages, moved)
}

/** After a locked order was cancelled and fell to what is billed: nothing else waits to be billed. */
export async function endOrderStages(ctx: Ctx, orderGuid: string, totalCents: number) {
  const stages = await found(ctx.db, orderGuid)
  const ended = endStages(
    stages.map(({ cents, invoice }) => ({ cents, isBilled: invoice !== null })),
    totalCents,
  )
  await putStages(ctx, stages, ended)
}

async function putStages(ctx: Ctx, stages: readonly FoundStage[], amounts: readonly number[]) {
  for (const [i, { guid, cents }] of stages.entries())
    if (amounts[i] !== cents)
      await ctx.db
        .updateTable('orderStages')
        .set({ cents: amounts[i] ?? cents })
        .where('guid', '=', guid)
        .execute()
}

/** All stages are invoiced, and there is more to pay. */
const addStage = (ctx: Ctx, added: { orderGuid: string; label: string }, position: number, cents: number) =>
  ctx.db
    .insertInto('orderStages')
    .values({ ...added, position, cents, dueType: 'completion' })
    .execute()

/** Tells that stages are to be billed, once each. */
export async function tellReady(ctx: Ctx, order: Pick<OrderRow, 'guid' | 'number'> & Dated, today: string) {
  const waiting = await ctx.db
    .selectFrom('orderStages')
    .selectAll()
    .where('orderGuid', '=', order.guid)
    .where('toldAt', 'is', null)
    .where('cents', '>', 0)
    .orderBy('position')
    .execute()
  for (const stage of waiting) {
    const facts = { cents: stage.cents, due: dueOf(stage), invoice: null }
    if (stageState(facts, order, today) !== 'ready') continue
    await ctx.db.updateTable('orderStages').set({ toldAt: ctx.now }).where('guid', '=', stage.guid).execute()
    await notify(ctx, {
      kind: 'order.stage_ready',
      noun: 'Orders',
      recordGuid: order.guid,
      event: `order.stage_ready:${stage.guid}`,
      values: { number: order.number, name: stage.label, amountCents: stage.cents },
    })
  }
}
