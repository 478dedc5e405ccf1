import { AppError, notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import type { ServiceStatement, serviceStatementsApi } from '../../contract/service-statements.ts'
import { publicBusiness, today } from '../businesses/businesses.service.ts'
import type { Ctx, Handlers, OpenCtx } from '../core/ctx.ts'
import { toAppError } from '../core/http/errors.ts'
import { filledInstalments } from '../documents/instalments.service.ts'
import { cardConfig, type Paid, type PartPaid, settleForPayer, startPayment } from '../payments/payments.service.ts'
import { findByLink, serviceUrl } from '../service-links/service-links.service.ts'
import { creditOfPage, drawPage } from '../statements/statements.service.ts'
import {
  findStatementPage,
  type FoundPage,
  invoicesByLink,
  isPaidOnPage,
  openAttemptOf,
  openInvoices,
  owingCents,
  prepaidOn,
  receiptsOf,
} from './portal-statements.queries.ts'

type Api = typeof serviceStatementsApi

async function pageOf(ctx: Ctx, link: string): Promise<FoundPage> {
  const page = await findStatementPage(ctx.db, await findByLink(ctx.db, 'statement', link))
  if (!page) throw notFound()
  return page
}

async function shown(ctx: Ctx, page: FoundPage): Promise<ServiceStatement> {
  const business = await ctx.workFor(page.businessGuid)
  const on = today(business, ctx.now)
  const open = await openInvoices(ctx.db, page, on)
  const ordersPaid = await prepaidOn(ctx.db, page)
  const prepaidCents = ordersPaid.reduce((sum, { cents }) => sum + cents, 0)
  const invoices = open.map((row) => ({
    serviceGuid: row.serviceGuid,
    number: row.number,
    what: row.what,
    title: row.title,
    issueOn: row.issueOn,
    dueOn: row.dueOn,
    overdueCents: row.overdueCents,
    totalCents: row.totalCents,
    balanceCents: row.balanceCents,
    instalments: filledInstalments(row),
  }))
  return {
    customer: { name: page.customerName, language: page.language },
    on,
    invoices,
    owingCents: invoices.reduce((sum, { balanceCents }) => sum + balanceCents, 0),
    creditCents: Math.max((await creditOfPage(ctx, page)) - prepaidCents, 0),
    prepaid: ordersPaid,
    receipts: await receiptsOf(ctx.db, page.guid),
    openAttempt: (await openAttemptOf(ctx.db, page.guid)) ?? null,
    canPayByCard: invoices.length > 0 && ctx.deps.payments.name !== 'none',
  }
}

const refused = (path: string, message: string) =>
  new AppError('VALIDATION_FAILED', message, { fields: [{ path, message }] })

/** What is to be paid of which invoice: each once, and each of this customer on this page. */
async function partsOf(ctx: Ctx, page: FoundPage, asked: Input<Api['payStatement']>['invoices']): Promise<PartPaid[]> {
  if (!asked || asked.length === 0) throw refused('invoices', 'No invoices were selected')
  const links = asked.map(({ guid }) => guid?.trim() ?? '')
  const missing = links.indexOf('')
  if (missing >= 0) throw refused(`invoices.${missing}.guid`, 'No invoice GUID was found')
  const isGuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
  const known = await invoicesByLink(
    ctx.db,
    page,
    links.filter((link) => isGuid.test(link)),
  )
  const seen = new Set<string>()
  return asked.map(({ cents }, i) => {
    const link = links[i]?.toLowerCase() ?? ''
    const invoiceGuid = known.get(link)
    if (!invoiceGuid) throw refused(`invoices.${i}.guid`, 'We can’t find that invoice.')
    if (seen.has(invoiceGuid)) throw refused(`invoices.${i}.guid`, 'This is listed twice.')
    seen.add(invoiceGuid)
    return { invoiceGuid, cents }
  })
}

async function pay(ctx: OpenCtx, input: Input<Api['payStatement']>) {
  const page = await pageOf(ctx, input.guid)
  const paid = await startPayment(ctx, {
    parts: await partsOf(ctx, page, input.invoices),
    page: { guid: page.guid, businessGuid: page.businessGuid },
    token: input.paymentMethodToken,
    returnUrl: serviceUrl(ctx.deps.settings, 'statement', input.guid),
    // Which invoices, and how much of each, is what was seen: more than is owing is refused.
    sameAs: () => Promise.resolve(),
  })
  return answerOf(ctx, page, paid)
}

const answerOf = async (ctx: Ctx, page: FoundPage, payment: Paid) => ({
  payment,
  statement: { owingCents: await owingCents(ctx.db, page) },
})

/** What nobody foresaw is told in the words that callers know. */
async function inKnownWords<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (toAppError(error).code !== 'INTERNAL') throw error
    throw new AppError('INTERNAL', 'An error occured', { cause: error })
  }
}

/** The page of a statement: all that is open, paid in one go. */
export const serviceStatements: Handlers<Api> = {
  statement: async (ctx, input) => {
    const page = await pageOf(ctx, input.guid)
    const statement = await shown(ctx, page)
    return { statement, business: await publicBusiness(ctx, await ctx.workFor(page.businessGuid)) }
  },
  statementPdf: async (ctx, input) => drawPage(ctx, await pageOf(ctx, input.guid), input.guid),
  statementToken: async (ctx, input) => {
    await findByLink(ctx.db, 'statement', input.guid)
    return cardConfig(ctx)
  },
  payStatement: (ctx, input) => inKnownWords(pay(ctx, input)),
  settleStatement: async (ctx, input) => {
    const page = await pageOf(ctx, input.guid)
    if (!(await isPaidOnPage(ctx.db, input.paymentGuid, page.guid))) throw notFound()
    return answerOf(ctx, page, await settleForPayer(ctx, input.paymentGuid))
  },
}
