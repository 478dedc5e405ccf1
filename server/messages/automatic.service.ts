import { conflict } from '../../contract/core/errors.ts'
import type { TemplateKind } from '../../contract/messages.ts'
import type { Ctx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { scheduledAt } from '../core/quiet-time.ts'
import { defaultTheme } from '../themes/dressing.service.ts'
import { insertMessage, lockMessage } from './messages.queries.ts'
import { auditOf } from './messages.queue.ts'
import { papersOf, release, setMessage } from './releasing.service.ts'
import { answeredTo, senderOf } from './sender.ts'
import { activeTemplate, templateByGuid } from './templates.service.ts'
import { type About, aboutMessage, aboutRecord, withFieldsOf } from './writing-about.ts'
import { fillOrRefuse, usedTemplate } from './writing-words.ts'

interface AutomaticMessage {
  kind: TemplateKind
  /** The default one where it is in use no more. */
  templateGuid: string
  customerGuid: string
  /** What it speaks of: of one that invoice owns it, of more the customer does. */
  invoiceGuids: readonly string[]
  to: readonly string[]
  at: Date
  /** Writes down that it was made, before it goes. */
  keep: (messageGuid: string) => Promise<void>
}

async function templateFor(ctx: Ctx, { kind, templateGuid }: AutomaticMessage, { facts }: About) {
  const { businessGuid, language } = facts
  const chosen =
    (await templateByGuid(ctx.db, businessGuid, templateGuid, language)) ??
    (await activeTemplate(ctx.db, businessGuid, kind, language))
  if (chosen.templateVersionGuid === null) throw conflict('No template for reminders is in use.')
  return chosen
}

/**
 * Keeps a message that a rule makes, for its time; within the caller's transaction. What it says is fixed when it goes,
 * which is at once where its time has come.
 */
export async function keepAutomatic(ctx: Ctx, message: AutomaticMessage): Promise<string> {
  const { invoiceGuids, customerGuid, kind, to, at } = message
  const [invoiceGuid] = invoiceGuids
  const about =
    invoiceGuid !== undefined && invoiceGuids.length === 1
      ? await aboutRecord(ctx, 'invoice', invoiceGuid)
      : await aboutRecord(ctx, 'customer', customerGuid, ctx.business.guid)
  const { facts, ownerType, ownerGuid } = about
  const { templateVersionGuid, language, subject, bodyHtml } = await templateFor(ctx, message, about)
  const guid = newGuid()
  const { from, replyTo } = senderOf(ctx.deps.settings, facts.business)
  const source = { templateVersionGuid, language, subject, bodyHtml, isFactsOnly: true }
  await insertMessage(
    ctx,
    {
      ...{ guid, businessGuid: facts.businessGuid, customerGuid: facts.customerGuid, ownerType, ownerGuid },
      ...{ ownerNumber: facts.ownerNumber, template: kind, sender: from, replyTo, recipients: [...to], subject },
      ...{ purpose: 'billing' as const, category: 'transactional' as const, isAutomatic: true, cancelWhen: 'settled' },
      source: JSON.stringify(source),
      attachments: JSON.stringify(await papersOf(ctx, invoiceGuids)),
      themeVersionGuid: (await defaultTheme(ctx.db, facts.businessGuid))?.guid ?? null,
      ...scheduledAt(at, ctx.business.timeZone),
      ...answeredTo(from),
    },
    'scheduled',
  )
  await ctx.db
    .insertInto('messageInvoices')
    .values(invoiceGuids.map((one) => ({ messageGuid: guid, invoiceGuid: one })))
    .execute()
  await message.keep(guid)
  await tell(ctx, guid)
  if (at <= ctx.now) await release(ctx, guid)
  return guid
}

/** Its subject as it would be now: it stands in lists until it goes. */
async function tell(ctx: Ctx, guid: string): Promise<void> {
  const row = await lockMessage(ctx, guid)
  if (!row?.source) return
  const template = await usedTemplate(ctx.db, row.source.templateVersionGuid, row.source.language)
  const about = await withFieldsOf(ctx, await aboutMessage(ctx, row), template?.kind)
  const { subject } = fillOrRefuse({ source: row.source, template }, about)
  await setMessage(ctx, row, { subject })
  ctx.audit(auditOf({ ...row, subject }, 'message.scheduled'))
}
