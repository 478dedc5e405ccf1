import type { NotificationKind, notificationNouns } from '../../contract/notifications.ts'
import type { Op } from '../../contract/core/op.ts'
import type { Ctx } from './ctx.ts'

export const noticeQueue = 'notifications.spread'

export interface Notice {
  kind: NotificationKind
  noun: (typeof notificationNouns)[number]
  recordGuid: string
  /** Names what happened: told again under the same name it is told once. */
  event: string
  values: Record<string, string | number | null>
  /** Only this person; everybody who may read the record when not said. */
  to?: string
  /** Only those who may do this with the record. */
  right?: Op['can']
  /** Only those who may do this with the invoice; with all of them, where there is none. */
  for?: { can: Op['can']; invoiceGuid: string | null }
}

/** Lets people know of something, once it is committed; who they are is found out afterwards. */
export const notify = (ctx: Pick<Ctx, 'enqueue' | 'actor'>, notice: Notice) =>
  ctx.enqueue(noticeQueue, { ...notice, by: ctx.actor.kind === 'user' ? ctx.actor.userGuid : null })
