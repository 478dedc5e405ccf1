import { invalid } from '../../contract/core/errors.ts'
import { centsToDecimal } from '../../contract/core/money.ts'
import { accounts } from '../../contract/ledger.ts'
import { recoveries, writeOffGst, type WriteOffReason } from '../../contract/write-offs.ts'
import { today } from '../businesses/businesses.service.ts'
import type { Ctx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { userOf } from '../core/records.ts'
import { postEntry } from '../journal/journal.service.ts'
import type { InvoiceRow } from './invoices.queries.ts'
import { insertWriteOff, owedState, writtenParts } from './write-offs.queries.ts'

interface Deed {
  cents: number
  reasonCode: WriteOffReason
  note?: string | null
  /** The day it is posted on, in the business's zone. */
  on: string
  /** The payment it comes with. */
  paymentGuid?: string | null
}

/** Writes a part of an invoice off that is locked; the trigger moves its sum and closes it. */
export async function addWriteOff(ctx: Ctx, invoice: InvoiceRow, deed: Deed): Promise<void> {
  const { cents, reasonCode, note = null, on, paymentGuid = null } = deed
  const gstCents = writeOffGst(await owedState(ctx.db, invoice), cents)
  const guid = newGuid()
  const row = { guid, invoiceGuid: invoice.guid, cents, gstCents, reasonCode, note, effectiveOn: on, paymentGuid }
  await insertWriteOff(ctx.db, { ...row, reversesGuid: null, createdAt: ctx.now, createdBy: userOf(ctx) })
  await post(ctx, invoice, { ...row, sign: 1 })
  ctx.audit({
    action: 'invoice.written_off',
    entity: 'Invoices',
    guid: invoice.guid,
    after: { number: invoice.number, amountCents: cents, kind: reasonCode, note },
  })
}

/** Makes an invoice that is locked owe again what was written off, the newest part first. */
export async function addRecovery(
  ctx: Ctx,
  invoice: InvoiceRow,
  { cents, on, paymentGuid = null }: Pick<Deed, 'cents' | 'on' | 'paymentGuid'>,
): Promise<void> {
  const parts = new Map((await writtenParts(ctx.db, invoice.guid)).map((part) => [part.guid, part]))
  for (const taken of recoveries([...parts.values()], cents)) {
    const part = parts.get(taken.guid)
    if (!part) continue
    const guid = newGuid()
    const row = {
      guid,
      invoiceGuid: invoice.guid,
      cents: taken.cents,
      gstCents: taken.gstCents,
      reasonCode: part.reasonCode,
      note: null,
      // Nothing is owed again before it was given up.
      effectiveOn: part.effectiveOn > on ? part.effectiveOn : on,
      paymentGuid,
    }
    await insertWriteOff(ctx.db, { ...row, reversesGuid: part.guid, createdAt: ctx.now, createdBy: userOf(ctx) })
    await post(ctx, invoice, { ...row, sign: -1 })
  }
  ctx.audit({
    action: 'invoice.recovered',
    entity: 'Invoices',
    guid: invoice.guid,
    after: { number: invoice.number, amountCents: cents },
  })
}

interface Posted {
  guid: string
  cents: number
  gstCents: number
  effectiveOn: string
  sign: 1 | -1
}

async function post(ctx: Ctx, invoice: InvoiceRow, { guid, cents, gstCents, effectiveOn, sign }: Posted) {
  await postEntry(ctx, {
    businessGuid: invoice.businessGuid,
    source: sign === 1 ? 'write_off' : 'recovery',
    sourceGuid: guid,
    postedOn: effectiveOn,
    narrative: sign === 1 ? `Invoice ${invoice.number} written off` : `Write-off of invoice ${invoice.number} reversed`,
    lines: [
      { account: accounts.badDebts, debitCents: sign * (cents - gstCents) },
      // On the cash basis what was never received was never due.
      { account: accounts.gstCollected, debitCents: sign * gstCents, gstOf: invoice.guid },
      { account: accounts.receivable, creditCents: sign * cents, customerGuid: invoice.customerGuid },
    ],
  })
}

/** The day a deed is posted on: the one that is asked for, within the life of the invoice, else today. */
export async function deedDay(ctx: Ctx, invoice: InvoiceRow, on: string | undefined): Promise<string> {
  const { timeZone } = await ctx.db
    .selectFrom('businesses')
    .select('timeZone')
    .where('guid', '=', invoice.businessGuid)
    .executeTakeFirstOrThrow()
  const day = today({ timeZone }, ctx.now)
  if (on === undefined) return day
  if (on > day) throw invalid('on', 'Choose today or an earlier date.')
  if (invoice.issueOn !== null && on < invoice.issueOn) throw invalid('on', 'Choose the date of issue or later.')
  return on
}

export const upTo = (cents: number) => `Enter $${centsToDecimal(Math.max(cents, 0))} or less.`
