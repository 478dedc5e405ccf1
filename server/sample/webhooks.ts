import { webhooksApi } from '../../contract/webhooks.ts'
import type { EventName } from '../../contract/events.ts'
import { newGuid } from '../core/guid.ts'
import { handToWebhook, webhooks as service } from '../webhooks/webhooks.service.ts'
import { onStage, play, type Stage } from './actors.ts'

const hourMs = 3_600_000

interface Sent {
  event: EventName
  hoursAgo: number
  /** What became of it; a `waiting` one rests with its webhook. */
  state: 'waiting' | 'delivered' | 'failed'
  attempts: number
  status: number | null
  said: string | null
}

const toStock: readonly Sent[] = [
  { event: 'order.reopened', hoursAgo: 70, state: 'delivered', attempts: 1, status: 204, said: null },
  { event: 'order.confirmed', hoursAgo: 69, state: 'delivered', attempts: 3, status: 200, said: '{"ok":true}' },
  { event: 'order.held', hoursAgo: 50, state: 'failed', attempts: 7, status: 503, said: 'Back after maintenance.' },
  {
    event: 'order.started',
    hoursAgo: 26,
    state: 'failed',
    attempts: 7,
    status: null,
    said: 'No answer within 10 seconds.',
  },
  { event: 'order.completed', hoursAgo: 2, state: 'delivered', attempts: 1, status: 204, said: null },
]
const toBoard: readonly Sent[] = [
  { event: 'order.confirmed', hoursAgo: 190, state: 'delivered', attempts: 1, status: 200, said: 'ok' },
  {
    event: 'order.completed',
    hoursAgo: 30,
    state: 'failed',
    attempts: 1,
    status: 410,
    said: 'This board was deleted.',
  },
  { event: 'order.started', hoursAgo: 20, state: 'waiting', attempts: 0, status: null, said: null },
]

/** Orders that are told of; what happened to them is the story’s. */
const ordersOf = (stage: Stage) =>
  stage.deps.db
    .selectFrom('orders')
    .select(['guid', 'number', 'title', 'totalCents', 'status'])
    .where('number', 'is not', null)
    .orderBy('number', 'desc')
    .limit(toStock.length)
    .execute()

async function fill(stage: Stage, webhookGuid: string, sent: readonly Sent[]): Promise<void> {
  const orders = await ordersOf(stage)
  for (const [i, { event, hoursAgo, ...came }] of sent.entries()) {
    const order = orders[i % orders.length]
    if (!order) return
    const { guid, ...values } = order
    const at = new Date(stage.at.getTime() - hoursAgo * hourMs)
    const record = { noun: 'Orders', guid, number: order.number }
    const handed = { guid: newGuid(), key: event, at, record, values, facts: null }
    const delivery = await onStage({ ...stage, at }, (ctx) => handToWebhook(ctx, webhookGuid, handed))
    if (came.state === 'waiting') continue
    const tookMs = came.attempts > 6 ? 24 * hourMs : (came.attempts - 1) * 150_000
    await stage.deps.db
      .updateTable('webhookDeliveries')
      .set({ ...came, firstAt: at, triedAt: new Date(at.getTime() + tookMs), nextAt: null })
      .where('guid', '=', delivery.guid)
      .execute()
  }
}

/** Two other programs: one takes what it is sent, most of the time; the other one is gone, so its webhook is paused. */
export async function makeWebhooks(stage: Stage): Promise<void> {
  const made = async (name: string, url: string) =>
    (await play(stage, webhooksApi.create, service.create, { name, url, status: 'active' })).webhook.guid
  await fill(stage, await made('Stock control', 'https://stock.lantern.example/hooks/brolga'), toStock)
  const board = await made('Site board', 'https://boards.example/in/7f3a')
  await fill(stage, board, toBoard)
  await stage.deps.db
    .updateTable('webhooks')
    .set({ status: 'paused', pausedReason: 'gone' })
    .where('guid', '=', board)
    .execute()
}
