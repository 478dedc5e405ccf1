import { sql } from 'kysely'
import { conflict, invalid, notFound } from '../../contract/core/errors.ts'
import type { Input, Output } from '../../contract/core/op.ts'
import { accounts } from '../../contract/ledger.ts'
import { asideReasons } from '../../contract/payments-aside.ts'
import type { paymentsApi } from '../../contract/payments.ts'
import { type ChargeResult, ProviderUncertain } from '../core/adapters/payments.ts'
import { type Ctx, type OpenCtx, withCtx } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { rowCondition } from '../core/db/rows.ts'
import type { FoundCharge } from '../core/db/schema-money.ts'
import { newGuid } from '../core/guid.ts'
import { refuseWhileHeld } from '../core/hold.ts'
import { holdsText, userOf } from '../core/records.ts'
import { rowColumns } from '../row-scope/row-scope.service.ts'
import { paymentOfCharge } from './disputes.queries.ts'
import { bookMoney, fillParts } from './payments.booking.ts'
import { mustTake } from './payments.card.ts'
import {
  attemptOf,
  dayOf,
  lockAttempt,
  lockVisibleInvoices,
  type PartPaid,
  partsOf,
  updateAttempt,
} from './payments.queries.ts'
import { showPayment } from './payments.read.ts'
import { asideSentences } from './webhooks.ts'

type Api = typeof paymentsApi

/** Notices that wait for a decision: of each payment the last one, unless somebody has decided since. */
const waiting = (ctx: Ctx) =>
  ctx.db
    .selectFrom('webhookOutcomes as o')
    .innerJoin('webhookEvents as e', 'e.guid', 'o.eventGuid')
    .leftJoin('paymentAttempts as a', 'a.guid', 'o.attemptGuid')
    // Of several that were to be paid in one go, one stands for all.
    .leftJoin('invoices as i', (on) =>
      on.on(
        sql<boolean>`i.guid = coalesce(a.invoice_guid, (select p.invoice_guid from payment_attempt_parts p
          where p.attempt_guid = a.guid order by p.invoice_guid limit 1))`,
      ),
    )
    .where('o.outcome', '=', 'quarantined')
    // What belongs to no invoice is for those who see all of them.
    .where(rowCondition(ctx, rowColumns(ctx, 'Invoices', 'i')))
    .where(
      sql<boolean>`not exists (select from charge_releases r where r.event_guid = o.event_guid
        or (r.provider = e.provider and r.provider_payment_id = o.provider_payment_id and r.created_at >= o.at))`,
    )
    .where(
      sql<boolean>`not exists (select from webhook_outcomes x where x.outcome = 'quarantined'
        and x.provider_payment_id = o.provider_payment_id and (x.at, x.event_guid) > (o.at, o.event_guid))`,
    )

export async function listAside(ctx: Ctx, input: Input<Api['quarantine']>): Promise<Output<Api['quarantine']>> {
  let query = waiting(ctx)
  if (input.search)
    query = query.where(
      holdsText(
        sql`lower(coalesce(o.provider_payment_id, '') || ' ' || coalesce(o.found ->> 'reference',
          '') || ' ' || coalesce(i.number, ''))`,
        input.search,
      ),
    )
  const page = await pageOf({
    query: query
      .select([
        'e.guid',
        'e.receivedAt',
        'e.provider',
        'o.providerPaymentId',
        'o.reason',
        'o.found',
        'a.amountCents as expectedCents',
        'i.guid as invoiceGuid',
        'i.number as invoiceNumber',
      ])
      .select(
        sql<string | null>`(select c.display_name from parties c where c.member_guid = i.customer_guid)`.as(
          'customerName',
        ),
      ),
    sorts: { receivedAt: 'e.receivedAt' },
    guid: 'e.guid',
    input,
    defaultSort: '-receivedAt',
  })
  return {
    ...page,
    items: page.items.map(({ found, reason: sentence, invoiceGuid, invoiceNumber, ...row }) => {
      const reason = asideReasons.find((code) => code !== 'refused' && asideSentences[code] === sentence) ?? 'refused'
      const { status = null, amountCents = null, refundedCents = null, reference = null } = found ?? {}
      return {
        ...row,
        reason,
        detail: reason === 'refused' ? sentence : null,
        status,
        amountCents,
        refundedCents,
        reference,
        invoice: invoiceGuid ? { guid: invoiceGuid, label: invoiceNumber ?? '' } : null,
        isOpen: isOpen(reason, found),
      }
    }),
  }
}

