import { actionProblems, applyActions, type ChangeAction, changedLines } from '../../contract/change-orders.ts'
import { AppError, refuseFields } from '../../contract/core/errors.ts'
import type { LineInput } from '../../contract/lines.ts'
import type { Ctx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { fromCatalogue } from '../documents/catalogue-lines.service.ts'
import { inputOf, inputsOf } from '../documents/lines-below.service.ts'
import { type CataloguedInput, checkProducts } from '../documents/lines.service.ts'
import { effectOn, pricedFor } from './changes.record.service.ts'
import { hireWithin } from './hire.queries.ts'
import { refuseLessThanInvoiced, refuseRemoval, totalsWithout } from './orders.lines.ts'
import { type OrderLineRow, type OrderRow, orderLines } from './orders.queries.ts'

/** A field of a line as the action that named it has it. */
const actionPath = (actions: readonly ChangeAction[], named: readonly number[]) => (path: string) =>
  path.replace(/^lines\.(\d+)\.(.+)$/, (_all, i: string, field: string) => {
    const at = named[Number(i)] ?? 0
    if (actions[at]?.kind === 'add') return `actions.${at}.line.${field}`
    return `actions.${at}.${field === 'unitPriceCents' ? field : 'quantity'}`
  })

async function atActions<T>(actions: readonly ChangeAction[], named: readonly number[], work: () => Promise<T>) {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || !error.fields) throw error
    const path = actionPath(actions, named)
    const fields = error.fields.map((field) => ({ ...field, path: path(field.path) }))
    throw new AppError(error.code, error.message, { fields })
  }
}

/** What actions make of the lines they name, by the catalogue; a line keeps the price that was agreed. */
async function resolve(ctx: Ctx, order: OrderRow, before: readonly OrderLineRow[], actions: readonly ChangeAction[]) {
  refuseFields(actionProblems(actions, before))
  const named = actions.flatMap((action, i) => (action.kind === 'remove' ? [] : [i]))
  const sent = named.flatMap((i): LineInput[] => {
    const action = actions[i]
    if (action?.kind === 'add') return [action.line]
    const line = before.find(({ guid }) => action?.kind === 'change' && guid === action.lineGuid)
    if (!line || !action) return []
    const { catalogued: _kept, children: _below, ...entered } = inputOf(line)
    const asEntered = {
      ...entered,
      hireFrom: line.hireFrom,
      hireTo: line.hireTo,
      revenueStreamGuid: line.revenueStreamGuid,
    } as LineInput
    return applyActions([asEntered], [action], () => asEntered)
  })
  const agreed = before.map((line) => ({ ...line, isPriceManual: true }))
  const manual = new Map(before.map((line) => [line.guid, line.isPriceManual]))
  const { businessGuid, customerGuid, priceMode } = order
  const { gstRegistered } = await businessOf(ctx, order)
  const resolved = await atActions(actions, named, async () => {
    const given = { businessGuid, gstRegistered, customerGuid, priceMode }
    const found = await fromCatalogue(ctx, given, sent, agreed)
    await checkProducts(ctx, businessGuid, sent, new Set(before.flatMap((line) => line.productGuid ?? [])))
    return found
  })
  return resolved.map((line, i): CataloguedInput => {
    const guid = line.guid ?? newGuid()
    const wasManual = manual.get(guid)
    const isAsWas = sent[i]?.unitPriceCents === before.find((one) => one.guid === guid)?.unitPriceCents
    const { catalogued } = line
    return {
      ...line,
      guid,
      ...(catalogued && wasManual !== undefined && isAsWas
        ? { catalogued: { ...catalogued, isPriceManual: wasManual } }
        : {}),
    }
  })
}

/** What is on hire stays as it was agreed until it is back. */
function refuseHired(
  actions: readonly ChangeAction[],
  before: readonly OrderLineRow[],
  hired: ReadonlySet<string>,
): void {
  const leading = new Set(before.flatMap((line) => (hired.has(line.guid) ? [line.parentLineGuid ?? line.guid] : [])))
  refuseFields(
    actions.flatMap((action, i) =>
      action.kind !== 'add' && leading.has(action.lineGuid)
        ? [{ path: `actions.${i}.lineGuid`, message: 'This line is on hire, so this can’t be changed.' }]
        : [],
    ),
  )
}

const businessOf = (ctx: Ctx, { businessGuid }: Pick<OrderRow, 'businessGuid'>) =>
  ctx.db.selectFrom('businesses').select('gstRegistered').where('guid', '=', businessGuid).executeTakeFirstOrThrow()

/** The order with a change in it, priced; nothing is written. Throws where the order does not allow it any more. */
export async function priced(
  ctx: Ctx,
  order: OrderRow,
  before: readonly OrderLineRow[],
  { actions, resolved }: { actions: readonly ChangeAction[]; resolved: readonly CataloguedInput[] },
) {
  refuseFields(actionProblems(actions, before))
  const byGuid = new Map(resolved.map((line) => [line.guid, line]))
  const gone = new Set(actions.flatMap((action) => (action.kind === 'remove' ? [action.lineGuid] : [])))
  const known = new Set([...before.map(({ guid }) => guid), ...resolved.flatMap((line) => line.guid ?? [])])
  const kept = inputsOf(before).filter((line) => !gone.has(line.guid ?? ''))
  const had = new Set(kept.map((line) => line.guid))
  const input = [
    ...kept.map((line) => byGuid.get(line.guid) ?? line),
    ...resolved.filter((line) => !had.has(line.guid)),
  ]
  const after = await pricedFor(ctx, order, input, known)
  if (after.totals.totalCents < 0) refuseFields([{ path: 'actions', message: 'The order total can’t be below zero.' }])
  await refuseRemoval(ctx, order, before, after.rows)
  const hired = await hireWithin(ctx.db, order.guid)
  refuseHired(actions, before, hired.lines)
  const { gstRegistered } = await businessOf(ctx, order)
  const work = hired.lines.size === 0 ? after.totals : totalsWithout(hired.lines, input, order, gstRegistered)
  await refuseLessThanInvoiced(ctx, order, work.totalCents)
  return { ...after, lines: changedLines(before, after.rows), ...effectOn(order, after.totals.totalCents) }
}

/** What actions make of an order, priced by it as it is now. */
export async function made(ctx: Ctx, order: OrderRow, actions: readonly ChangeAction[]) {
  const before = await orderLines(ctx.db, order.guid)
  const resolved = await resolve(ctx, order, before, actions)
  const after = await priced(ctx, order, before, { actions, resolved })
  const { deltaCents, contractBeforeCents, contractAfterCents, lines } = after
  return { resolved, effect: { deltaCents, contractBeforeCents, contractAfterCents }, lines }
}
