import type { Ctx } from '../core/ctx.ts'
import type { FrozenFacts } from '../core/db/schema-money.ts'
import type { MessageRow } from './messages.queries.ts'
import { aboutMessage, withFieldsOf } from './writing-about.ts'
import { fillDraft, usedTemplate } from './writing-words.ts'

type Unsent = Pick<MessageRow, 'guid' | 'ownerType' | 'ownerGuid' | 'businessGuid' | 'source'>

/** What a message that is still written, waits for its time or was taken back before would say if it went out now. */
export async function saidNow(ctx: Ctx, message: Unsent): Promise<FrozenFacts | null> {
  const { source } = message
  if (!source) return null
  try {
    const about = await aboutMessage(ctx, message)
    const template = await usedTemplate(ctx.db, source.templateVersionGuid, source.language)
    return fillDraft({ source, template }, await withFieldsOf(ctx, about, template?.kind)).facts
  } catch (error) {
    ctx.log.warn({ err: error, message: message.guid }, 'an unsent message could not be filled in')
    return null
  }
}
