import { invoiceRefusal } from '../../contract/invoice-actions.ts'
import { conflict, invalidTransition } from '../../contract/core/errors.ts'
import { accounts } from '../../contract/ledger.ts'
import { today } from '../businesses/businesses.service.ts'
import type { Ctx } from '../core/ctx.ts'
import { stamp } from '../core/records.ts'
import { postEntry, postedSides } from '../journal/journal.service.ts'
import { freeHireDays } from '../orders/hire.service.ts'
import { giveBackQuantities, refreshInvoicing } from '../orders/order.service.ts'
import { putNotesAway } from './hire-notes.ts'
import { givenBackSince } from './invoices.credits.ts'
import { creditedOn, invoiceLines, notesOf, openAttempt, quantitiesOf, type InvoiceRow } from './invoices.queries.ts'

/** Takes an issued invoice back that nothing was paid on; its number stays taken. The invoice is locked. */
export async function voidLocked(ctx: Ctx, invoice: InvoiceRow, reason: string) {
  await refuseVoid(ctx, invoice)
  await putNotesAway(ctx, invoice.guid)
  const business = await ctx.db
    .selectFrom('businesses')
    .select('timeZone')
    .where('guid', '=', invoice.businessGuid)
    .executeTakeFirstOrThrow()
  const since = await givenBackSince(ctx, invoice)
  await ctx.db
    .updateTable('invoices')
    .set({ status: 'void', voidedAt: ctx.now, voidReason: reason, ...stamp(ctx, invoice.version) })
    .where('guid', '=', invoice.guid)
    .execute()
  const sides = await postedSides(ctx.db, 'invoice', invoice.guid)
  await postEntry(ctx, {
    businessGuid: invoice.businessGuid,
    source: 'void',
    sourceGuid: invoice.guid,
    postedOn: today(business, ctx.now),
    narrative: `Invoice ${invoice.number} voided`,
    lines: [
      // On the cash basis it waited; what of it is due by now is for the posting to say.
      ...sides.map(({ cents, account, ...side }) => ({
        ...side,
        account: side.gstOf === null ? account : accounts.gstCollected,
        creditCents: cents,
      })),
      { account: accounts.customerDeposits, debitCents: since },
      { account: accounts.sales, creditCents: since },
    ],
  })
  await freeHireDays(ctx, invoice.guid)
  if (invoice.orderGuid) {
    const lines = await invoiceLines(ctx.db, invoice.guid)
    await giveBackQuantities(ctx, invoice.orderGuid, quantitiesOf(lines))
    await refreshInvoicing(ctx, invoice.orderGuid)
  }
  ctx.audit({
    action: 'invoice.voided',
    entity: 'Invoices',
    guid: invoice.guid,
    before: { status: 'issued' },
    after: { number: invoice.number, status: 'void', reason, totalCents: invoice.totalCents },
  })
}

async function refuseVoid(ctx: Ctx, invoice: InvoiceRow) {
  const refusal = invoiceRefusal('void', invoice)
  if (refusal === 'notIssued') throw invalidTransition('Archive a draft instead of voiding it.')
  if (refusal === 'writtenOff') throw invalidTransition(`Invoice ${invoice.number} is written off.`)
  if (refusal === 'void') throw invalidTransition(`Invoice ${invoice.number} is already void.`)
  if (refusal === 'adjustment') throw invalidTransition('An adjustment note can’t be voided.')
  if (refusal === 'moneyHeld') throw conflict('Money was received for this deposit, so it can’t be voided.')
  if (refusal) throw conflict(`Invoice ${invoice.number} has payments. Refund them first.`)
  if (await openAttempt(ctx.db, invoice.guid))
    throw conflict(`A card payment for invoice ${invoice.number} is processing. Wait until it settles.`)
  const [note] = await notesOf(ctx.db, invoice.guid)
  if (note) throw conflict(`Adjustment note ${note.number} already corrects this invoice.`)
  const credited = invoice.kind === 'deposit' ? await creditedOn(ctx.db, invoice.guid) : undefined
  if (credited)
    throw conflict(
      `This deposit is credited on ${credited.number ? `invoice ${credited.number}` : 'a draft invoice'}. ` +
        `${credited.number ? 'Void' : 'Archive'} that first.`,
    )
}
