import { randomUUID } from 'node:crypto'
import { partBytes } from '../../contract/files.ts'
import { ok } from './factories.ts'
import type { Answer, Caller, Running } from './start.ts'

export interface FileAnswer {
  guid: string
  name: string
  mime: string
  bytes: number
  sha256: string
  hasThumb: boolean
  hasView: boolean
  width: number | null
  height: number | null
  takenAt: string | null
  lat: number | null
  lng: number | null
  scan: string
  createdBy: { guid: string; name: string } | null
}
export interface UploadAnswer {
  guid: string
  bytes: number
  partBytes: number
  parts: number
  received: number[]
}
export interface AttachmentAnswer {
  guid: string
  version: number
  file: FileAnswer
  owner: { noun: string; guid: string }
  place: string | null
  caption: string | null
  forCustomer: boolean
  detachedAt: string | null
}
interface Given {
  file?: FileAnswer
  upload?: UploadAnswer
}

/** Sends a small file whole. */
export const sendWhole = (
  app: Pick<Running, 'call'>,
  who: Caller | null,
  bytes: Uint8Array,
  fileName: string,
  more: Record<string, unknown> = {},
): Promise<Answer<Given>> =>
  app.call<Given>(who, 'POST', '/Files', {
    clientKey: randomUUID(),
    fileName,
    bytes: bytes.byteLength,
    base64: Buffer.from(bytes).toString('base64'),
    ...more,
  })

/** A file that was sent whole. */
export async function aFile(
  app: Pick<Running, 'call'>,
  who: Caller,
  bytes: Uint8Array = Buffer.from(`Note ${randomUUID()}`),
  fileName = 'note.txt',
): Promise<FileAnswer> {
  const { file } = ok(await sendWhole(app, who, bytes, fileName), 201)
  if (!file) throw new Error('a whole file was not answered with the file')
  return file
}

/** Starts an upload in parts. */
export async function anUpload(
  app: Pick<Running, 'call'>,
  who: Caller,
  bytes: number,
  fileName: string,
  clientKey: string = randomUUID(),
): Promise<UploadAnswer> {
  const { upload } = ok(await app.call<Given>(who, 'POST', '/Files', { clientKey, fileName, bytes }), 201)
  if (!upload) throw new Error('an upload was not started')
  return upload
}

export const partOf = (bytes: Buffer, index: number): string =>
  bytes.subarray(index * partBytes, (index + 1) * partBytes).toString('base64')

export const sendPart = (app: Pick<Running, 'call'>, who: Caller, guid: string, bytes: Buffer, index: number) =>
  app.call<{ upload: UploadAnswer }>(who, 'POST', `/Files/Parts/${guid}`, { index, base64: partOf(bytes, index) })

export const finish = (app: Pick<Running, 'call'>, who: Caller, guid: string, sha256?: string) =>
  app.call<{ file: FileAnswer }>(who, 'POST', `/Files/Finish/${guid}`, sha256 === undefined ? {} : { sha256 })

export const attach = (
  app: Pick<Running, 'call'>,
  who: Caller,
  [noun, ownerGuid]: readonly [string, string],
  ...items: Record<string, unknown>[]
) => app.call<{ attachments: AttachmentAnswer[] }>(who, 'POST', '/Files/Attachments', { noun, ownerGuid, items })

/** A file that hangs on a record. */
export async function anAttachment(
  app: Pick<Running, 'call'>,
  who: Caller,
  owner: readonly [string, string],
  facts: Record<string, unknown> = {},
  file?: FileAnswer,
): Promise<AttachmentAnswer> {
  const { guid } = file ?? (await aFile(app, who))
  const [made] = ok(await attach(app, who, owner, { fileGuid: guid, ...facts }), 201).attachments
  if (!made) throw new Error('nothing was attached')
  return made
}

export const attachmentsOf = async (
  app: Pick<Running, 'call'>,
  who: Caller,
  [noun, owner]: readonly [string, string],
  query = '',
): Promise<AttachmentAnswer[]> =>
  ok(
    await app.call<{ items: AttachmentAnswer[] }>(who, 'GET', `/Files/Attachments?noun=${noun}&owner=${owner}${query}`),
  ).items
