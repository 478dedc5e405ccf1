import type { QuarantineReason } from '../../contract/inbound.ts'
import type { Ctx, OpenCtx } from '../core/ctx.ts'
import { phrases } from '../core/i18n/phrases.ts'
import { keepMailed } from '../files/files.service.ts'
import { findAnswered, receiveMessage, written } from '../messages/receiving.service.ts'
import { applyReport, type Told } from '../messages/reporting.service.ts'
import { readHeaders, readMail } from './read-mail.ts'
import type { ReadMail, ReportedRecipient } from './read-shape.ts'
import { bounces, suppresses } from './report.ts'
import { asHtml } from './shown-html.ts'

/** A machine that is busy may take too long once: only then it is said of the mail. */
const maxTries = 2

interface Stored {
  guid: string
  businessGuid: string
  accountGuid: string
  rawSha256: string | null
  attempts: number
  receivedAt: string
}
export type Settled = 'filed' | 'unmatched' | 'bounce' | 'quarantined'

const facts = ['guid', 'businessGuid', 'accountGuid', 'rawSha256', 'attempts', 'receivedAt'] as const

/** Takes the next mail that is stored and not read yet, but these; what others take just now is passed over. */
export const nextStored = (ctx: Pick<Ctx, 'db'>, but: readonly string[]): Promise<Stored | undefined> =>
  ctx.db
    .updateTable('inboundMails')
    .set((e) => ({ attempts: e('attempts', '+', 1) }))
    .where('guid', '=', (q) =>
      q
        .selectFrom('inboundMails')
        .select('guid')
        .where('state', '=', 'stored')
        .$if(but.length > 0, (query) => query.where('guid', 'not in', [...but]))
        .orderBy('receivedAt')
        .orderBy('guid')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(facts)
    .executeTakeFirst()

/** The same with one mail. */
export const nextRead = (ctx: Pick<Ctx, 'db'>, guid: string): Promise<Stored | undefined> =>
  ctx.db
    .updateTable('inboundMails')
    .set((e) => ({ attempts: e('attempts', '+', 1) }))
    .where('guid', '=', guid)
    .where('state', '=', 'stored')
    .returning(facts)
    .executeTakeFirst()

const isOfMachine = (reason: QuarantineReason) => reason === 'time' || reason === 'memory'

/**
 * Reads a stored mail in its thread and says in one transaction what became of it; null where it is tried again, or
 * somebody else was quicker.
 */
export async function settleStored(ctx: OpenCtx, mail: Stored): Promise<Settled | null> {
  const reading = await readingOf(ctx, mail)
  if ('reason' in reading && isOfMachine(reading.reason) && mail.attempts < maxTries) return null
  return ctx.tx(async (tx) => {
    const row = await tx.db
      .selectFrom('inboundMails')
      .select('guid')
      .where('guid', '=', mail.guid)
      .where('state', '=', 'stored')
      .forUpdate()
      .executeTakeFirst()
    if (!row) return null
    await tx.workFor(mail.businessGuid)
    return 'reason' in reading ? quarantine(tx, mail, reading) : file(tx, mail, reading.mail)
  })
}

/** A mail that was read; or why it is kept away, and what its headers say by themselves. */
type Read = { mail: ReadMail } | { reason: QuarantineReason; headers: Pick<ReadMail, 'from' | 'subject'> | null }

/** What has taken the process with it more than once is not read again. */
async function readingOf(ctx: OpenCtx, { rawSha256, attempts }: Stored): Promise<Read> {
  if (rawSha256 === null) return { reason: 'size', headers: null }
  const raw = attempts > maxTries ? null : await ctx.deps.files.get(rawSha256)
  if (!raw) return { reason: 'unreadable', headers: null }
  const reading = await readMail(raw)
  return 'mail' in reading ? reading : { ...reading, headers: await readHeaders(raw) }
}

const settle = (
  ctx: Ctx,
  { guid }: Stored,
  changes: {
    state: Settled
    reason?: QuarantineReason
    sender?: string | null
    subject?: string | null
    messageGuid?: string
  },
) =>
  ctx.db
    .updateTable('inboundMails')
    .set({ reason: null, sender: null, subject: null, ...changes, settledAt: ctx.now })
    .where('guid', '=', guid)
    .execute()

async function quarantine(
  ctx: Ctx,
  mail: Stored,
  { reason, headers }: Exclude<Read, { mail: ReadMail }>,
): Promise<Settled> {
  const sender = headers?.from ? written(headers.from) : null
  await settle(ctx, mail, { state: 'quarantined', reason, sender, subject: headers?.subject ?? null })
  ctx.log.warn({ mail: mail.guid, reason }, 'an email is kept away')
  return 'quarantined'
}

/** What a report says in the words of messages; what is only late, or handed on, tells nothing yet. */
const toldBy = (recipient: ReportedRecipient): Told[] => {
  const { address, action, said } = recipient
  if (bounces(recipient)) return [{ address, outcome: 'bounced', isGone: suppresses(recipient), said }]
  return action === 'delivered' ? [{ address, outcome: 'delivered', isGone: false, said: null }] : []
}

async function file(ctx: Ctx, mail: Stored, read: ReadMail): Promise<Settled> {
  const answered = await findAnswered(ctx.db, mail.businessGuid, read)
  if (read.report && answered) {
    await applyReport(ctx, answered, read.report.flatMap(toldBy), mail.receivedAt)
    await settle(ctx, mail, { state: 'bounce', messageGuid: answered.guid })
    return 'bounce'
  }
  const { fileGuids, notKept } = await keepFiles(ctx, read)
  const { guid, filing } = await receiveMessage(
    ctx,
    {
      ...{ ...read, ...withNotKept(read, notKept) },
      businessGuid: mail.businessGuid,
      accountGuid: mail.accountGuid,
      rawSha256: mail.rawSha256 ?? '',
      receivedAt: mail.receivedAt,
      fileGuids,
    },
    answered,
  )
  const state = filing === 'filed' ? 'filed' : 'unmatched'
  await settle(ctx, mail, { state, messageGuid: guid })
  return state
}

async function keepFiles(ctx: Ctx, { files, leftOut }: ReadMail) {
  const fileGuids: string[] = []
  const notKept = [...leftOut]
  for (const one of files) {
    const guid = await keepMailed(ctx, one)
    if (guid) fileGuids.push(guid)
    else notKept.push(one.name)
  }
  return { fileGuids, notKept }
}

/** What was attached and is not kept is named below the words: whoever reads them asks for it. */
function withNotKept({ html, text }: ReadMail, names: readonly string[]) {
  if (names.length === 0) return { html, text }
  const line = phrases('messages')('notKept', { names: names.join(', ') })
  return { html: `${html}<hr>${asHtml(line)}`, text: `${text}\n\n${line}` }
}