const isOpen = (reason: string, found: FoundCharge | null) =>
  found?.status === 'succeeded' && found.currency === 'AUD' && found.refundedCents === 0 && reason !== 'refunded_more'

interface Aside {
  guid: string
  provider: string
  providerPaymentId: string | null
  attemptGuid: string | null
  invoiceGuid: string | null
}

/**
 * A person's decision on a payment that was put aside. The provider is asked how it stands
 * now, before anything is booked.
 */
export async function releaseAside(
  ctx: OpenCtx,
  { guid, action, invoiceGuid, note }: Input<Api['release']>,
): Promise<Output<Api['release']>> {
  const aside = await waiting(ctx)
    .select(['e.guid', 'e.provider', 'o.providerPaymentId', 'o.attemptGuid', 'i.guid as invoiceGuid'])
    .where('e.guid', '=', guid)
    .executeTakeFirst()
  if (!aside) throw notFound()
  if (action === 'dismiss') {
    if (!note) throw invalid('note', 'Say why no action is needed.')
    await ctx.tx((tx) => decide(tx, aside, 'dismissed', null, note))
    return { payment: null }
  }
  const charge = await present(ctx, aside)
  if (action === 'refund') {
    refuseWhileHeld(await ctx.deps.maintenance.hold(ctx.db))
    await giveBack(ctx, aside, charge)
    await ctx.tx((tx) => decide(tx, aside, 'refunded', null, note ?? null, charge))
    return { payment: null }
  }
  const to = aside.invoiceGuid ?? invoiceGuid
  if (!to) throw invalid('invoiceGuid', 'Choose the invoice this payment is for.')
  const paymentGuid = await ctx.tx(async (tx) =>
    book(tx, aside, charge, await dueOf(tx, aside, charge, to), note ?? null),
  )
  return { payment: await showPayment(withCtx(ctx, { rows: 'all' }), paymentGuid) }
}

/** The payment as it stands at the provider, when all of it is there to be booked or given back. */
async function present(ctx: OpenCtx, aside: Aside): Promise<ChargeResult & { providerPaymentId: string }> {
  if (aside.provider !== ctx.deps.payments.name || !aside.providerPaymentId)
    throw conflict(
      `This was paid through ${aside.provider}, which is no longer connected. Settle it there, then dismiss it here.`,
    )
  const charge = await ctx.deps.payments.getCharge(aside.providerPaymentId)
  if (charge?.status !== 'succeeded' || charge.currency !== 'AUD')
    throw conflict('The payment provider holds no money for this payment, so you can only dismiss it.')
  if (charge.refundedCents > 0)
    throw conflict(
      'Part of this payment was already refunded at the payment provider. Settle the rest there, then dismiss it here.',
    )
  if (await paymentOfCharge(ctx.db, aside.provider, aside.providerPaymentId))
    throw conflict('This payment is already recorded.')
  return { ...charge, providerPaymentId: aside.providerPaymentId }
}

async function giveBack(ctx: OpenCtx, aside: Aside, charge: ChargeResult & { providerPaymentId: string }) {
  try {
    const result = await ctx.deps.payments.refund({
      providerPaymentId: charge.providerPaymentId,
      amountCents: charge.amountCents,
      idempotencyKey: aside.guid,
    })
    if (result.status === 'failed')
      throw conflict(`The refund was refused: ${result.failure?.message ?? 'the provider gave no reason.'}`)
  } catch (error) {
    if (error instanceof ProviderUncertain)
      throw conflict('The payment provider didn’t respond. Try again; nothing is refunded twice.')
    throw error
  }
}

