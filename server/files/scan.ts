import type { Notice } from '../core/notices.ts'
import { notify } from '../core/notices.ts'
import { isPictureType, type ScanState } from '../../contract/files.ts'
import { nouns } from '../../contract/nouns.ts'
import { askClamd, NoVerdict, type Verdict } from '../core/adapters/clamd.ts'
import type { Ctx, OpenCtx } from '../core/ctx.ts'
import { noteDamaged } from './damaged.ts'
import type { Owner } from './owners.ts'
import { viewsQueue } from './views.ts'

interface Checked {
  guid: string
  name: string
  mime: string
  scan: ScanState
  sha256: string
  originalSha256: string | null
  viewSha256: string | null
  thumbSha256: string | null
}

const findChecked = (ctx: Pick<Ctx, 'db'>, guid: string): Promise<Checked | undefined> =>
  ctx.db
    .selectFrom('files')
    .select(['guid', 'name', 'mime', 'scan', 'sha256', 'originalSha256', 'viewSha256', 'thumbSha256'])
    .where('guid', '=', guid)
    .executeTakeFirst()

/** What a file is kept as: its bytes, and those it came with. */
const keptBytes = ({ sha256, originalSha256 }: Checked): string[] => [
  ...new Set([sha256, ...(originalSha256 === null ? [] : [originalSha256])]),
]

async function verdictOf(ctx: OpenCtx, url: string, file: Checked): Promise<Verdict> {
  for (const sha256 of keptBytes(file)) {
    const bytes = await ctx.deps.files.get(sha256)
    if (!bytes) {
      await noteDamaged(ctx, sha256, file.guid)
      throw new NoVerdict(`The bytes of file ${file.guid} are gone or damaged.`)
    }
    if ((await askClamd(url, bytes)) === 'infected') return 'infected'
  }
  return 'clean'
}

/**
 * Checks one file. Null where it was checked before, or nobody checks files; without an answer it stays as it is and
 * the reason is thrown as `NoVerdict`. Clean and infected are final.
 */
export async function scanFile(ctx: OpenCtx, guid: string): Promise<Verdict | null> {
  const { scanUrl } = ctx.deps.settings
  const file = await findChecked(ctx, guid)
  if (scanUrl === undefined || !file || file.scan === 'clean' || file.scan === 'infected') return null
  const verdict = await verdictOf(ctx, scanUrl, file)
  const isTold = await ctx.tx((tx) => settle(tx, file, verdict))
  if (verdict === 'infected' && isTold) await forgetBytes(ctx, file)
  return verdict
}

/** False where another process was quicker. */
async function settle(ctx: Ctx, file: Checked, verdict: Verdict): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('files')
    .set({ scan: verdict, ...(verdict === 'infected' ? { viewSha256: null, thumbSha256: null } : {}) })
    .where('guid', '=', file.guid)
    .where('scan', 'in', ['off', 'waiting'])
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  if (verdict === 'clean' && isPictureType(file.mime)) await ctx.enqueue(viewsQueue, { fileGuid: file.guid })
  if (verdict === 'infected') for (const owner of await ownersOf(ctx, file.guid)) await tell(ctx, file, owner)
  return true
}

const ownersOf = async (ctx: Ctx, fileGuid: string): Promise<Owner[]> =>
  ctx.db
    .selectFrom('attachments')
    .select(['ownerNoun as noun', 'ownerGuid as guid'])
    .distinct()
    .where('fileGuid', '=', fileGuid)
    .where('detachedAt', 'is', null)
    .execute()

const isNotified = (noun: string): noun is Notice['noun'] =>
  Object.hasOwn(nouns, noun) && 'isNotified' in nouns[noun as keyof typeof nouns]

/** Those who may change the record hear of it. */
async function tell(ctx: Ctx, { guid, name }: Checked, owner: Owner) {
  ctx.audit({ action: 'attachment.infected', entity: owner.noun, guid: owner.guid, after: { name, files: [guid] } })
  if (!isNotified(owner.noun)) return
  for (const can of nouns[owner.noun].attachments.write.slice(0, 1))
    await notify(ctx, {
      kind: 'attachment.infected',
      noun: owner.noun,
      recordGuid: owner.guid,
      event: `attachment.infected ${guid}`,
      values: { name },
      right: can,
    })
}

/** A virus leaves at once, and what was drawn of it: whoever else has the same bytes has the virus. */
async function forgetBytes(ctx: OpenCtx, file: Checked) {
  const all = [...keptBytes(file), file.viewSha256, file.thumbSha256]
  for (const sha256 of new Set(all.filter((one) => one !== null))) await ctx.deps.files.remove(sha256)
}

const pageSize = 100

/** Checks all files that came while nobody checked any; what has no answer is counted and left as it is. */
export async function scanUnchecked(ctx: OpenCtx): Promise<{ clean: number; infected: number; failed: number }> {
  const counted = { clean: 0, infected: 0, failed: 0 }
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const page = await ctx.db
      .selectFrom('files')
      .select('guid')
      .where('scan', '=', 'off')
      .where('guid', '>', after)
      .orderBy('guid')
      .limit(pageSize)
      .execute()
    for (const { guid } of page) {
      const verdict = await scanFile(ctx, guid).catch((error: unknown) => {
        if (error instanceof NoVerdict) return 'failed' as const
        throw error
      })
      if (verdict !== null) counted[verdict] += 1
    }
    const last = page.at(-1)
    if (!last) return counted
    after = last.guid
  }
}
