import { notFound } from '../../contract/core/errors.ts'
import type { Language } from '../../contract/core/languages.ts'
import { sampleFields, sampleWords } from '../../contract/template-kinds.ts'
import type { BusinessRow } from '../core/business.ts'
import type { Ctx } from '../core/ctx.ts'
import type { FrozenFacts } from '../core/db/schema-money.ts'
import { messageVariables } from '../documents/document-messages.service.ts'
import type { DocumentKind } from '../documents/documents.service.ts'
import type { ThemeVersionRow } from '../themes/dressing.service.ts'
import { composeWords } from './compose.ts'
import { withLogos } from './logos.ts'
import { isVisibleOwner } from './messages.queries.ts'
import { activeTemplate, fillLine, valuesWith } from './templates.service.ts'

interface Asked {
  business: BusinessRow
  version: ThemeVersionRow
  language: Language
  recordGuid: string | undefined
}

const documentKinds = ['quote', 'order', 'invoice'] as const

/** The document of a business that a preview is about, among those the caller reads. */
export async function previewedDocument(
  ctx: Ctx,
  businessGuid: string,
  guid: string,
): Promise<{ kind: DocumentKind; guid: string }> {
  for (const kind of documentKinds)
    if (await isVisibleOwner(ctx, kind, guid)) {
      const about = await messageVariables(ctx, kind, kind, guid)
      if (about.businessGuid === businessGuid) return { kind, guid }
    }
  throw notFound()
}

/** A mail of a business in a version of a theme: about a document, or about an example. Nothing is kept. */
export async function sampleMail(
  ctx: Ctx,
  { business, version, language, recordGuid }: Asked,
): Promise<{ html: string; text: string; subject: string }> {
  const found = recordGuid ? await previewedDocument(ctx, business.guid, recordGuid) : null
  const kind = found?.kind ?? 'invoice'
  const name = business.tradingName ?? business.legalName
  const { primaryColour, legalName, abn, email, phone, website, address } = business
  const about = found ? await messageVariables(ctx, kind, kind, found.guid) : null
  const facts: FrozenFacts = {
    language,
    values: about?.variables ?? { ...sampleWords, business: name },
    ...(about ? {} : { fields: sampleFields }),
    business: {
      ...{ name, primaryColour, legalName, abn, email, phone, website, address },
      ...(business.parentGuid === null ? {} : { isBrand: true }),
    },
    link: about?.link ?? sampleFields.link,
  }
  const template = await activeTemplate(ctx.db, business.guid, kind, language)
  const values = valuesWith({ ...facts.values, link: facts.link ?? '' }, facts.fields ?? {})
  const subject = fillLine(template.subject, kind, values, { language: template.language, timeZone: 'UTC' })
  const said = {
    guid: version.guid,
    businessGuid: business.guid,
    template: kind,
    subject,
    facts,
    themeVersion: version,
  }
  const { bodyHtml, bodyText } = await composeWords(ctx, said)
  return { html: await withLogos(ctx.deps.files, bodyHtml, version), text: bodyText, subject }
}
