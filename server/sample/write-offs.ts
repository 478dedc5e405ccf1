import { addDays } from '../../contract/core/dates.ts'
import { invoiceBooksApi } from '../../contract/invoice-books.ts'
import { paymentsApi } from '../../contract/payments.ts'
import { invoiceBooks } from '../invoices/invoice-books.service.ts'
import { crediting } from '../payments/crediting.service.ts'
import { payments } from '../payments/payments.service.ts'
import { play, type Stage } from './actors.ts'

/** What nobody paid for long: a bad debt, and one that was given up and is paid in part after all. */
export async function makeWriteOffs(stage: Stage, businessGuid: string, today: string): Promise<void> {
  const late = await stage.deps.db
    .selectFrom('invoices')
    .select(['guid', 'version', 'balanceCents', 'totalCents', 'dueOn'])
    .where('businessGuid', '=', businessGuid)
    .where('status', '=', 'issued')
    .where('kind', 'in', ['standard', 'progress', 'final'])
    .where('balanceCents', '>', 20_000)
    .where('dueOn', '<', today)
    .where((is) =>
      is.not(
        is.exists(
          is
            .selectFrom('paymentAttempts as t')
            .select('t.guid')
            .whereRef('t.invoiceGuid', '=', 'invoices.guid')
            .where('t.status', 'in', ['processing', 'requires_action']),
        ),
      ),
    )
    .orderBy('dueOn')
    .orderBy('number')
    .limit(4)
    .execute()
  for (const [i, { guid, version }] of late.slice(0, 2).entries()) {
    const note = i === 0 ? 'The company is in liquidation.' : 'No answer to four letters.'
    await play(stage, invoiceBooksApi.writeOff, invoiceBooks.writeOff, { guid, version, reasonCode: 'bad_debt', note })
  }
  const [, paid, credited, planned] = late
  if (!paid || !credited || !planned) return
  const amountCents = Math.floor(paid.balanceCents / 2)
  await play(stage, paymentsApi.create, payments.create, {
    method: 'bank_transfer',
    receivedOn: today,
    amountCents,
    note: 'Paid by the debt collector.',
    allocations: [{ invoiceGuid: paid.guid, cents: amountCents }],
  })
  const { gstRegistered } = await stage.deps.db
    .selectFrom('businesses')
    .select('gstRegistered')
    .where('guid', '=', businessGuid)
    .executeTakeFirstOrThrow()
  await play(stage, invoiceBooksApi.credit, crediting.credit, {
    invoiceGuid: credited.guid,
    lines: [{ gstCode: gstRegistered ? 'GST' : 'NOT_REGISTERED', cents: 11_000, text: 'One day of hire less' }],
    reason: 'The site closed a day early',
  })
  // One part is overdue, and the rest is to come.
  const totalCents = planned.totalCents
  const part = Math.floor(totalCents / 3)
  await play(stage, invoiceBooksApi.instalments, invoiceBooks.instalments, {
    guid: planned.guid,
    version: planned.version,
    instalments: [
      { label: 'First part', dueOn: planned.dueOn, cents: part },
      { label: 'Second part', dueOn: addDays(today, 20), cents: part },
      { label: 'Last part', dueOn: addDays(today, 50), cents: totalCents - 2 * part },
    ],
  })
}
