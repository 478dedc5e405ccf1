import type { Ctx } from '../core/ctx.ts'
import type { UpcomingDeposit } from '../documents/document-messages.service.ts'
import { type DocumentMessage, prepareDocumentMessage } from '../messages/messages.service.ts'
import { issueLocked, type Issued } from './invoices.issue.ts'
import type { InvoiceRow } from './invoices.queries.ts'

/**
 * Issues a locked draft and puts the message about it into the outbox; it is composed before others wait for a number.
 */
export async function issueAndSend(
  ctx: Ctx,
  draft: InvoiceRow,
  message: Pick<DocumentMessage, 'to' | 'subject' | 'note'> & { quietly?: true },
  before?: (upcoming: UpcomingDeposit) => Promise<unknown>,
): Promise<Issued & { isSent: boolean }> {
  const prepared: { keep: Awaited<ReturnType<typeof prepareDocumentMessage>> } = { keep: null }
  const issued = await issueLocked(ctx, draft, async (facts) => {
    const about = { ...message, template: 'invoice', ownerType: 'invoice', ownerGuid: draft.guid } as const
    prepared.keep = await prepareDocumentMessage(ctx, about, facts)
    await before?.({ guid: draft.guid, facts })
  })
  await prepared.keep?.(issued.number)
  return { ...issued, isSent: prepared.keep !== null }
}
