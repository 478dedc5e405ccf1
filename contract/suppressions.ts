import { z } from 'zod'
import { anyOf, guid, listQuery, pageOf, text, timestamp } from './core/common.ts'
import { languages } from './core/languages.ts'
import { del, get, post } from './core/op.ts'
import { servicePages } from './places.ts'

/** Everything, or offers alone. */
const suppressionScopes = ['all', 'commercial'] as const
/** A mail server said that the address is gone, or whoever reads there asked for no more offers. */
export const suppressionReasons = ['bounced', 'unsubscribed'] as const

const suppression = z.object({
  guid,
  address: z.string(),
  scope: z.enum(suppressionScopes),
  reason: z.enum(suppressionReasons),
  /** What the other server said. */
  said: z.string().nullable(),
  /** The message it began with, where the caller may read it. */
  message: z.object({ guid, label: z.string() }).nullable(),
  createdAt: timestamp,
})
export type Suppression = z.output<typeof suppression>

export const liftInput = z.strictObject({ reason: text(400) })

export const suppressionsApi = {
  list: get({
    path: '/Messages/Suppressions',
    effect: 'read',
    can: ['read', 'Messages:Suppressions'],
    summary: 'Addresses that nothing, or no offer, is sent to',
    query: listQuery(['createdAt', 'address'], { scope: anyOf(suppressionScopes).optional() }),
    response: pageOf(suppression),
  }),
  lift: del({
    path: '/Messages/Suppressions/:guid',
    effect: 'write',
    can: ['delete', 'Messages:Suppressions'],
    message: 'Address cleared.',
    summary: 'Lets messages go to an address again',
    body: liftInput,
    response: z.object({ suppression }),
  }),
}

const unsubscribing = z.object({
  language: z.enum(languages),
  address: z.string(),
  isDone: z.boolean(),
})
const page = z.object({ business: z.object({ name: z.string(), primaryColour: z.string() }), unsubscribing })
export type UnsubscribePage = z.output<typeof page>

export const unsubscribeApi = {
  shown: get({
    path: '/Service/Unsubscribe/:token',
    effect: 'read',
    who: 'guest',
    can: servicePages.unsubscribe.can,
    byLink: true,
    summary: 'Whose offers a personal link ends, and whether it did; reading it ends nothing',
    response: page,
  }),
  unsubscribe: post({
    path: '/Service/Unsubscribe/:token',
    effect: 'write',
    // Whoever brings the link may: mail programs call it by themselves (RFC 8058).
    who: 'webhook',
    can: servicePages.unsubscribe.can,
    byLink: true,
    takesForm: true,
    message: 'Unsubscribed.',
    summary: 'Ends the offers of a business to one address',
    unaudited: 'asked again it changes nothing',
    response: page,
  }),
}
