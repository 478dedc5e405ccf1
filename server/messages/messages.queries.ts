import type { Insertable } from 'kysely'
import { notFound } from '../../contract/core/errors.ts'
import type { TemplateKind } from '../../contract/messages.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import type { Messages } from '../core/db/schema-business.ts'
import { firstTemplates, type TemplateText } from './templates.ts'

/** The business's own words for a kind of message; the first ones when it has none. */
export async function templateOf(db: Db, businessGuid: string, kind: TemplateKind): Promise<TemplateText> {
  const row = await db.selectFrom('messageTemplates').select(['subject', 'body', 'button']).where('businessGuid', '=', businessGuid).where('kind', '=', kind).where('language', '=', 'en').executeTakeFirst()
  return row ?? firstTemplates[kind]
}

type NewMessage = Omit<Insertable<Messages>, 'status' | 'attempts' | 'nextAttemptAt' | 'createdAt' | 'createdBy'>

/** A message that waits, due now. */
export async function insertMessage(ctx: Pick<Ctx, 'db' | 'now' | 'actor'>, message: NewMessage): Promise<void> {
  const createdBy = ctx.actor.kind === 'user' ? ctx.actor.userGuid : null
  await ctx.db.insertInto('messages').values({ ...message, status: 'queued', nextAttemptAt: ctx.now, createdAt: ctx.now, createdBy }).execute()
}
