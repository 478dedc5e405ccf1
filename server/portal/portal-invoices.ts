import { z } from 'zod'
import { isOverdue } from '../../contract/core/dates.ts'
import { notFound, stale } from '../../contract/core/errors.ts'
import { type ServiceInvoice, serviceInvoice, type serviceApi } from '../../contract/service.ts'
import { publicBusiness } from '../businesses/businesses.service.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { sharedFiles } from '../files/files.service.ts'
import { renderPdf } from '../documents/documents.service.ts'
import { filledInstalments } from '../documents/instalments.service.ts'
import { publicLines } from '../documents/public-lines.service.ts'
import { jobTypeOfPage } from '../job-types/job-strings.service.ts'
import { cardConfig, type Paid, settleForPayer, standingOf, startPayment } from '../payments/payments.service.ts'
import { findByLink, serviceUrl } from '../service-links/service-links.service.ts'
import { shownLines } from '../quotes/questions.service.ts'
import { invoicePage, type InvoicePage, partOfPayment } from './portal-invoices.queries.ts'

/** Only what is issued has a page: a link to anything else leads nowhere. */
async function pageOf(ctx: Ctx, link: string): Promise<{ guid: string; page: InvoicePage }> {
  const guid = await findByLink(ctx.db, 'invoice', link)
  const page = await invoicePage(ctx.db, guid)
  if (!page) throw notFound()
  return { guid, page }
}

function shown(ctx: Ctx, row: InvoicePage): ServiceInvoice {
  const isOwing = row.status === 'issued' && row.balanceCents > 0
  return {
    documentSha256: row.documentSha256,
    number: row.number ?? '',
    kind: row.kind,
    title: row.title,
    isTaxInvoice: row.isTaxInvoice,
    status: row.status,
    paymentStatus: row.paymentStatus,
    customer: { name: row.customerName, language: row.language },
    billTo: { name: row.billTo?.name ?? row.customerName, abn: row.billTo ? row.billTo.abn : row.customerAbn },
    siteLabel: row.siteLabel,
    reference: row.reference,
    issueOn: row.issueOn ?? '',
    dueOn: row.dueOn ?? row.issueOn ?? '',
    isOverdue: isOwing && row.dueOn !== null && isOverdue(row.dueOn, ctx.now.toISOString(), row.timeZone),
    priceMode: row.priceMode,
    notes: row.notes,
    forfeitureClause: row.kind === 'deposit' && row.depositNature === 'security' ? (row.forfeitureClause ?? '') : null,
    depositUses: row.depositUses,
    lines: shownLines(publicLines(row.lines), row.language),
    totals: {
      subtotalCents: row.subtotalCents,
      discountCents: row.discountCents,
      gstCents: row.gstCents,
      totalCents: row.totalCents,
    },
    claim: row.claim,
    paidCents: row.paidCents + row.returnedCents,
    refundedCents: row.refundedCents + row.returnedCents,
    creditedCents: row.creditedCents,
    writtenOffCents: row.writtenOffCents,
    instalments: filledInstalments(row),
    balanceCents: row.balanceCents,
    payments: row.payments,
    refunds: row.refunds,
    creditedBy: row.creditedBy,
    openAttempt: row.openAttempt,
    order: row.orderLink && row.orderNumber ? { serviceGuid: row.orderLink, number: row.orderNumber } : null,
    canPayByCard: isOwing && ctx.deps.payments.name !== 'none',
  }
}

const answerOf = async (ctx: Ctx, invoiceGuid: string, payment: Paid) => ({
  payment,
  invoice: await standingOf(ctx.db, invoiceGuid),
})

/** The part of the customer's pages that is about invoices and paying them. */
export const serviceInvoices: Pick<
  Handlers<typeof serviceApi>,
  'invoice' | 'invoicePdf' | 'paymentToken' | 'pay' | 'settle'
> = {
  invoice: async (ctx, input) => {
    const { guid, page } = await pageOf(ctx, input.guid)
    return {
      invoice: shown(ctx, page),
      business: await publicBusiness(ctx, await ctx.workFor(page.businessGuid), { table: 'invoices', guid }),
      jobType: await jobTypeOfPage(ctx.db, 'invoice', guid, page.language),
      files: await sharedFiles(ctx.db, 'Invoices', guid),
    }
  },
  invoicePdf: async (ctx, input) => renderPdf(ctx, 'invoice', (await pageOf(ctx, input.guid)).guid),
  paymentToken: async (ctx, input) => {
    await findByLink(ctx.db, 'invoice', input.guid)
    return cardConfig(ctx)
  },
  pay: async (ctx, input) => {
    const invoiceGuid = await findByLink(ctx.db, 'invoice', input.guid)
    const paid = await startPayment(ctx, {
      parts: [{ invoiceGuid, cents: input.amountCents }],
      token: input.paymentMethodToken,
      returnUrl: serviceUrl(ctx.deps.settings, 'invoice', input.guid),
      sameAs: async (tx, [invoice]) => {
        if (invoice?.snapshotSha256 !== (input.documentSha256 ?? null))
          throw stale(z.object({ invoice: serviceInvoice }), {
            invoice: shown(tx, (await pageOf(tx, input.guid)).page),
          })
      },
    })
    return answerOf(ctx, invoiceGuid, paid)
  },
  settle: async (ctx, input) => {
    const invoiceGuid = await findByLink(ctx.db, 'invoice', input.guid)
    const cents = await partOfPayment(ctx.db, input.paymentGuid, invoiceGuid)
    if (cents === null) throw notFound()
    // Where several are paid in one go, this page tells of its own part alone.
    const payment = { ...(await settleForPayer(ctx, input.paymentGuid)), amountCents: cents }
    return answerOf(ctx, invoiceGuid, payment)
  },
}
