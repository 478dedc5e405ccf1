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
