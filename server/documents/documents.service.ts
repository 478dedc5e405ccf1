import { createHash } from 'node:crypto'
import { localDay } from '../../contract/core/dates.ts'
import type { Asker } from '../core/adapters/render-queue.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { keepBytes } from '../core/keep-bytes.ts'
import { serviceUrl } from '../service-links/service-links.service.ts'
import { phrases } from '../core/i18n/phrases.ts'
import type { DocumentContent, DocumentData, DocumentKind, RenderData } from './document.ts'
import { loadDocument } from './documents.queries.ts'
import { suitOf } from './suit.service.ts'
import { titleOf } from './title.ts'

export { printedOfLine } from './content.ts'
export type { DocumentContent, DocumentKind }

/**
 * A document as it is printed, mailed and shown: what was frozen when it was sent or issued, and what happened since.
 * A draft is read as it stands now. Throws NOT_FOUND.
 */
export async function documentData(db: Db, kind: DocumentKind, guid: string): Promise<DocumentData> {
  const { content, state, frozen } = await loadDocument(db, kind, guid)
  // A revision or a copy may carry an old snapshot while it is a draft: drafts are never frozen.
  if (!frozen || state.status === 'draft') return { content, state }
  // Quotes that were sent before their day was frozen with them have it on their row.
  return { content: { ...frozen, issueOn: frozen.issueOn ?? content.issueOn }, state }
}

/** A quote as its customer agreed to it: what was sent, with the lines and amounts as they are now. */
export async function acceptedDocument(db: Db, guid: string): Promise<DocumentContent> {
  const { content, frozen } = await loadDocument(db, 'quote', guid)
  const { lines, totals } = content
  const stages = content.stages ? { stages: content.stages } : {}
  return { ...(frozen ?? content), lines, totals, deposit: content.deposit ?? null, ...stages }
}

export type SnapshotFacts = Partial<Pick<DocumentContent, 'number' | 'issueOn' | 'dueOn' | 'isTaxInvoice'>>

/** What is frozen when a document is sent or issued: canonical JSON text for the `snapshot` column, and its hash. */
export function snapshotOf(content: DocumentContent): { snapshot: string; snapshotSha256: string } {
  const snapshot = canonical(content)
  return { snapshot, snapshotSha256: createHash('sha256').update(snapshot).digest('hex') }
}

/** JSON whose keys stand in order, so that equal content has equal bytes. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item ?? null)).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value)
    .filter(([, v]) => v !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, v]) => `${JSON.stringify(key)}:${canonical(v)}`).join(',')}}`
}

/**
 * The document as PDF. What has been sent or issued comes from its stored bytes as long as nothing has happened to it
 * since. For `external` operations and jobs: it is drawn in another process, never within a transaction.
 */
export async function renderPdf(
  ctx: Pick<Ctx, 'db' | 'deps' | 'actor' | 'request' | 'now'>,
  kind: DocumentKind,
  guid: string,
  { hidesAmounts = false } = {},
): Promise<{ bytes: Uint8Array; fileName: string }> {
  const data = await documentData(ctx.db, kind, guid)
  const link =
    data.state.serviceGuid && data.state.status !== 'draft'
      ? serviceUrl(ctx.deps.settings, kind, data.state.serviceGuid)
      : null
  const fileName = fileNameOf(data.content)
  const key = createHash('sha256')
    .update(canonical({ data, link, ...(hidesAmounts && { hidesAmounts }) }))
    .digest('hex')
  const stored = await storedPdf(ctx, kind, guid, key)
  if (stored) return { bytes: stored, fileName }
  const { logo } = data.content.business
  const logoBytes = logo ? await ctx.deps.files.get(logo.sha256) : null
  const acceptedOn = data.state.accepted ? localDay(data.state.accepted.at, data.content.business.timeZone) : null
  const { accepted } = data.state
  const signature = accepted?.signature ? Buffer.from(accepted.signature, 'base64') : null
  const state = { ...data.state, accepted: accepted && { ...accepted, signature: null } }
  const render: RenderData = {
    content: data.content,
    state,
    signature,
    link,
    canPayByCard: ctx.deps.settings.paymentProvider !== 'none',
    acceptedOn,
    logo: logo && logoBytes ? { bytes: logoBytes, mime: logo.mime } : null,
    hidesAmounts,
    suit: await suitOf(ctx.db, data.content.business, data.content.language),
  }
  const bytes = await ctx.deps.renderer.render({ key, template: kind, data: { ...render } }, askerOf(ctx))
  if (data.state.status !== 'draft' && !hidesAmounts) await storePdf(ctx, kind, guid, key, bytes)
  return { bytes, fileName }
}

/** A guest is told by his address: credentials are for the asking. */
export const askerOf = ({ actor, request }: Pick<Ctx, 'actor' | 'request'>): Asker => ({
  guest: actor.kind === 'guest' ? (request.ip ?? actor.sessionGuid) : null,
  gone: request.gone,
})

async function storedPdf(
  { db, deps }: Pick<Ctx, 'db' | 'deps'>,
  kind: DocumentKind,
  recordGuid: string,
  contentSha256: string,
): Promise<Uint8Array | null> {
  const stored = await db
    .selectFrom('documentPdfs')
    .select('fileSha256')
    .where('kind', '=', kind)
    .where('recordGuid', '=', recordGuid)
    .where('contentSha256', '=', contentSha256)
    .executeTakeFirst()
  return stored ? deps.files.get(stored.fileSha256) : null
}

async function storePdf(
  { db, deps, now }: Pick<Ctx, 'db' | 'deps' | 'now'>,
  kind: DocumentKind,
  recordGuid: string,
  contentSha256: string,
  bytes: Uint8Array,
) {
  const { sha256: fileSha256 } = await keepBytes({ db, deps, now }, bytes, 'application/pdf')
  const drawn = { contentSha256, fileSha256, drawnAt: now }
  await db
    .insertInto('documentPdfs')
    .values({ kind, recordGuid, ...drawn })
    .onConflict((c) => c.columns(['kind', 'recordGuid']).doUpdateSet(drawn))
    .execute()
}

/** `Tax invoice INV-1042.pdf`, with nothing in it that a file system or a header could take amiss. */
export function fileNameOf(content: DocumentContent, draft?: string): string {
  // Letters that every file system takes: French without accents, and English in place of Arabic.
  const t = phrases('documents', content.language === 'fr' ? 'fr' : 'en')
  const name = [
    titleOf(content, t),
    content.number ?? draft ?? t('draft'),
    content.revision > 0 ? `R${content.revision}` : '',
  ]
    .filter(Boolean)
    .join(' ')
  return asFileName(name)
}

/** Without anything that a file system or a header could take amiss. */
export const asFileName = (name: string): string =>
  `${name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9 ._-]+/g, '-')}.pdf`
