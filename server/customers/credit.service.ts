import { sql } from 'kysely'
import { conflict } from '../../contract/core/errors.ts'
import { creditOverride } from '../../contract/customers.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { inFamily, keeperOf } from '../core/family.ts'
import { may } from '../core/http/permission.ts'

const dollars = new Intl.NumberFormat('en', { minimumFractionDigits: 2 })
const money = (cents: number) => `$${dollars.format(cents / 100)}`

interface Claim {
  businessGuid: string
  customerGuid: string
  /** What the deed adds to what counts against the limit, in cents; nothing where it counts already. */
  addsCents: number
  noun: 'order' | 'invoice'
}

/**
 * What counts against a limit, of a family in one business: what is owing on issued invoices, and what is still to be
 * invoiced of agreed work.
 */
async function usedCents(db: Db, businessGuid: string, customerGuid: string): Promise<number> {
  const { rows } = await sql<{ used: number }>`select (coalesce((select sum(i.balance_cents) from invoices i
      where ${inFamily('i', customerGuid)} and i.business_guid = ${businessGuid}::uuid and i.status = 'issued'
      and i.balance_cents > 0), 0)
    + coalesce((select sum(greatest(o.total_cents - o.invoiced_cents, 0)) from orders o
      where ${inFamily('o', customerGuid)} and o.business_guid = ${businessGuid}::uuid
      and o.status in ('confirmed', 'in_progress', 'on_hold') and o.archived_at is null), 0))::bigint as used`.execute(
    db,
  )
  return rows[0]?.used ?? 0
}

const nameOf = async (db: Db, customerGuid: string) =>
  (await db.selectFrom('parties').select('displayName').where('memberGuid', '=', customerGuid).executeTakeFirst())
    ?.displayName ?? ''

/**
 * Why something can't go on account: the customer is on hold, or it takes him over his limit; exactly the limit passes.
 * The terms are locked first, so that two deeds at once are counted one after the other.
 */
async function creditProblem(ctx: Ctx, { businessGuid, customerGuid, addsCents, noun }: Claim) {
  const terms = await ctx.db
    .selectFrom('customerTerms')
    .select(['isOnHold', 'limitCents'])
    .where('customerGuid', '=', keeperOf(customerGuid))
    .where('businessGuid', '=', businessGuid)
    .forUpdate()
    .executeTakeFirst()
  if (terms?.isOnHold) return conflict(`${await nameOf(ctx.db, customerGuid)} is on credit hold.`)
  if (!terms || terms.limitCents === null || addsCents <= 0) return null
  const over = (await usedCents(ctx.db, businessGuid, customerGuid)) + addsCents - terms.limitCents
  if (over <= 0) return null
  const name = await nameOf(ctx.db, customerGuid)
  return noun === 'order'
    ? conflict(`This order takes ${name} ${money(over)} over its limit of ${money(terms.limitCents)}.`)
    : conflict(`This invoice takes ${name} ${money(over)} over its limit of ${money(terms.limitCents)}.`)
}

/** Refuses it to those who may not override. What no user does goes on: it can't be asked again. */
export async function mustHaveCredit(ctx: Ctx, claim: Claim): Promise<void> {
  if (ctx.actor.kind !== 'user' || may(ctx.actor, ...creditOverride)) return
  const problem = await creditProblem(ctx, claim)
  if (problem) throw problem
}

/** What a new order begins with: a customer's own acceptance goes through, and waits to be confirmed. */
export async function firstStatus(ctx: Ctx, claim: Claim): Promise<'confirmed' | 'pending_confirmation'> {
  await mustHaveCredit(ctx, claim)
  if (ctx.actor.kind === 'user') return 'confirmed'
  return (await creditProblem(ctx, claim)) ? 'pending_confirmation' : 'confirmed'
}

/** What is blocked gets no new documents, and nothing is sent to it; what customers opened they can still read. */
export async function mustNotBeBlocked(ctx: Ctx, customerGuid: string): Promise<void> {
  const party = await ctx.db
    .selectFrom('parties')
    .select(['status', 'displayName'])
    .where('memberGuid', '=', customerGuid)
    .executeTakeFirst()
  if (party?.status !== 'blocked') return
  throw ctx.actor.kind === 'user'
    ? isBlocked(party.displayName)
    : conflict('This quote can’t be accepted online. Please contact us.')
}

export const isBlocked = (name: string) => conflict(`${name} is blocked. Unblock it to create documents.`)