/** What a payment is to pay: what it was made for, else all of it the invoice that somebody chose. */
async function dueOf(ctx: Ctx, aside: Aside, charge: ChargeResult, invoiceGuid: string): Promise<PartPaid[]> {
  const attempt = aside.attemptGuid ? await attemptOf(ctx.db, aside.attemptGuid) : undefined
  if (attempt && attempt.statementPageGuid !== null) return partsOf(ctx.db, attempt)
  return [{ invoiceGuid, cents: charge.amountCents }]
}

/** Books the money as it was taken: on the invoices as far as they are owing, the rest as the customer's credit. */
async function book(
  ctx: Ctx,
  aside: Aside,
  charge: ChargeResult & { providerPaymentId: string },
  parts: readonly PartPaid[],
  note: string | null,
): Promise<string> {
  const locked = await lockVisibleInvoices(
    ctx,
    parts.map((part) => part.invoiceGuid),
  )
  const [invoice] = locked
  if (!invoice || locked.length !== parts.length) throw invalid('invoiceGuid', 'We can’t find that invoice.')
  // Of several, what one does not take any more is the customer's credit.
  if (locked.length === 1) mustTake(invoice)
  await closeAttempt(ctx, aside)
  // What was written off stays so: it is paid by whoever says so.
  const invoices = locked.map((one) => ({ ...one, writtenOffCents: 0 }))
  const { guid } = await bookMoney(ctx, {
    businessGuid: invoice.businessGuid,
    customerGuid: invoice.customerGuid,
    method: charge.card?.wallet ?? 'card',
    amountCents: charge.amountCents,
    receivedOn: await dayOf(ctx.db, invoice.businessGuid, new Date(charge.createdAt)),
    account: accounts.cardClearing,
    note,
    card: charge.card ?? null,
    charge: { attemptGuid: null, provider: aside.provider, providerPaymentId: charge.providerPaymentId },
    allocations: fillParts({ parts, invoices }, charge.amountCents),
  })
  await decide(ctx, aside, 'booked', guid, note, charge)
  return guid
}

/**
 * The attempt it was made for has come to nothing: what is booked is another amount. It holds the balance no longer.
 */
async function closeAttempt(ctx: Ctx, aside: Aside) {
  if (!aside.attemptGuid) return
  const attempt = await lockAttempt(ctx.db, aside.attemptGuid)
  if (attempt.status === 'succeeded' || attempt.status === 'failed') return
  await updateAttempt(ctx.db, attempt.guid, {
    status: 'failed',
    failure: { code: 'differs', message: 'Another amount was taken.' },
    actionUrl: null,
    nextCheckAt: null,
    settledAt: ctx.now,
  })
}

async function decide(
  ctx: Ctx,
  aside: Aside,
  action: 'booked' | 'refunded' | 'dismissed',
  paymentGuid: string | null,
  note: string | null,
  charge?: ChargeResult,
) {
  if (action !== 'booked') await closeAttempt(ctx, aside)
  await ctx.db
    .insertInto('chargeReleases')
    .values({
      guid: newGuid(),
      eventGuid: aside.guid,
      provider: aside.provider,
      providerPaymentId: aside.providerPaymentId ?? '',
      action,
      paymentGuid,
      note,
      createdAt: ctx.deps.now(),
      createdBy: userOf(ctx),
    })
    .execute()
  const after = { providerPaymentId: aside.providerPaymentId, amountCents: charge?.amountCents ?? null, note }
  ctx.audit({ action: `charge.${action}`, entity: 'Payments', guid: paymentGuid ?? aside.guid, after })
  if (aside.invoiceGuid) ctx.audit({ action: `charge.${action}`, entity: 'Invoices', guid: aside.invoiceGuid, after })
}
