import { forbidden, notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import type { serviceApi } from '../../contract/service.ts'
import { stageState } from '../../contract/stages.ts'
import { publicBusiness, today } from '../businesses/businesses.service.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { sharedFiles } from '../files/files.service.ts'
import { renderPdf } from '../documents/documents.service.ts'
import { publicLines } from '../documents/public-lines.service.ts'
import { jobTypeOfPage } from '../job-types/job-strings.service.ts'
import { hear, talkOn, type TalkedAbout } from '../messages/talk.service.ts'
import { checkSignature } from '../quotes/accept.service.ts'
import { shownLines } from '../quotes/questions.service.ts'
import { acceptSent, changesOfPage, declineSent } from '../orders/changes.service.ts'
import { lockOrder } from '../orders/order.service.ts'
import { dueOf } from '../orders/stages.service.ts'
import { findServiceOrder, invoicesOfOrder } from './portal.queries.ts'

type Api = typeof serviceApi

async function find(ctx: Ctx, linkGuid: string) {
  const row = await findServiceOrder(ctx.db, linkGuid)
  if (!row) throw notFound()
  return row
}

/** An order as its customer sees it. */
async function order(ctx: Ctx, input: Input<Api['order']>) {
  const row = await find(ctx, input.guid)
  const business = await ctx.workFor(row.businessGuid)
  const { subtotalCents, discountCents, gstCents, totalCents, displayName, language, stages, ...rest } = row
  return {
    order: {
      ...rest,
      lines: shownLines(publicLines(row.lines), language),
      stages: stages.map(({ label, cents, invoice, status, ...when }) => ({
        ...{ label, cents, invoice, due: dueOf(when) },
        state: stageState(
          { cents, due: dueOf(when), invoice: invoice && { status: status ?? '', balanceCents: invoice.balanceCents } },
          row,
          today(business, ctx.now),
        ),
      })),
      invoices: await invoicesOfOrder(ctx.db, row.guid, today(business, ctx.now)),
      changes: await changesOfPage(ctx.db, row.guid),
      customer: { name: displayName, language },
      totals: { subtotalCents, discountCents, gstCents, totalCents },
    },
    business: await publicBusiness(ctx, business),
    jobType: await jobTypeOfPage(ctx.db, 'order', row.guid, language),
    files: await sharedFiles(ctx.db, 'Orders', row.guid),
  }
}

async function orderPdf(ctx: Ctx, input: Input<Api['orderPdf']>) {
  return renderPdf(ctx, 'order', (await find(ctx, input.guid)).guid)
}

/** The order behind a link, locked; as little there as on its page. */
async function lockedByLink(ctx: Ctx, linkGuid: string) {
  const { guid, businessGuid } = await find(ctx, linkGuid)
  await ctx.workFor(businessGuid)
  const locked = await lockOrder(ctx, guid)
  if (locked.archivedAt !== null) throw notFound()
  return locked
}

async function acceptChange(ctx: Ctx, { guid, ...given }: Input<Api['acceptChange']>) {
  await checkSignature(given.signature)
  await acceptSent(ctx, await lockedByLink(ctx, guid), given)
  return order(ctx, { guid })
}

async function declineChange(ctx: Ctx, { guid, note, ...given }: Input<Api['declineChange']>) {
  const { displayName } = await find(ctx, guid)
  const name = ctx.actor.kind === 'user' ? ctx.actor.name : displayName
  await declineSent(ctx, await lockedByLink(ctx, guid), { ...given, name, note: note || null })
  return order(ctx, { guid })
}

async function talkedAbout(ctx: Ctx, linkGuid: string): Promise<TalkedAbout> {
  const { guid, businessGuid, customerGuid, number, displayName } = await find(ctx, linkGuid)
  const { tradingName, legalName } = await ctx.workFor(businessGuid)
  return { guid, businessGuid, customerGuid, number, customerName: displayName, businessName: tradingName || legalName }
}

const talk = async (ctx: Ctx, { guid }: Input<Api['talk']>) => ({
  items: await talkOn(ctx, await talkedAbout(ctx, guid)),
})

/** Staff who look at the page write from the order’s own. */
async function say(ctx: Ctx, { guid, text }: Input<Api['say']>) {
  if (ctx.actor.kind !== 'guest') throw forbidden('Write to the customer from the order’s page.')
  const order = await talkedAbout(ctx, guid)
  await hear(ctx, order, guid, text)
  return { items: await talkOn(ctx, order) }
}

type Served = 'order' | 'orderPdf' | 'acceptChange' | 'declineChange' | 'talk' | 'say'
export const serviceOrders: Pick<Handlers<Api>, Served> = {
  talk,
  say,
  order,
  orderPdf,
  acceptChange,
  declineChange,
}
