import { z } from 'zod'
import { guid } from './core/common.ts'
import { get } from './core/op.ts'
import { maintenance } from './maintenance.ts'

/** One change as open screens hear of it. Without a guid: the document that a guest has open. */
const liveEvent = z.object({ noun: z.string(), guid: guid.nullable() })
export type LiveEvent = z.output<typeof liveEvent>

/** What a member of staff is told when the stream opens and when it changes, so that no screen need ask for it. */
const liveGreeting = z.object({
  unread: z.int(),
  maintenance,
  /** Whether what is sent waits, since a backup was restored. */
  isHeld: z.boolean(),
  /** Whether a stored file was found gone or damaged. */
  isDamaged: z.boolean(),
})
export type LiveGreeting = z.output<typeof liveGreeting>

export const liveApi = {
  changes: get({
    path: '/Live',
    effect: 'read',
    can: ['read', 'Live'],
    who: 'guest',
    produces: 'text/event-stream',
    summary:
      'Server-sent events: which records changed. The first, `open`, tells staff of unread notifications, ' +
      'maintenance, whether sending is on hold or stored files are damaged; it comes again when that changes. ' +
      'A guest names the document he has open by its service guid',
    query: z.strictObject({ service: guid.optional() }),
    response: z.any(),
  }),
}
