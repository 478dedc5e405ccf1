import { z } from 'zod'
import { answerOf } from './core/answer.ts'
import { archivingOps } from './core/archiving.ts'
import { anyOf, archivedFilter, guid, listQuery, pageOf, recordShape, text, timestamp } from './core/common.ts'
import { get, patch, post } from './core/op.ts'
import { patchOf } from './core/patch.ts'
import { nouns } from './nouns.ts'

/*
 * A webhook is an address of another program that is told of events. It is a destination only: nothing is sent to it
 * but what an action of the business sends there.
 */

const webhookStatuses = ['active', 'paused'] as const
/**
 * Why nothing is sent: somebody paused it, the address answered that it is gone (410), or a restored database is being
 * looked at.
 */
const pausedReasons = ['person', 'gone', 'restored'] as const
export type WebhookPausedReason = (typeof pausedReasons)[number]

export const deliveryStates = ['waiting', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** So much is kept of what an address answers. */
export const keptAnswer = 1024

/** What is said of a try that got no answer. */
export const unanswered = {
  closed: 'This address cannot be used.',
  late: 'No answer within 10 seconds.',
  refused: 'The server refused the connection.',
  broken: 'The connection closed before the whole answer arrived.',
  certificate: 'The server’s certificate isn’t valid.',
  unreadable: 'The answer couldn’t be read.',
  failed: 'The connection failed.',
  secret: 'The secret can’t be opened. Change it, then retry.',
  archived: 'This webhook was archived before it was sent.',
} as const

/** The event that a test delivery tells of. */
export const testEvent = 'webhook.test'
/** The header that says when a body was signed, and with what. */
export const signatureHeader = 'Brolga-Signature'

const longest = 2000
const webAddress = z
  .string()
  .trim()
  .max(longest, `Use ${longest} characters or fewer.`)
  .regex(/^https?:\/\/[^\s/?#@\\]+(?:[/?#][^\s]*)?$/i, 'Enter an address that starts with https://.')

const webhookFields = {
  name: text(80, 'Enter a name.'),
  url: webAddress,
  status: z.enum(webhookStatuses).default('active'),
}
export const webhookInput = z.strictObject(webhookFields)
export type WebhookInput = z.infer<typeof webhookInput>

/** One event on its way to one address. `event` is what happened, `number` that of the record. */
const delivery = z.object({
  guid,
  eventGuid: guid,
  event: z.string(),
  number: z.string().nullable(),
  attempts: z.int(),
  state: z.enum(deliveryStates),
  /** The HTTP status of the last answer; null where there was none, and then `said` is why. */
  status: z.int().nullable(),
  said: z.string().max(keptAnswer).nullable(),
  createdAt: timestamp,
  triedAt: timestamp.nullable(),
  nextAt: timestamp.nullable(),
})
export type WebhookDelivery = z.infer<typeof delivery>

const webhook = z.object({
  ...recordShape,
  ...answerOf(webhookFields),
  pausedReason: z.enum(pausedReasons).nullable(),
  lastDelivery: delivery.nullable(),
})
export type Webhook = z.infer<typeof webhook>

/** What arrives at the address. */
export const webhookBody = z.object({
  /** Of the event: it stays the same however often it is sent. */
  id: guid,
  event: z.string(),
  at: timestamp,
  record: z.object({ noun: z.string(), guid, number: z.string().nullable() }),
  values: z.record(z.string(), z.unknown()),
  facts: z.record(z.string(), z.unknown()).nullable(),
})
export type WebhookBody = z.infer<typeof webhookBody>

const one = z.object({ webhook })
/** With its secret, which is shown this once. */
const withSecret = z.object({ webhook, secret: z.string() })
const subject = 'Events:Webhooks'
const mayRead = nouns.Webhooks.pages.list.can
const mayUpdate = ['update', subject] as const

const archived = archivingOps('Webhooks', 'a webhook', one)
const mayArchive = { can: ['delete', subject] as const }

export const webhooksApi = {
  list: get({
    path: '/Webhooks',
    effect: 'read',
    can: mayRead,
    summary: 'Webhooks with their last delivery',
    query: listQuery(['name', 'createdAt'], { archived: archivedFilter }).omit({ search: true }),
    response: pageOf(webhook),
  }),
  get: get({
    path: '/Webhooks/:guid',
    effect: 'read',
    can: mayRead,
    summary: 'One webhook, never with its secret',
    response: one,
  }),
  create: post({
    path: '/Webhooks',
    effect: 'external',
    can: ['create', subject],
    status: 201,
    message: 'Webhook created.',
    summary: 'Adds a webhook; the answer has the secret that its bodies are signed with, this once',
    body: webhookInput,
    response: withSecret,
  }),
  update: patch({
    path: '/Webhooks/:guid',
    effect: 'external',
    can: mayUpdate,
    message: 'Webhook saved.',
    summary: 'Changes, pauses or resumes a webhook; what waits goes out as soon as it is active again',
    body: patchOf(webhookInput),
    response: one,
  }),
  remove: { ...archived.remove, ...mayArchive },
  restore: { ...archived.restore, ...mayArchive },
  bulk: { ...archived.bulk, ...mayArchive },
  secret: post({
    path: '/Webhooks/Secret/:guid',
    effect: 'write',
    can: mayUpdate,
    message: 'Secret changed.',
    summary: 'Gives a webhook another secret, shown this once; for 24 hours the one before signs, too',
    response: withSecret,
  }),
  test: post({
    path: '/Webhooks/Test/:guid',
    effect: 'external',
    can: mayUpdate,
    cost: 'costly',
    timeoutMs: 20_000,
    unaudited: 'it changes nothing: the delivery itself is kept',
    message: 'Test finished.',
    summary: `Sends a webhook the event \`${testEvent}\`, once`,
    response: z.object({ delivery }),
  }),
  deliveries: get({
    path: '/Webhooks/Deliveries/:guid',
    effect: 'read',
    can: mayRead,
    summary: 'What was sent to a webhook in the last 30 days, the newest first',
    query: listQuery(['createdAt'], { state: anyOf(deliveryStates).optional() }).omit({ search: true }),
    response: pageOf(delivery),
  }),
  retry: post({
    path: '/Webhooks/Retry/:guid',
    effect: 'write',
    can: mayUpdate,
    message: 'Trying again.',
    summary: 'Sends a delivery that failed or waits again at once; one that failed has its retries again, too',
    response: z.object({ delivery }),
  }),
}
