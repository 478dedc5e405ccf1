import { AppError, invalid, notFound, refuseFields } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import type { emailTemplatesApi, TemplatePreview, TemplateTexts } from '../../contract/email-templates.ts'
import type { Ctx, OpenCtx } from '../core/ctx.ts'
import { cleanBody } from '../core/html/body.ts'
import { queueTest } from '../messages/test-send.service.ts'
import { showTexts, trialFacts, tryTexts } from '../messages/trial.service.ts'
import { findTemplate, findVersion, latestVersion, type TemplateRow, timeZoneOf } from './email-templates.queries.ts'
import { isRecord } from './records.ts'

type Asked = Input<(typeof emailTemplatesApi)['preview']>

/** What is looked at: what is being written, a version, or the latest. */
async function textsOf(ctx: Ctx, { guid, draft, versionGuid, language }: Asked): Promise<TemplateTexts> {
  if (draft) return { ...draft, bodyHtml: cleanBody(draft.bodyHtml) }
  const version = versionGuid ? await findVersion(ctx.db, guid, versionGuid) : await latestVersion(ctx.db, guid)
  if (!version) throw notFound('We can’t find that version.')
  return version.languages[language] ?? version.languages.en
}

interface Shown extends TemplatePreview {
  row: TemplateRow
  mailHtml: string
  themeVersionGuid: string | null
  customer: { businessName: string; businessEmail: string | null }
}

async function shown(ctx: Ctx, asked: Asked): Promise<Shown> {
  const { guid, language } = asked
  const row = await findTemplate(ctx, guid)
  if (!row) throw notFound()
  const { kind, businessGuid, name } = row
  const recordGuid = asked.recordGuid ?? null
  if (recordGuid !== null && !(await isRecord(ctx, kind, businessGuid, recordGuid))) throw notFound()
  const texts = await textsOf(ctx, asked)
  const facts = await trialFacts(ctx, { businessGuid, kind, recordGuid, language })
  const settings = { language, timeZone: await timeZoneOf(ctx.db, businessGuid) }
  const { said, problems } = tryTexts(kind, texts, facts, settings)
  const customer = { businessName: facts.business.name, businessEmail: facts.business.email ?? null }
  const told = problems.map((found) => ({
    ...found,
    language,
    record: null,
  }))
  const nothing = { subject: '', html: '', mailHtml: '', text: '', themeVersionGuid: null }
  if (!said) return { row, customer, ...nothing, problems: told }
  const words = await showTexts(ctx, { businessGuid, kind }, said, facts, { language, subject: said.subject || name })
  const { bodyHtml: mailHtml, bodyText: text, shown: html, themeVersionGuid } = words
  return { row, customer, subject: said.subject, html, mailHtml, text, themeVersionGuid, problems: told }
}

/** An email as it would go out; nothing is kept. */
export async function preview(ctx: Ctx, asked: Asked): Promise<TemplatePreview> {
  const { subject, html, text, problems } = await shown(ctx, asked)
  return { subject, html, text, problems }
}

async function ownAddress(ctx: Ctx): Promise<string> {
  const { actor } = ctx
  if (actor.kind !== 'user') throw new AppError('FORBIDDEN')
  const user = await ctx.db
    .selectFrom('users')
    .select(['email', 'authId'])
    .where('guid', '=', actor.userGuid)
    .executeTakeFirst()
  const address = user?.email || user?.authId || ''
  if (!/^[^\s@<>]+@[^\s@<>]+$/.test(address))
    throw invalid('language', 'Enter your email address in your account first.')
  return address
}

/** The same to whoever asks, who reads it in a mail program. */
export async function test(ctx: OpenCtx, asked: Asked): Promise<{ messageGuid: string; to: string }> {
  const to = await ownAddress(ctx)
  const { row, customer, subject, mailHtml, text, themeVersionGuid, problems } = await shown(ctx, asked)
  refuseFields(problems.map(({ part, message }) => ({ path: `draft.${part}`, message })))
  const messageGuid = await ctx.tx(async (tx) => {
    const guid = await queueTest(tx, {
      businessGuid: row.businessGuid,
      kind: row.kind,
      business: { name: customer.businessName, email: customer.businessEmail },
      ...{ to, subject, html: mailHtml, text, themeVersionGuid },
    })
    tx.audit({
      action: 'email_template.tested',
      entity: 'EmailTemplates',
      guid: row.guid,
      after: { name: row.name, to },
    })
    return guid
  })
  return { messageGuid, to }
}
