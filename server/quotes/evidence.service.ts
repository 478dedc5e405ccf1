import { compareQuotes } from '../../contract/compare.ts'
import { notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { howToVerify, type Evidence } from '../../contract/evidence.ts'
import type { quotesApi } from '../../contract/quotes.ts'
import type { Ctx } from '../core/ctx.ts'
import { canonical } from '../documents/documents.service.ts'
import { guestQuoteOf } from './guest-page.service.ts'
import { visibleQuotes } from './quotes.queries.ts'

type Api = typeof quotesApi

export async function mustSee(ctx: Ctx, guid: string) {
  const row = await visibleQuotes(ctx)
    .select(['q.guid', 'q.rootGuid', 'q.revision', 'q.number'])
    .where('q.guid', '=', guid)
    .executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** The moments of a quote and of the revisions before it. */
const framesUntil = (ctx: Ctx, { rootGuid, revision }: { rootGuid: string; revision: number }) =>
  ctx.db
    .selectFrom('quoteFrames as f')
    .innerJoin('quotes as r', 'r.guid', 'f.quoteGuid')
    .where('f.rootGuid', '=', rootGuid)
    .where('r.revision', '<=', revision)
    .orderBy('f.position')

const byOf = (event: string): string => (JSON.parse(event) as { by?: string }).by ?? ''

export async function frames(ctx: Ctx, { guid }: Input<Api['frames']>) {
  const rows = await framesUntil(ctx, await mustSee(ctx, guid))
    .select([
      'f.guid',
      'r.revision',
      'f.reason',
      'f.framedAt as at',
      'f.contentSha256 as sha256',
      'f.chainSha256',
      'f.event',
    ])
    .execute()
  return { items: rows.map(({ event, ...row }) => ({ ...row, by: byOf(event) })) }
}

export async function frame(ctx: Ctx, { guid, frame: frameGuid }: Input<Api['frame']>) {
  const row = await framesUntil(ctx, await mustSee(ctx, guid))
    .innerJoin('frameContents as c', 'c.sha256', 'f.contentSha256')
    .select([
      'f.guid',
      'r.revision',
      'f.reason',
      'f.framedAt as at',
      'f.contentSha256 as sha256',
      'f.chainSha256',
      'f.event',
    ])
    .select('c.content')
    .where('f.guid', '=', frameGuid)
    .executeTakeFirst()
  if (!row) throw notFound()
  const { event, content, ...rest } = row
  return { frame: { ...rest, by: byOf(event), content: JSON.parse(content) as unknown } }
}

export async function evidence(ctx: Ctx, { guid }: Input<Api['evidence']>) {
  const quote = await mustSee(ctx, guid)
  const rows = await framesUntil(ctx, quote)
    .innerJoin('frameContents as c', 'c.sha256', 'f.contentSha256')
    .select(['f.event', 'f.chainSha256', 'f.contentSha256', 'c.content'])
    .execute()
  const sent = await ctx.db
    .selectFrom('quotes')
    .select(['snapshot', 'snapshotSha256'])
    .where('rootGuid', '=', quote.rootGuid)
    .where('revision', '<=', quote.revision)
    .where('snapshotSha256', 'is not', null)
    .execute()
  const file: Evidence = {
    format: 1,
    number: quote.number ?? '',
    revision: quote.revision,
    howToVerify,
    events: rows.map(({ event, chainSha256 }) => ({ event, sha256: chainSha256 })),
    frames: Object.fromEntries(rows.map(({ contentSha256, content }) => [contentSha256, content])),
    documents: Object.fromEntries(
      sent.map(({ snapshot, snapshotSha256 }) => [snapshotSha256 ?? '', canonical(snapshot)]),
    ),
  }
  const revision = quote.revision > 0 ? `-R${quote.revision}` : ''
  return {
    bytes: Buffer.from(JSON.stringify(file, null, 1)),
    fileName: `${quote.number ?? 'draft'}${revision}-evidence.json`,
    mime: 'application/json',
  }
}

export async function compare(ctx: Ctx, { guid, with: other }: Input<Api['compare']>) {
  const to = await mustSee(ctx, guid)
  const from = await mustSee(ctx, other)
  if (from.rootGuid !== to.rootGuid) throw notFound()
  return { comparison: await comparisonOf(ctx, from.guid, to.guid) }
}

/** What changed from one revision to another. */
export async function comparisonOf(ctx: Pick<Ctx, 'db'>, fromGuid: string, toGuid: string) {
  return compareQuotes(await guestQuoteOf(ctx.db, fromGuid), await guestQuoteOf(ctx.db, toGuid))
}
