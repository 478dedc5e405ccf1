import { keepBytes } from '../core/keep-bytes.ts'
import { htmlOfText } from '../core/html/body.ts'
import { receiveMessage } from '../messages/receiving.service.ts'
import { onStage, type Stage } from './actors.ts'

const unmatched = [
  {
    from: { name: 'Priya Raman', address: 'priya@newdoor.example' },
    subject: 'Do you hire fencing for a weekend?',
    text:
      'Hi,\n\nWe need about 40 metres around a front yard in Marrickville, Friday to Monday. ' +
      'What would that cost?\n\nPriya',
  },
  {
    from: { name: 'Accounts, Cormorant', address: 'ap@cormorant-group.example' },
    subject: 'Remittance advice',
    text: 'Payment of the enclosed invoices will reach you on Thursday.\n\nCormorant Group, Accounts payable',
  },
  {
    from: { name: 'Theo', address: 'theo.k@mail.example' },
    subject: 'Re: Tuesday',
    text: 'Sorry, Tuesday won’t work after all. Could we make it the week after?\n\nTheo',
  },
]

/** Emails of strangers that wait to be filed, and one that could not be read safely. */
export async function makeReceived(stage: Stage, businessGuid: string): Promise<void> {
  const system: Stage = { ...stage, by: { kind: 'system', name: 'sample' } }
  const account = await stage.deps.db
    .selectFrom('emailAccounts')
    .select('guid')
    .where('businessGuid', '=', businessGuid)
    .where('purpose', '=', 'billing')
    .executeTakeFirst()
  if (!account) return
  const keep = async (uid: number, raw: string) => {
    const bytes = Buffer.from(raw)
    const { sha256: rawSha256 } = await onStage(system, (ctx) => keepBytes(ctx, bytes, 'message/rfc822'))
    return { businessGuid, accountGuid: account.guid, uidValidity: 1, uid, bytes: bytes.length, rawSha256 }
  }
  for (const [i, { from, subject, text }] of unmatched.entries()) {
    const header = `From: "${from.name}" <${from.address}>\r\nSubject: ${subject}\r\n`
    const row = await keep(i + 1, `${header}\r\n${text.replaceAll('\n', '\r\n')}\r\n`)
    const receivedAt = new Date(stage.at.getTime() - (i + 1) * 3_600_000).toISOString()
    await onStage(system, async (ctx) => {
      const letter = { ...row, from, to: [], cc: [], subject, text, html: htmlOfText(text), isAutomatic: false }
      const { guid } = await receiveMessage(ctx, { ...letter, receivedAt, fileGuids: [] }, undefined)
      await ctx.db
        .insertInto('inboundMails')
        .values({ ...row, state: 'unmatched', messageGuid: guid, receivedAt, settledAt: receivedAt })
        .execute()
    })
  }
  const [sender, subject] = ['billing@parcel-notices.example', 'Invoice']
  const kept = await keep(unmatched.length + 1, `From: ${sender}\r\nSubject: ${subject}\r\n\r\n`)
  await stage.deps.db
    .insertInto('inboundMails')
    .values({ ...kept, sender, subject, state: 'quarantined', reason: 'depth', receivedAt: stage.at.toISOString() })
    .execute()
}
