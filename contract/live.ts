import { z } from 'zod'
import { guid } from './core/common.ts'
import { get } from './core/op.ts'

/** One change as open screens hear of it. Without a guid: the document that a guest has open. */
export const liveEvent = z.object({ noun: z.string(), guid: guid.nullable() })
export type LiveEvent = z.output<typeof liveEvent>

export const liveApi = {
  changes: get({
    path: '/Live',
    effect: 'read',
    can: ['read', 'Live'],
    who: 'guest',
    produces: 'text/event-stream',
    summary: 'Server-sent events: which records changed. A guest names the document he has open by its service guid',
    query: z.strictObject({ service: guid.optional() }),
    response: z.any(),
  }),
}
