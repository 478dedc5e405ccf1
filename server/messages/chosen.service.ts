import { conflict } from '../../contract/core/errors.ts'
import type { TemplateKind } from '../../contract/messages.ts'
import type { Ctx } from '../core/ctx.ts'
import type { FrozenFacts } from '../core/db/schema-money.ts'
import { type MessageFacts, noValues } from '../documents/document-messages.service.ts'
import { defaultTheme } from '../themes/dressing.service.ts'
import { composeWords } from './compose.ts'
import { frozenFacts } from './facts.ts'
import { withLogos } from './logos.ts'
import { recordFields } from './template-fields.ts'
import {
  activeTemplate,
  type ChosenTemplate,
  fillTemplateVersion,
  templateByGuid,
  valuesWith,
} from './templates.service.ts'

/** What a template says of a record, filled in at once. */
export interface FilledWords {
  subject: string
  facts: Required<Pick<FrozenFacts, 'words' | 'language'>>
}

/** The templates of a kind that are in use, the one by default first. */
export const templatesOf = (ctx: Pick<Ctx, 'db'>, businessGuid: string, kind: TemplateKind) =>
  ctx.db
    .selectFrom('templates')
    .select(['guid', 'name', 'isDefault'])
    .where('businessGuid', '=', businessGuid)
    .where('kind', '=', kind)
    .where('status', '=', 'active')
    .where('category', '=', 'transactional')
    .orderBy('isDefault', 'desc')
    .orderBy('name')
    .orderBy('guid')
    .execute()

/** Fills in the template somebody chose for an invoice, or the one by default. Throws where it cannot be filled. */
export async function fillChosen(
  ctx: Pick<Ctx, 'db' | 'deps'>,
  about: MessageFacts,
  guid: string,
  templateGuid: string | null,
): Promise<FilledWords> {
  const kind = 'invoice'
  const { businessGuid, language, link } = about
  const chosen: ChosenTemplate | null = templateGuid
    ? await templateByGuid(ctx.db, businessGuid, templateGuid, language)
    : await activeTemplate(ctx.db, businessGuid, kind, language)
  if (!chosen) throw conflict('This template is not in use. Choose another.')
  const fields = await recordFields(ctx, { businessGuid, kind, record: 'invoice', guid })
  const values = valuesWith({ ...noValues(), ...frozenFacts(about).values, link: link ?? '' }, fields)
  const { subject, ...words } = fillTemplateVersion(chosen, kind, values, {
    language: chosen.language,
    timeZone: 'UTC',
  })
  return { subject, facts: { words, language: chosen.language } }
}

/** A message with these words as its reader is going to see it; nothing is kept. */
export async function previewFilled(
  ctx: Ctx,
  about: MessageFacts,
  { guid, kind, filled }: { guid: string; kind: TemplateKind; filled: FilledWords },
) {
  const { businessGuid } = about
  const themeVersion = await defaultTheme(ctx.db, businessGuid)
  const facts = { ...frozenFacts(about), ...filled.facts }
  const { bodyHtml } = await composeWords(ctx, {
    guid,
    businessGuid,
    template: kind,
    subject: filled.subject,
    facts,
    themeVersion,
  })
  return withLogos(ctx.deps.files, bodyHtml, themeVersion)
}
