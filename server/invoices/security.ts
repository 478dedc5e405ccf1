import { invalid, notFound } from '../../contract/core/errors.ts'
import { invoicesApi } from '../../contract/invoices.ts'
import type { Language } from '../../contract/core/languages.ts'
import type { Ctx } from '../core/ctx.ts'
import { checkVersion } from '../core/db/rows.ts'
import { phrases } from '../core/i18n/phrases.ts'
import { stamp, userOf } from '../core/records.ts'
import { priceLines } from '../documents/lines.service.ts'
import { lockOrder } from '../orders/order.service.ts'
import { insertDraft } from './invoices.drafts.ts'
import { issueLocked } from './invoices.issue.ts'
import { orderOfVisible, rowForUpdate, type InvoiceRow } from './invoices.queries.ts'

export { heldOf } from './security.queries.ts'

/** Locks a security deposit in the version somebody saw, and what it is to pay: its order first, then both by guid. */
export async function lockSecurity(
  ctx: Ctx,
  { guid, version, invoiceGuid }: { guid: string; version: number; invoiceGuid?: string | undefined },
  shown: () => Promise<unknown>,
): Promise<InvoiceRow> {
  const known = await orderOfVisible(ctx, guid)
  if (!known) throw notFound()
  if (known.orderGuid) await lockOrder(ctx, known.orderGuid)
  for (const one of [guid, ...(invoiceGuid ? [invoiceGuid] : [])].toSorted()) await rowForUpdate(ctx.db, one)
  const deposit = await rowForUpdate(ctx.db, guid)
  if (!deposit) throw notFound()
  await checkVersion(deposit, version, invoicesApi.get, shown)
  return deposit
}

/** Whoever looked at a deposit before saw more of it held. */
export const stampSecurity = (ctx: Ctx, { guid, version }: Pick<InvoiceRow, 'guid' | 'version'>) =>
  ctx.db.updateTable('invoices').set(stamp(ctx, version)).where('guid', '=', guid).execute()

const registeredOf = async (ctx: Ctx, businessGuid: string) =>
  (
    await ctx.db
      .selectFrom('businesses')
      .select('gstRegistered')
      .where('guid', '=', businessGuid)
      .executeTakeFirstOrThrow()
  ).gstRegistered

/** One line over an amount with GST; that of what is held carries none. */
export async function securityLine(
  ctx: Ctx,
  of: { businessGuid: string; roundingRule: InvoiceRow['roundingRule'] },
  { name, cents, isTaxed }: { name: string; cents: number; isTaxed: boolean },
) {
  const gstRegistered = await registeredOf(ctx, of.businessGuid)
  const line = {
    kind: 'item' as const,
    name: name.slice(0, 200),
    quantity: '1',
    unit: 'each' as const,
    unitPriceCents: cents,
    gstCode: gstRegistered ? (isTaxed ? ('GST' as const) : ('FREE' as const)) : ('NOT_REGISTERED' as const),
    isOptional: false,
  }
  return priceLines([line], { priceMode: 'inclusive', roundingRule: of.roundingRule, gstRegistered })
}

/**
 * Bills what is kept of a security deposit that is locked, issued at once: from now on it is consideration, with GST of
 * 1/11 (GST Act s 99-10). It is paid out of the deposit by the caller.
 */
export async function forfeit(
  ctx: Ctx,
  deposit: InvoiceRow,
  { cents, reason }: { cents: number; reason: string },
  pay: (invoiceGuid: string) => Promise<unknown>,
): Promise<{ guid: string; number: string }> {
  const { language } = await ctx.db
    .selectFrom('parties')
    .select('language')
    .where('memberGuid', '=', deposit.customerGuid)
    .executeTakeFirstOrThrow()
  const t = phrases('documents', language satisfies Language)
  const name = t('made.forfeited', { number: deposit.number ?? '', reason })
  const priced = await securityLine(ctx, deposit, { name, cents, isTaxed: true })
  const { businessGuid, customerGuid, contactGuid, siteGuid, ownerGuid, reference, roundingRule } = deposit
  const guid = await insertDraft(
    ctx,
    {
      ...{ businessGuid, customerGuid, contactGuid, siteGuid, reference, roundingRule },
      ownerGuid: ownerGuid ?? userOf(ctx),
      kind: 'standard',
      forfeitsGuid: deposit.guid,
      title: t('made.forfeitTitle', { number: deposit.number ?? '' }),
      termsDays: 0,
      priceMode: 'inclusive',
      discount: null,
    },
    priced.rows,
    priced.totals,
  )
  const draft = await rowForUpdate(ctx.db, guid)
  if (!draft) throw notFound()
  const { number } = await issueLocked(ctx, draft, undefined, () => pay(guid))
  return { guid, number }
}

/** What a draft of a deposit is to be, of which its nature or its clause changes; null where neither does. */
export function natureAfter(
  draft: InvoiceRow,
  given: { depositNature?: InvoiceRow['depositNature'] | undefined; forfeitureClause?: string | null | undefined },
): { depositNature: InvoiceRow['depositNature']; forfeitureClause: string | null } | null {
  const { depositNature = draft.depositNature } = given
  const clause = given.forfeitureClause === undefined ? draft.forfeitureClause : given.forfeitureClause?.trim() || null
  const isSame =
    depositNature === draft.depositNature && (clause === draft.forfeitureClause || depositNature === 'part_payment')
  if (isSame) return null
  if (draft.kind !== 'deposit') throw invalid('depositNature', 'Only a deposit can be a security deposit.')
  if (draft.stageGuid && depositNature === 'security')
    throw invalid('depositNature', 'This bills a stage of the order, so it is a part payment.')
  mustHaveClause(depositNature, clause)
  return { depositNature, forfeitureClause: depositNature === 'security' ? clause : null }
}

export function mustHaveClause(nature: InvoiceRow['depositNature'], clause: string | null) {
  if (nature === 'security' && !clause)
    throw invalid(
      'forfeitureClause',
      'Say when you keep the deposit. Without a forfeiture clause it is a part payment.',
    )
}
