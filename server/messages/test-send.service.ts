import type { TemplateKind } from '../../contract/messages.ts'
import type { Ctx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { countUse } from '../core/http/limits.ts'
import { insertMessage } from './messages.queries.ts'
import { queueName } from './messages.queue.ts'
import { answeredTo, senderOf } from './sender.ts'

interface Test {
  businessGuid: string
  kind: TemplateKind
  business: { name: string; email: string | null }
  to: string
  subject: string
  html: string
  text: string
  themeVersionGuid: string | null
}

const maxTests = { most: 100, seconds: 3600 }

/** Queues what somebody wants to see in a mail program. It is about nobody, and counts nowhere. */
export async function queueTest(ctx: Ctx, test: Test): Promise<string> {
  const { businessGuid, kind, business, to, subject, html, text, themeVersionGuid } = test
  if (ctx.actor.kind === 'user')
    await countUse(ctx.db, `test-mail:${ctx.actor.userGuid}`, maxTests, 'Too many tests. Try again in an hour.')
  const guid = newGuid()
  const { from, replyTo } = senderOf(ctx.deps.settings, business)
  await insertMessage(ctx, {
    ...{ guid, businessGuid, template: kind, sender: from, replyTo, recipients: [to], subject },
    ...{ bodyHtml: html, bodyText: text, attachments: '[]', themeVersionGuid, isTest: true },
    ...answeredTo(from),
  })
  ctx.audit({ action: 'message.queued', entity: 'Messages', guid, after: { to, subject } })
  await ctx.enqueue(queueName, {})
  return guid
}
