import type { Ctx } from '../core/ctx.ts'
import { notify } from '../core/notices.ts'
import { auditOf } from './messages.queue.ts'
import type { Answered } from './receiving.service.ts'
import { suppress } from './suppressions.ts'

/** What a mail server tells of one recipient of a message. */
export interface Told {
  address: string
  outcome: 'bounced' | 'delivered'
  /** The address is gone: nothing is sent there any more. */
  isGone: boolean
  said: string | null
}

/** After so many days a report is not believed any more. */
const believedMs = 14 * 86_400_000

/** The message as it is now, for nobody else to change. */
const lock = (ctx: Ctx, { guid }: Pick<Answered, 'guid'>) =>
  ctx.db
    .selectFrom('messages')
    .select(['status', 'sentAt', 'version'])
    .where('guid', '=', guid)
    .forUpdate()
    .executeTakeFirstOrThrow()

/** Of messages from before only the lists of addresses are known. */
async function recipientsOf(ctx: Ctx, message: Answered): Promise<Map<string, string>> {
  const rows = await ctx.db
    .selectFrom('messageRecipients')
    .select(['address', 'state'])
    .where('messageGuid', '=', message.guid)
    .execute()
  const listed = [...message.recipients, ...message.cc, ...message.bcc].map((address) => ({ address, state: 'sent' }))
  return new Map((rows.length > 0 ? rows : listed).map(({ address, state }) => [address.toLowerCase(), state]))
}

/** What each state may become by a report. */
const from: Readonly<Record<Told['outcome'], readonly string[]>> = {
  bounced: ['waiting', 'sent', 'delivered'],
  delivered: ['waiting', 'sent'],
}

/**
 * Takes what a mail server tells of a message: of its own recipients, for two weeks. The first who could not be reached
 * makes it bounce, the others keep what became of them; it is delivered once all of them have it.
 */
export async function applyReport(ctx: Ctx, message: Answered, report: readonly Told[], at: string): Promise<void> {
  const { status, sentAt } = await lock(ctx, message)
  if (!sentAt || new Date(at).getTime() - new Date(sentAt).getTime() > believedMs) return
  const known = await recipientsOf(ctx, message)
  const changed = report.filter(({ address, outcome }) => from[outcome].includes(known.get(address) ?? ''))
  for (const told of changed) {
    known.set(told.address, told.outcome)
    await ctx.db
      .updateTable('messageRecipients')
      .set({ state: told.outcome, at, reason: told.outcome === 'bounced' ? told.said : null })
      .where('messageGuid', '=', message.guid)
      .where((e) => e(e.fn('lower', ['address']), '=', told.address))
      .execute()
    if (told.isGone) await close(ctx, message, told)
  }
  const bounced = changed.find(({ outcome }) => outcome === 'bounced')
  if (bounced && (status === 'sent' || status === 'delivered')) await bounce(ctx, message, bounced)
  else if (changed.length > 0 && status === 'sent' && isWithAll(known))
    await move(ctx, message, { status: 'delivered' })
}

const isWithAll = (known: ReadonlyMap<string, string>) => {
  const states = [...known.values()].filter((state) => state !== 'refused' && state !== 'suppressed')
  return states.length > 0 && states.every((state) => state === 'delivered')
}

const move = (ctx: Ctx, { guid }: Answered, to: { status: 'delivered' | 'bounced'; failureReason?: string | null }) =>
  ctx.db.updateTable('messages').set(to).where('guid', '=', guid).execute()

const close = async (ctx: Ctx, { guid: messageGuid, businessGuid }: Answered, { address, said }: Told) => {
  if (businessGuid) await suppress(ctx, { messageGuid, businessGuid, address, said, scope: 'all', reason: 'bounced' })
}

async function bounce(ctx: Ctx, message: Answered, { address, said }: Told): Promise<void> {
  const failureReason = said ? `${address}: ${said}` : address
  await move(ctx, message, { status: 'bounced', failureReason })
  ctx.audit(auditOf({ ...message, recipients: [address] }, 'message.bounced', said))
  await notify(ctx, {
    kind: 'message.bounced',
    noun: 'Messages',
    recordGuid: message.guid,
    event: `message.bounced:${message.guid}`,
    values: { subject: message.subject, to: address, reason: said },
  })
}
