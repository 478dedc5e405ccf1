import { z } from 'zod'
import { guid, listQuery, maybe, pageOf, text, timestamp, version } from './core/common.ts'
import { del, get, patch, post } from './core/op.ts'
import { type NounWith, nounsWith } from './nouns.ts'

/** A file arrives in parts of this many bytes; the last one may be shorter. */
export const partBytes = 524_288
export const maxFileBytes = 26_214_400
/** Width times height. */
export const maxPixels = 50_000_000
/** Live attachments of one record. */
export const maxAttachments = 200
/** Files that one call attaches. */
export const maxAttachedAtOnce = 20

/** What is accepted, by what its bytes say, with the endings a name may have; the first is given where it has none. */
export const fileTypes = {
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
  'image/webp': ['webp'],
  'application/pdf': ['pdf'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['pptx'],
  'text/plain': ['txt'],
  'text/csv': ['csv'],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>
export type FileType = keyof typeof fileTypes
export const isFileType = (mime: string): mime is FileType => Object.hasOwn(fileTypes, mime)

const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'] as const
export type PictureType = (typeof pictureTypes)[number]
export const isPictureType = (mime: string): mime is PictureType => pictureTypes.some((type) => type === mime)

const fileSizes = ['thumb', 'view', 'file', 'original'] as const
export type FileSize = (typeof fileSizes)[number]
/** The longer side, in pixels, of what is drawn of a picture; smaller ones are not enlarged. */
export const drawnSides = { thumb: 320, view: 1600 } as const satisfies Partial<Record<FileSize, number>>

const scanStates = ['off', 'waiting', 'clean', 'infected'] as const
export type ScanState = (typeof scanStates)[number]
/** Whether anybody may have the bytes. */
export const isOpenState = (scan: ScanState): boolean => scan === 'off' || scan === 'clean'

/** What is said of a file, in the words every screen and answer uses. */
export const fileSentences = {
  tooLarge: 'Choose a file of up to 25 MB.',
  empty: 'This file is empty.',
  largePicture: 'Choose a picture of up to 512 KB.',
  type: 'This type of file is not accepted.',
  heic: 'HEIC photos cannot be shown everywhere. Take the photo from this page.',
  pixels: 'Choose a picture of up to 50 megapixels.',
  damagedPicture: 'This picture is damaged. Choose another.',
  damaged: 'The file was damaged on the way. Send it again.',
  otherPart: 'This part was sent before with different content.',
  otherFile: 'This upload was started with another file.',
  waiting: 'This file is being checked for viruses. Try again in a minute.',
  infected: 'A virus was found in this file.',
  full: 'A record can have up to 200 files. Detach some first.',
  frozen: 'This file is part of a finished record and can’t be detached.',
  unreachable: 'Files can’t be reached right now. Try again in a moment.',
} as const
export const missingParts = (count: number): string =>
  count === 1
    ? '1 part of this file is missing. Continue the upload.'
    : `${count} parts of this file are missing. Continue the upload.`

export const partsOf = (bytes: number): number => Math.ceil(bytes / partBytes)
/** How long a part has to be, in bytes. */
export const bytesOfPart = (bytes: number, index: number): number => Math.min(partBytes, bytes - index * partBytes)

const maxName = 200
// Control characters, and those that turn the direction of what follows: a name must read as it is.
// oxlint-disable-next-line no-control-regex -- taking control characters out is the point
const unseen = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** A name as it was sent, without what cannot be seen. */
export const plainName = (name: string): string => name.replace(unseen, '')

/**
 * A name for people, never a path: without control characters, slashes and leading dots, and with an ending of its type
 * (`run.html` of plain text becomes `run.txt`).
 */
export function cleanName(name: string, type: FileType): string {
  const endings: readonly string[] = fileTypes[type]
  const plain = plainName(name)
    .normalize('NFC')
    .replace(/[/\\]/g, '')
    .replace(/^[\s.]+/, '')
    .trim()
  const { stem = plain, ending } = /^(?<stem>.+)\.(?<ending>[\p{L}\p{N}_~-]{1,12})$/u.exec(plain)?.groups ?? {}
  const kept = ending !== undefined && endings.includes(ending.toLowerCase()) ? ending : (endings[0] ?? '')
  const room = [...stem.trim()].slice(0, maxName - kept.length - 1).join('')
  return `${room.slice(0, maxName - kept.length - 1) || 'file'}.${kept}`
}

/** A noun whose records files hang on. */
export type AttachmentNoun = NounWith<'attachments'>
export const attachmentNouns = nounsWith('attachments')

const who = z.object({ guid, name: z.string() })
const file = z.object({
  guid,
  name: z.string(),
  mime: z.string(),
  /** Of what is kept: pictures lose what they said of place and camera. */
  bytes: z.int(),
  sha256: z.string(),
  /** Whether a small picture of it is there (320 pixels), and one for a screen (1,600). */
  hasThumb: z.boolean(),
  hasView: z.boolean(),
  /** Pixels of a picture as it is looked at, upright. */
  width: z.int().nullish(),
  height: z.int().nullish(),
  takenAt: timestamp.nullish(),
  /** Degrees; `null` to those without `read Files:Original`. */
  lat: z.number().nullish(),
  lng: z.number().nullish(),
  scan: z.enum(scanStates),
  createdAt: timestamp,
  createdBy: who.nullable(),
  /** A customer sent it through a link. */
  isFromCustomer: z.boolean(),
})
export type FileRecord = z.output<typeof file>

const upload = z.object({
  guid,
  bytes: z.int(),
  partBytes: z.literal(partBytes),
  parts: z.int(),
  /** The parts that are here, by number from 0, ascending. */
  received: z.array(z.int()),
})
export type Upload = z.output<typeof upload>

const attachmentFields = { place: maybe(text(40)), caption: maybe(text(200)), forCustomer: z.boolean() }
const attachment = z.object({
  guid,
  version,
  file,
  owner: z.object({ noun: z.enum(attachmentNouns), guid }),
  /** Where on the record it belongs: an item, `before`, `after`. */
  place: z.string().nullish(),
  caption: z.string().nullish(),
  forCustomer: z.boolean(),
  detachedAt: timestamp.nullish(),
  createdAt: timestamp,
  createdBy: who.nullish(),
})
export type Attachment = z.output<typeof attachment>

/** A file as a customer's page shows it. */
export const sharedFile = file
  .pick({ guid: true, name: true, mime: true, bytes: true, hasThumb: true, takenAt: true, createdAt: true })
  .extend({ caption: attachment.shape.caption })
export type SharedFile = z.output<typeof sharedFile>

const fileNameField = z
  .string()
  .min(1, 'This field is required.')
  .max(maxName, `Use ${maxName} characters or fewer.`)
  // What cannot be written as UTF-8 cannot be kept.
  .refine((name) => name.isWellFormed(), 'Remove line breaks and special characters.')

const base64 = z.base64('Send the bytes as base64.')
const longestPart = Math.ceil(partBytes / 3) * 4
const wholeFile = base64.max(longestPart, 'Send larger files in parts.')
const part = base64.min(1, fileSentences.damaged).max(longestPart, fileSentences.damaged)
/** What a customer sends: a picture whole, in one call. */
export const guestPhoto = z.strictObject({
  clientKey: guid,
  fileName: fileNameField,
  base64: z
    .base64('Send the bytes as base64.')
    .min(1, fileSentences.empty)
    .max(longestPart, fileSentences.largePicture),
  takenAt: maybe(z.iso.datetime({ offset: true })),
})
export type GuestPhoto = z.output<typeof guestPhoto>
const given = z.object({ file: file.optional(), upload: upload.optional() })
/** A file that nothing refers to is no event: attaching it is. */
const unaudited = 'a file is told of when it is attached'
const sending = ['create', 'Files'] as const
const attaching = ['update', 'Files:Attachments'] as const

/** So many files of a customer's other records are offered. */
export const mostNearby = 60
const owner = { noun: z.enum(attachmentNouns), owner: guid }

export const filesApi = {
  create: post({
    path: '/Files',
    effect: 'external',
    can: sending,
    status: 201,
    message: 'File received.',
    summary: 'Sends a small file, or starts a larger one; the same `clientKey` answers what it answered before',
    unaudited,
    body: z.strictObject({
      clientKey: guid,
      fileName: fileNameField,
      bytes: z.int().min(1, fileSentences.empty).max(maxFileBytes, fileSentences.tooLarge),
      /** The whole file, when it is at most one part long. */
      base64: wholeFile.optional(),
      /** When the file was last changed, as the browser knows it: for pictures that say nothing themselves. */
      takenAt: maybe(z.iso.datetime({ offset: true })),
    }),
    response: given,
  }),
  part: post({
    path: '/Files/Parts/:guid',
    effect: 'write',
    can: sending,
    message: 'Part received.',
    summary: 'One part of an upload; the same part may be sent again',
    unaudited,
    body: z.strictObject({
      index: z
        .int()
        .min(0)
        .max(partsOf(maxFileBytes) - 1),
      base64: part,
    }),
    response: z.object({ upload }),
  }),
  finish: post({
    path: '/Files/Finish/:guid',
    effect: 'external',
    can: sending,
    status: 201,
    message: 'File received.',
    summary: 'Makes a file of the parts; asked again it answers the same file',
    unaudited,
    body: z.strictObject({ sha256: maybe(z.string().regex(/^[0-9a-f]{64}$/i, fileSentences.damaged)) }),
    response: z.object({ file }),
  }),
  content: get({
    path: '/Files/Content/:guid',
    effect: 'read',
    who: 'guest',
    can: ['read', 'Files:Content'],
    summary: 'The bytes of a file, or of what was drawn of it, for whoever may read a record it hangs on',
    query: z.strictObject({
      size: z.enum(fileSizes).optional(),
      /** The open link of a customer, who has no other right. */
      link: guid.optional(),
    }),
    response: z.any(),
    produces: 'file',
  }),
  attachments: get({
    path: '/Files/Attachments',
    effect: 'read',
    can: ['read', 'Files:Attachments'],
    summary: 'The files of a record, newest first, for whoever may read the record',
    query: listQuery(['createdAt'], { ...owner, detached: z.enum(['true', 'false']).optional() }).omit({
      search: true,
    }),
    response: pageOf(attachment),
  }),
  nearby: get({
    path: '/Files/Nearby',
    effect: 'read',
    can: attaching,
    summary: 'Files of the same customer on other records the caller reads, newest first, to be attached here',
    query: z.strictObject(owner),
    response: z.object({ items: z.array(attachment).max(mostNearby) }),
  }),
  attach: post({
    path: '/Files/Attachments',
    effect: 'write',
    can: attaching,
    status: 201,
    message: 'Files added.',
    summary: 'Attaches files to a record, all of them or none',
    body: z.strictObject({
      noun: z.enum(attachmentNouns),
      ownerGuid: guid,
      items: z
        .array(z.strictObject({ fileGuid: guid, ...attachmentFields, forCustomer: z.boolean().default(false) }))
        .min(1, 'Choose at least one.')
        .max(maxAttachedAtOnce),
    }),
    response: z.object({ attachments: z.array(attachment) }),
  }),
  updateAttachment: patch({
    path: '/Files/Attachments/:guid',
    effect: 'write',
    can: attaching,
    message: 'File saved.',
    summary: 'Changes what is said of a file on a record, and whether its customer sees it',
    body: z.strictObject({ version, ...attachmentFields }).partial({ place: true, caption: true, forCustomer: true }),
    response: z.object({ attachment }),
  }),
  detach: del({
    path: '/Files/Attachments/:guid',
    effect: 'write',
    can: attaching,
    message: 'File detached.',
    summary: 'Takes a file off a record',
    query: z.strictObject({ version: z.coerce.number<string | number>().int().min(1) }),
    response: z.object({ attachment }),
  }),
  restoreAttachment: post({
    path: '/Files/Attachments/Restore/:guid',
    effect: 'write',
    can: attaching,
    message: 'File added again.',
    summary: 'Puts a detached file back',
    response: z.object({ attachment }),
  }),
}
