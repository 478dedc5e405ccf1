import { z } from 'zod'
import { longText, timestamp } from './core/common.ts'
import { get, post } from './core/op.ts'

/** While on, everybody but super users gets 503 MAINTENANCE with this message, `Retry-After`, and the state in `serviceData`. */
export const maintenance = z.object({ isOn: z.boolean(), message: z.string(), since: timestamp.nullable(), until: timestamp.nullable() })
export type Maintenance = z.output<typeof maintenance>

export const maintenanceApi = {
  get: get({ path: '/Maintenance', effect: 'read', can: ['read', 'Auth:Login'], who: 'public', passes: ['maintenance', 'two-step'], summary: 'Whether the product is under maintenance, and what is said about it', response: z.object({ maintenance }) }),
  set: post({
    path: '/Maintenance',
    effect: 'write',
    can: ['manage', 'Maintenance'],
    message: 'Saved.',
    summary: 'Begins or ends maintenance',
    body: z.strictObject({ isOn: z.boolean(), message: longText(400).optional(), until: z.iso.datetime({ offset: true }).nullable().optional() }),
    response: z.object({ maintenance }),
  }),
}
