import { sql } from 'kysely'
import type { instalmentsInput } from '../../contract/instalments.ts'
import { conflict, invalid, invalidTransition, refuseFields } from '../../contract/core/errors.ts'
import { centsToDecimal } from '../../contract/core/money.ts'
import { takesMoney } from '../../contract/invoice-transitions.ts'
import type { z } from 'zod'
import type { Ctx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { stamp, userOf } from '../core/records.ts'
import type { InvoiceRow } from './invoices.queries.ts'

type Given = z.output<typeof instalmentsInput>['instalments']

/** Divides an issued invoice into parts that are due one by one; the newest plan counts. The invoice is locked. */
export async function planInstalments(ctx: Ctx, invoice: InvoiceRow, instalments: Given): Promise<void> {
  const { guid, number, issueOn, totalCents, version } = invoice
  if (!takesMoney(invoice)) throw invalidTransition('Only an issued invoice can be paid in instalments.')
  if (invoice.balanceCents <= 0) throw conflict('This invoice is already paid.')
  refuseFields(
    instalments.flatMap(({ dueOn }, i) => {
      const before = instalments[i - 1]?.dueOn
      if (issueOn && dueOn < issueOn)
        return [{ path: `instalments.${i}.dueOn`, message: 'Choose the date of issue or later.' }]
      return before && dueOn < before
        ? [{ path: `instalments.${i}.dueOn`, message: 'Choose the date of the instalment before or later.' }]
        : []
    }),
  )
  if (instalments.reduce((sum, { cents }) => sum + cents, 0) !== totalCents)
    throw invalid('instalments', `Instalments must add up to $${centsToDecimal(totalCents)}.`)
  const { plan } = await ctx.db
    .selectFrom('invoiceInstalments')
    .select(sql<number>`coalesce(max(plan), 0)::int + 1`.as('plan'))
    .where('invoiceGuid', '=', guid)
    .executeTakeFirstOrThrow()
  const by = { createdAt: ctx.now, createdBy: userOf(ctx) }
  await ctx.db
    .insertInto('invoiceInstalments')
    .values(instalments.map((one, i) => ({ ...one, guid: newGuid(), invoiceGuid: guid, plan, position: i + 1, ...by })))
    .execute()
  await ctx.db.updateTable('invoices').set(stamp(ctx, version)).where('guid', '=', guid).execute()
  ctx.audit({
    action: 'invoice.planned',
    entity: 'Invoices',
    guid,
    after: { number, count: instalments.length, totalCents },
  })
}
