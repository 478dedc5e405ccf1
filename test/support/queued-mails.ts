import { newGuid } from '../../server/core/guid.ts'
import type { MessagePurpose } from '../../contract/messages.ts'
import type { Running } from './start.ts'

interface Wanted {
  at: Date
  purpose?: MessagePurpose
  count?: number
}

/** Messages that wait to be sent, as nothing but their way out is looked at. */
export async function queueMails(app: Running, { at, purpose = 'general', count = 1 }: Wanted): Promise<string[]> {
  const { guid: businessGuid } = await app.deps.db.selectFrom('businesses').select('guid').executeTakeFirstOrThrow()
  const guids = Array.from({ length: count }, () => newGuid())
  await app.deps.db
    .insertInto('messages')
    .values(
      guids.map((guid) => ({
        guid,
        businessGuid,
        purpose,
        sender: '"Brolga" <office@brolga.example>',
        recipients: ['jo@customer.example'],
        subject: `About ${purpose}`,
        bodyHtml: '<p>Hello</p>',
        bodyText: 'Hello',
        messageId: `<${guid}@brolga.example>`,
        nextAttemptAt: at,
        createdAt: at,
      })),
    )
    .execute()
  return guids
}

export const mailOf = (app: Running, guid: string | undefined) =>
  app.deps.db
    .selectFrom('messages')
    .selectAll()
    .where('guid', '=', guid ?? '')
    .executeTakeFirstOrThrow()
