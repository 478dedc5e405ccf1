import { z } from 'zod'
import { guid, longText, timestamp } from './core/common.ts'
import { get, post } from './core/op.ts'
import { servicePages } from './places.ts'

/** Messages between a business and its customer, as the customer reads them. */
const said = z.object({
  guid,
  /** Whether the business wrote it. */
  isOurs: z.boolean(),
  by: z.string(),
  subject: z.string(),
  text: z.string(),
  at: timestamp,
})
export type Said = z.infer<typeof said>
const talk = z.object({ items: z.array(said) })

export const serviceTalkApi = {
  talk: get({
    path: '/Service/Orders/Messages/:guid',
    effect: 'read',
    can: servicePages.order.can,
    who: 'guest',
    byLink: true,
    summary: 'What business and customer wrote each other about an order, the newest last',
    response: talk,
  }),
  say: post({
    path: '/Service/Orders/Messages/:guid',
    effect: 'write',
    can: ['update', 'Service:Order'],
    who: 'guest',
    byLink: true,
    status: 201,
    message: 'Message sent.',
    summary: 'Writes to the business about an order; it is a message that came in, without an email',
    body: z.strictObject({ text: longText(2000).min(1, 'Write a message.') }),
    response: talk,
  }),
}
