import { createHash } from 'node:crypto'
import type { FrameReason } from '../../contract/negotiation.ts'
import { serviceQuote } from '../../contract/service-quotes.ts'
import { today } from '../businesses/businesses.service.ts'
import type { Ctx } from '../core/ctx.ts'
import { canonical } from '../documents/documents.service.ts'
import { guestQuoteOf, type GuestQuoteRow, projected } from './guest-page.service.ts'

export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex')

/** What a page shows, without what changes on it by itself. */
const pageShape = serviceQuote.omit({ version: true, order: true, invoice: true })

/** What is kept of a moment besides the page: what was chosen on it, and what it came to. */
type Beside = Readonly<Record<string, unknown>>

interface Moment {
  reason: FrameReason
  /** Who did it, in words. */
  by: string
  /** Kept with the page under its hash. */
  beside?: Beside
  /** Said of it in the evidence. */
  facts?: Beside
  /** The page as it was before something happened to it; as it is now when not given. */
  page?: GuestQuoteRow
}

/** The customer's page of a quote as canonical JSON. */
function contentOf(ctx: Ctx, row: GuestQuoteRow, beside: Beside): string {
  const day = today(ctx.business, ctx.now)
  return canonical({ page: pageShape.parse(projected(row, day)), ...beside })
}

/**
 * Notes what a customer's page shows at a moment, and what happened then, chained to all before. The quote is locked by
 * the caller, so that moments stand in one order. Answers the hash of the chain.
 */
export async function keepFrame(ctx: Ctx, quoteGuid: string, moment: Moment): Promise<string> {
  const row = moment.page ?? (await guestQuoteOf(ctx.db, quoteGuid))
  const content = contentOf(ctx, row, moment.beside ?? {})
  const contentSha256 = sha256Of(content)
  const { ip } = ctx.request
  if (moment.reason === 'viewed' && (await wasSeen(ctx, quoteGuid, contentSha256))) return ''
  const last = await ctx.db
    .selectFrom('quoteFrames')
    .select(['position', 'chainSha256'])
    .where('rootGuid', '=', row.rootGuid)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  const position = (last?.position ?? 0) + 1
  const event = canonical({
    ...moment.facts,
    position,
    reason: moment.reason,
    revision: row.revision,
    at: ctx.now.toISOString(),
    by: moment.by,
    ip,
    frame: contentSha256,
    document: row.documentSha256,
  })
  const chainSha256 = sha256Of(`${last?.chainSha256 ?? ''}\n${event}`)
  await ctx.db
    .insertInto('frameContents')
    .values({ sha256: contentSha256, content })
    .onConflict((c) => c.doNothing())
    .execute()
  await ctx.db
    .insertInto('quoteFrames')
    .values({
      rootGuid: row.rootGuid,
      quoteGuid,
      position,
      reason: moment.reason,
      contentSha256,
      framedAt: ctx.now,
      ip,
      event,
      chainSha256,
    })
    .execute()
  return chainSha256
}

/** Whether somebody at this address has seen the same already. */
async function wasSeen(ctx: Ctx, quoteGuid: string, contentSha256: string): Promise<boolean> {
  const seen = await ctx.db
    .selectFrom('quoteFrames')
    .select('guid')
    .where('quoteGuid', '=', quoteGuid)
    .where('contentSha256', '=', contentSha256)
    .where('reason', '=', 'viewed')
    .where('ip', 'is not distinct from', ctx.request.ip)
    .limit(1)
    .executeTakeFirst()
  return seen !== undefined
}
