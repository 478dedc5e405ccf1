import type { FieldError } from '../../contract/core/errors.ts'
import { instantOfWall, isTimeZone } from '../../contract/core/dates.ts'
import {
  encodedBytes,
  maxEncodedBytes,
  maxMessageFileBytes,
  type MessageAttachment,
  messageSentences,
} from '../../contract/message-writes.ts'
import type { AttachmentNoun } from '../../contract/files.ts'
import { nounOf } from '../../contract/nouns.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { filterReadable } from '../row-scope/row-scope.service.ts'
import type { MessageRow } from './messages.queries.ts'
import { type About, aboutRecord } from './writing-about.ts'

/** A PDF that is drawn when the message goes out. */
export type DocumentPart = MessageRow['attachments'][number]

export interface OfferedFile {
  guid: string
  name: string
  mime: string
  bytes: number
}

/** The files on the record, and on its customer where the caller may read him, that may go along. */
export async function filesAbout(ctx: Ctx, { ownerType, ownerGuid, facts }: About): Promise<OfferedFile[]> {
  const customer = { entity: 'Customers', guid: facts.customerGuid }
  const record = { entity: nounOf(ownerType), guid: ownerGuid }
  const places = [record, ...(await filterReadable(ctx, [customer]))]
  return ctx.db
    .selectFrom('attachments as a')
    .innerJoin('files as f', 'f.guid', 'a.fileGuid')
    .select(['f.guid', 'f.name', 'f.mime', 'f.bytes'])
    .distinctOn('f.guid')
    .where((eb) =>
      eb.or(places.map(({ entity, guid }) => eb.and({ 'a.ownerNoun': entity as AttachmentNoun, 'a.ownerGuid': guid }))),
    )
    .where('a.detachedAt', 'is', null)
    .where('f.scan', 'in', ['off', 'clean'])
    .orderBy('f.guid')
    .limit(200)
    .execute()
}

interface Parts {
  documents: DocumentPart[]
  files: string[]
  errors: FieldError[]
}

/** What goes along: documents of the same customer that the caller may read, and files that hang there. */
export async function partsOf(
  ctx: Ctx,
  given: readonly MessageAttachment[],
  about: About,
  kept: readonly string[] = [],
): Promise<Parts> {
  const errors: FieldError[] = []
  const documents: DocumentPart[] = []
  for (const [i, part] of given.entries()) {
    if (part.kind !== 'document') continue
    const isOwn = part.ownerType === about.ownerType && part.ownerGuid === about.ownerGuid
    const { facts } = isOwn ? about : await aboutRecord(ctx, part.ownerType, part.ownerGuid)
    const path = `attachments.${i}`
    if (facts.customerGuid !== about.facts.customerGuid)
      errors.push({ path, message: 'Choose a document of this customer.' })
    else if (facts.ownerNumber === null)
      errors.push({ path, message: 'Drafts can’t be attached. Send or issue it first.' })
    else documents.push(...facts.attachments.filter(({ guid }) => !documents.some((known) => known.guid === guid)))
  }
  const wanted = [...new Set(given.flatMap((part) => (part.kind === 'file' ? part.fileGuid : [])))]
  const offered = new Map((wanted.length ? await filesAbout(ctx, about) : []).map((file) => [file.guid, file]))
  const known = new Set(kept)
  if (wanted.some((guid) => !offered.has(guid) && !known.has(guid)))
    errors.push({ path: 'attachments', message: 'We can’t find that file here.' })
  if (wanted.some((guid) => (offered.get(guid)?.bytes ?? 0) > maxMessageFileBytes))
    errors.push({ path: 'attachments', message: 'Choose files of up to 10 MB.' })
  return { documents, files: wanted, errors }
}

/** Whether all of it gets through. Documents count when they are drawn. */
export async function sizeErrors(db: Db, files: readonly string[]): Promise<FieldError[]> {
  if (files.length === 0) return []
  const rows = await db
    .selectFrom('files')
    .select('bytes')
    .where('guid', 'in', [...files])
    .execute()
  const total = rows.reduce((sum, { bytes }) => sum + encodedBytes(bytes), 0)
  return total > maxEncodedBytes ? [{ path: 'attachments', message: messageSentences.size }] : []
}

export interface When {
  scheduledFor: string
  timeZone: string
  scheduledAt: Date
}
const minuteMs = 60_000
const furthestMs = 366 * 86_400_000

/** The instant of a wall time; what is wrong with it where there is none that will do. */
export function whenOf(
  { scheduledFor, timeZone }: { scheduledFor: string | null; timeZone: string },
  now: Date,
): { when: When | null; errors: FieldError[] } {
  const refused = (path: string, message: string) => ({ when: null, errors: [{ path, message }] })
  if (!isTimeZone(timeZone)) return refused('timeZone', 'Choose a time zone.')
  if (!scheduledFor) return refused('scheduledFor', 'Enter a date and a time.')
  const at = instantOfWall(scheduledFor, timeZone)
  if (!at) return refused('scheduledFor', messageSentences.gap)
  const away = new Date(at).getTime() - now.getTime()
  if (away < minuteMs) return refused('scheduledFor', messageSentences.later)
  if (away > furthestMs) return refused('scheduledFor', 'Choose a time within 366 days.')
  return { when: { scheduledFor, timeZone, scheduledAt: new Date(at) }, errors: [] }
}
