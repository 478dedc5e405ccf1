import { createHash } from 'node:crypto'
import type { Ctx } from '../core/ctx.ts'
import { isWithin } from '../core/http/limits.ts'
import { queueDocumentMessage } from '../messages/messages.service.ts'

/** Nobody's mailbox is filled by whoever enters its address, and nobody writes to the world in a business's name. */
const perAddress = { most: 3, seconds: 86_400 }
const perBusiness = { most: 200, seconds: 86_400 }

/** One mailbox under its many spellings; kept as a hash, since whoever it belongs to may never have been here. */
function mailboxKey(email: string): string {
  const [local = '', domain = ''] = email.trim().toLowerCase().split('@')
  const mailbox = `${local.split('+')[0]}@${domain}`
  return `request-mail:${createHash('sha256').update(mailbox).digest('hex')}`
}

/** Confirms to whoever sent a request that it has come. Beyond the limits the request counts, and no mail goes out. */
export async function confirmRequest(
  ctx: Ctx,
  { email, quoteGuid, businessGuid }: { email: string; quoteGuid: string; businessGuid: string },
): Promise<void> {
  if (!(await isWithin(ctx.db, mailboxKey(email), perAddress))) return
  if (!(await isWithin(ctx.db, `request-mail:${businessGuid}`, perBusiness))) return
  await queueDocumentMessage(ctx, {
    template: 'request_received',
    ownerType: 'quote',
    ownerGuid: quoteGuid,
    to: [email],
    quietly: true,
  })
}
