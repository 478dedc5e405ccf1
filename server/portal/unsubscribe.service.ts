import { notFound } from '../../contract/core/errors.ts'
import type { unsubscribeApi, UnsubscribePage } from '../../contract/suppressions.ts'
import { publicBusiness } from '../businesses/businesses.service.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { phrases } from '../core/i18n/phrases.ts'
import { withdrawConsent } from '../customers/consents.service.ts'
import { findUnsubscribe, noteFollowed, suppress, suppressedAmong } from '../messages/messages.service.ts'

type Api = typeof unsubscribeApi

async function follow(ctx: Ctx, token: string) {
  const link = await findUnsubscribe(ctx, token)
  if (!link) throw notFound()
  await ctx.workFor(link.businessGuid)
  return link
}
type Link = Awaited<ReturnType<typeof follow>>

async function shownTo(ctx: Ctx, { businessGuid, address, language }: Link): Promise<UnsubscribePage> {
  const { name, primaryColour } = await publicBusiness(ctx, ctx.business)
  const without = await suppressedAmong(ctx.db, businessGuid, [address], 'commercial')
  return { business: { name, primaryColour }, unsubscribing: { language, address, isDone: without.has(address) } }
}

const shown = async (ctx: Ctx, { token }: { token: string }) => shownTo(ctx, await follow(ctx, token))

/** Ends the offers of a business to the address of a link, and notes that nobody there agrees to them any more. */
async function unsubscribe(ctx: Ctx, { token }: { token: string }) {
  const link = await follow(ctx, token)
  const { businessGuid, messageGuid, address, subject } = link
  await noteFollowed(ctx, token)
  const isNew = await suppress(ctx, {
    ...{ businessGuid, messageGuid, address },
    scope: 'commercial',
    reason: 'unsubscribed',
  })
  if (isNew) await withdrawConsent(ctx, address, phrases('messages')('unsubscribe.proof', { subject }))
  return shownTo(ctx, link)
}

export const unsubscribing: Handlers<Api> = { shown, unsubscribe }
