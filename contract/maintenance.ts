import { z } from 'zod'
import { longText, timestamp } from './core/common.ts'
import { get, post } from './core/op.ts'

/**
 * While on, everybody but super users gets 503 MAINTENANCE with this message, `Retry-After`,
 * and the state in `serviceData`.
 */
export const maintenance = z.object({
  isOn: z.boolean(),
  message: z.string(),
  since: timestamp.nullable(),
  until: timestamp.nullable(),
})
export type Maintenance = z.output<typeof maintenance>

/** While a restored backup is checked, no mail is sent and no card is charged. */
const hold = z.object({
  since: timestamp,
  madeAt: timestamp,
  report: z.string(),
  isProviderAsked: z.boolean(),
  unknownCharges: z.int(),
  waitingMails: z.int(),
})

const storedFiles = z.object({
  /** Files that nobody gets before they were checked for viruses; since when the oldest waits. */
  waiting: z.int(),
  waitingSince: timestamp.nullable(),
  /** Bytes that records name and the store no longer has as they were; the name of a file where they are one's. */
  damaged: z.array(z.object({ sha256: z.string(), name: z.string().nullable(), seenAt: timestamp })),
})
export type StoredFiles = z.output<typeof storedFiles>

export const maintenanceApi = {
  get: get({
    path: '/Maintenance',
    effect: 'read',
    can: ['read', 'Auth:Login'],
    who: 'public',
    passes: ['maintenance', 'two-step'],
    summary: 'Whether the product is under maintenance, and what is said about it',
    response: z.object({ maintenance }),
  }),
  hold: get({
    path: '/Maintenance/Hold',
    effect: 'read',
    can: ['manage', 'Maintenance'],
    summary: 'Whether sending is on hold since a backup was restored',
    response: z.object({ hold: hold.nullable() }),
  }),
  release: post({
    path: '/Maintenance/Hold/Release',
    effect: 'write',
    can: ['manage', 'Maintenance'],
    message: 'Sending resumed.',
    summary:
      'Sends and charges again after a backup was restored. Emails that waited at the time of the backup are ' +
      'sent or cancelled.',
    body: z.strictObject({ mails: z.enum(['send', 'cancel']), withoutProvider: z.boolean().default(false) }),
    response: z.object({ hold: hold.nullable() }),
  }),
  files: get({
    path: '/Maintenance/Files',
    effect: 'read',
    can: ['manage', 'Maintenance'],
    summary: 'How many files wait for their check, and which stored ones were found gone or damaged',
    response: z.object({ files: storedFiles }),
  }),
  checkFiles: post({
    path: '/Maintenance/Files/Check',
    effect: 'external',
    can: ['manage', 'Maintenance'],
    unaudited: 'looking at files again changes none',
    message: 'Files checked.',
    summary: 'Reads the damaged files again; those that are back are no longer told of',
    body: z.strictObject({}),
    response: z.object({ files: storedFiles }),
  }),
  set: post({
    path: '/Maintenance',
    effect: 'write',
    can: ['manage', 'Maintenance'],
    message: 'Saved.',
    summary: 'Begins or ends maintenance',
    body: z.strictObject({
      isOn: z.boolean(),
      message: longText(400).optional(),
      until: z.iso.datetime({ offset: true }).nullable().optional(),
    }),
    response: z.object({ maintenance }),
  }),
}
