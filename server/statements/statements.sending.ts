import { AppError } from '../../contract/core/errors.ts'
import type { Input, Output } from '../../contract/core/op.ts'
import type { StatementSending, statementsApi } from '../../contract/statements.ts'
import { today } from '../businesses/businesses.service.ts'
import type { Ctx, OpenCtx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { may } from '../core/http/permission.ts'
import { userOf } from '../core/records.ts'
import { statementFacts } from '../documents/document-messages.service.ts'
import { drawStatement, paperOf } from '../documents/statement-paper.service.ts'
import { queueAbout } from '../messages/messages.service.ts'
import { serviceUrl } from '../service-links/service-links.service.ts'
import type { Books } from './receivables.queries.ts'
import { insertStatement, linkOfPage, openPage } from './statement-pages.queries.ts'
import { type Asked, booksOf, customerOf, tell } from './statements.told.ts'

type Api = typeof statementsApi

const pageFor = (ctx: Ctx, books: Books, customerGuid: string) => ({
  businessGuid: ctx.business.guid,
  customerGuid,
  covers: books.businesses,
})

/** The address of a customer's page, for whoever brings it to them by another way. */
export async function copyLink(ctx: Ctx, { guid }: Input<Api['link']>): Promise<Output<Api['link']>> {
  const customer = await customerOf(ctx, guid)
  const { link } = await openPage(ctx.db, ctx.now, pageFor(ctx, await booksOf(ctx), customer.guid))
  return { serviceUrl: serviceUrl(ctx.deps.settings, 'statement', link) }
}

export async function statementPdf(ctx: OpenCtx, { guid, kind, from, to }: Input<Api['pdf']>) {
  const customer = await customerOf(ctx, guid)
  const books = { ...(await booksOf(ctx)), familyGuid: customer.guid }
  const told = await tell(ctx.db, books, { kind, from, to: to ?? today(ctx.business, ctx.now) })
  const page = pageFor(ctx, books, customer.guid)
  const link = may(ctx.actor, 'create', 'Statements:Create')
    ? (await ctx.tx((tx) => openPage(tx.db, ctx.now, page))).link
    : (await linkOfPage(ctx.db, page))?.link
  const url = link ? serviceUrl(ctx.deps.settings, 'statement', link) : null
  return drawStatement(ctx, await paperOf(ctx, ctx.business, customer.guid, { told, link: url }))
}

/** One answer for each customer: it went into the outbox, or why not. */
export async function sendStatements(ctx: Ctx, input: Input<Api['send']>): Promise<Output<Api['send']>> {
  const books = await booksOf(ctx)
  const asked = { kind: input.kind, from: input.from, to: input.to ?? today(ctx.business, ctx.now) }
  const results: StatementSending[] = []
  for (const guid of new Set(input.customerGuids)) results.push(await sendOne(ctx, books, guid, asked))
  return { results }
}

async function sendOne(ctx: Ctx, books: Books, customerGuid: string, asked: Asked): Promise<StatementSending> {
  const refused = (customerName: string, message: string): StatementSending => ({
    customerGuid,
    customerName,
    status: 'refused',
    to: [],
    message,
  })
  let name = ''
  try {
    const customer = await customerOf(ctx, customerGuid)
    name = customer.displayName
    const told = await tell(ctx.db, { ...books, familyGuid: customer.guid }, asked)
    if (told.rows.length === 0 && told.openingCents === 0)
      return refused(name, told.kind === 'open' ? 'Nothing is owing.' : 'Nothing happened in this period.')
    const { guid: pageGuid, link } = await openPage(ctx.db, ctx.now, pageFor(ctx, books, customer.guid))
    const content = await paperOf(ctx, ctx.business, customer.guid, {
      told,
      link: serviceUrl(ctx.deps.settings, 'statement', link),
    })
    const sent = { guid: newGuid(), businessGuid: ctx.business.guid, customerGuid: customer.guid, content }
    const facts = await statementFacts(ctx, sent)
    const message = { template: 'statement', ownerType: 'customer', ownerGuid: customer.guid, quietly: true } as const
    if (!(await queueAbout(ctx, message, facts)))
      return refused(name, 'This customer has no email address. Add one to the customer.')
    const { kind, from: fromOn, to: toOn } = told
    await insertStatement(ctx.db, { ...sent, pageGuid, kind, fromOn, toOn, createdAt: ctx.now, createdBy: userOf(ctx) })
    ctx.audit({
      action: 'customer.statement_sent',
      entity: 'Customers',
      guid: customer.guid,
      after: { to: facts.recipients.join(', '), amountCents: told.closingCents, kind },
    })
    return { customerGuid, customerName: name, status: 'sent', to: facts.recipients, message: null }
  } catch (error) {
    // One that is refused by a rule keeps none of the others back; nothing of it was written.
    if (error instanceof AppError && error.status < 500) return refused(name, error.fields[0]?.message ?? error.message)
    throw error
  }
}
