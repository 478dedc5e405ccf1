import type { Input, Output } from '../../contract/core/op.ts'
import type { invoiceBooksApi } from '../../contract/invoice-books.ts'
import { type Ctx, type Handlers, withCtx } from '../core/ctx.ts'
import { creditableOf, type InvoiceRow, makeCreditNote, showInvoice } from '../invoices/invoices.service.ts'
import { lockPayments, type Standing, standingOf } from './allocations.queries.ts'
import { tellMoved } from './allocations.ts'
import { freeOf, takePart } from './freeing.ts'
import { later } from './payments.booking.ts'
import { dayOf, payersOf } from './payments.queries.ts'
import { givenBack } from './refunds.queries.ts'

type Api = typeof invoiceBooksApi
type Crediting = Pick<Handlers<Api>, 'creditable' | 'credit'>
type Invoice = Pick<InvoiceRow, 'guid' | 'businessGuid' | 'issueOn'>

interface Taken extends Standing {
  paymentGuid: string
  /** What nobody gave back, or asked back. */
  freeCents: number
}

/** What each allocation to an invoice can be taken off by, the newest first. */
async function freeOn(ctx: Ctx, invoiceGuid: string): Promise<Taken[]> {
  const payers = await payersOf(ctx.db, invoiceGuid)
  const all: Taken[] = []
  for (const paymentGuid of payers) {
    const standing = (await standingOf(ctx.db, paymentGuid)).filter((one) => one.invoiceGuid === invoiceGuid)
    const back = (await givenBack(ctx.db, paymentGuid)).get(invoiceGuid) ?? 0
    all.push(...freeOf(standing, back).map((one) => ({ ...one, paymentGuid })))
  }
  return all.toSorted((a, b) => newestFirst(a, b))
}

/** By the instant: as text the database drops the zeros at the end of a second's parts. */
const newestFirst = (a: Taken, b: Taken) =>
  Date.parse(b.createdAt) - Date.parse(a.createdAt) || b.guid.localeCompare(a.guid)

const sumOf = (taken: readonly Taken[]) => taken.reduce((sum, one) => sum + one.freeCents, 0)

/** Makes money that paid an invoice credit again, the newest first. The invoice is locked. */
async function release(ctx: Ctx, invoice: Invoice, cents: number): Promise<void> {
  const payments = new Map((await lockPayments(ctx.db, await payersOf(ctx.db, invoice.guid))).map((p) => [p.guid, p]))
  const today = await dayOf(ctx.db, invoice.businessGuid, ctx.now)
  let left = cents
  for (const one of await freeOn(ctx, invoice.guid)) {
    const [payment, part] = [payments.get(one.paymentGuid), Math.min(left, one.freeCents)]
    if (!payment || part <= 0) continue
    const on = later(today, one.effectiveOn)
    await takePart(ctx, payment, one, { cents: part, on, issueOn: invoice.issueOn })
    tellMoved(ctx, 'unallocated', payment, invoice.guid, part)
    left -= part
  }
}

/** What is held as security is not earned: a note takes only what is still asked for. */
const freeFor = async (ctx: Ctx, { guid, depositNature }: Pick<InvoiceRow, 'guid' | 'depositNature'>) =>
  depositNature === 'security' ? 0 : sumOf(await freeOn(ctx, guid))

async function creditable(ctx: Ctx, { guid }: Input<Api['creditable']>): Promise<Output<Api['creditable']>> {
  const { invoice } = await showInvoice(ctx, guid)
  const freeCents = await freeFor(ctx, invoice)
  return { parts: await creditableOf(ctx, invoice), balanceCents: invoice.balanceCents, freeCents }
}

/** A note beyond what is owing makes what was paid the customer’s credit, on its own day. */
async function credit(ctx: Ctx, input: Input<Api['credit']>): Promise<Output<Api['credit']>> {
  const guid = await makeCreditNote(ctx, input, {
    freeCents: (invoice) => freeFor(ctx, invoice),
    release: (invoice, cents) => release(ctx, invoice, cents),
  })
  return showInvoice(withCtx(ctx, { rows: 'all' }), guid)
}

/** Notes by line: they move payments too, so they stand on this side of them. */
export const crediting: Crediting = { creditable, credit }
