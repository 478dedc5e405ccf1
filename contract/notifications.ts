import { z } from 'zod'
import { guid, listQuery, pageOf, timestamp } from './core/common.ts'
import { type EventName, events } from './events.ts'
import { type NounName, nounNames, rowOf } from './nouns.ts'
import { get, patch, post } from './core/op.ts'

/**
 * The events people are told of. Each is a phrase key, filled with `values`. `order.moved` is any change of an order's
 * status, told to whoever does the work and whoever the order is of; `action.told` is whatever an action says.
 */
export const notificationKinds = [
  'quote.accepted',
  'quote.declined',
  'quote.changes_requested',
  'quote.commented',
  'request.received',
  'series.failed',
  'series.quote_unsent',
  'payment.received',
  'payment.failed',
  'payment.disputed',
  'refund.awaits_approval',
  'refund.approved',
  'refund.declined',
  'charge.put_aside',
  'message.failed',
  'message.bounced',
  'message.received',
  'order.assigned',
  'order.moved',
  'order.stage_ready',
  'order.change_accepted',
  'order.change_declined',
  'attachment.infected',
  'email_account.login_ended',
  'email_account.broke',
  'webhook.paused',
  'action.told',
] as const satisfies readonly (EventName | 'order.moved' | 'order.stage_ready' | 'action.told')[]
export type NotificationKind = (typeof notificationKinds)[number]

const isOfEvent = (noun: NounName) => Object.values(events).some((event) => event.automates && event.noun === noun)
/** Nouns of whose records people are told: by notifications of their own, or by actions about an event of theirs. */
export const notificationNouns = nounNames.filter((noun) => rowOf(noun).isNotified || isOfEvent(noun))

const notification = z.object({
  guid,
  kind: z.enum(notificationKinds),
  /** The record to open. */
  noun: z.enum(notificationNouns),
  recordGuid: guid,
  /** number, customerName, amountCents, reason, note, subject, to, deed, text, record – as far as the kind has them. */
  values: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  createdAt: timestamp,
  readAt: timestamp.nullable(),
})
export type Notification = z.output<typeof notification>
const unread = z.object({ unread: z.int() })
const choices = z.array(z.object({ kind: z.enum(notificationKinds), isOn: z.boolean() }))

/** Everybody's own: new ones are announced on the live stream under the noun `Notifications`, to their owner alone. */
export const notificationsApi = {
  list: get({
    path: '/Notifications',
    effect: 'read',
    can: ['read', 'Account'],
    summary: 'What happened that the caller should know of, newest first',
    query: listQuery(['createdAt'], { unread: z.literal('true').optional() }),
    response: pageOf(notification).extend({ unread: z.int() }),
  }),
  read: post({
    path: '/Notifications/Read',
    effect: 'write',
    can: ['update', 'Account'],
    unaudited: 'having read something is nobody else’s business',
    message: 'Marked as read.',
    summary: 'Marks notifications as read, or as unread again',
    body: z.strictObject({ guids: z.array(guid).min(1).max(100), isRead: z.boolean().default(true) }),
    response: unread,
  }),
  readAll: post({
    path: '/Notifications/ReadAll',
    effect: 'write',
    can: ['update', 'Account'],
    unaudited: 'having read something is nobody else’s business',
    message: 'All marked as read.',
    summary: 'Marks all notifications as read',
    response: unread,
  }),
  preferences: get({
    path: '/Notifications/Preferences',
    effect: 'read',
    can: ['read', 'Account'],
    summary: 'Which kinds the caller wants to hear of',
    response: z.object({ kinds: choices }),
  }),
  updatePreferences: patch({
    path: '/Notifications/Preferences',
    effect: 'write',
    can: ['update', 'Account'],
    message: 'Saved.',
    summary: 'Chooses which kinds the caller wants to hear of',
    body: z.strictObject({ kinds: choices.max(50) }),
    response: z.object({ kinds: choices }),
  }),
}
