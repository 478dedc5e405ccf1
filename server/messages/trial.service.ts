import { notFound } from '../../contract/core/errors.ts'
import type { Language } from '../../contract/core/languages.ts'
import { type TemplateProblem, type TemplateTexts } from '../../contract/email-templates.ts'
import type { TemplateKind } from '../../contract/messages.ts'
import { sampleFields, sampleWords, templateKindFacts } from '../../contract/template-kinds.ts'
import type { Ctx } from '../core/ctx.ts'
import type { FrozenFacts } from '../core/db/schema-money.ts'
import { newGuid } from '../core/guid.ts'
import {
  type From,
  type MessageFacts,
  messageVariables,
  moneyFacts,
  noValues,
  statementFacts,
} from '../documents/document-messages.service.ts'
import { defaultTheme } from '../themes/dressing.service.ts'
import { composeWords, type Words } from './compose.ts'
import { frozenFacts } from './facts.ts'
import { withLogos } from './logos.ts'
import { blanksOf } from './template-blanks.ts'
import { crossingProblem, isWhole, textProblems } from './template-check.ts'
import { recordFields } from './template-fields.ts'
import { fillTemplateVersion, filledAsIs, valuesWith } from './templates.service.ts'

export { versionProblems } from './template-check.ts'
export { recordFields, recordTables } from './template-fields.ts'

interface Wanted {
  businessGuid: string
  kind: TemplateKind
  /** None: a made-up record. */
  recordGuid: string | null
  /** In these words; the customer's own where it is left out. */
  language?: Language
}

async function factsAbout(
  from: From,
  { businessGuid, kind, recordGuid }: Wanted & { recordGuid: string },
): Promise<MessageFacts> {
  const { record } = templateKindFacts[kind]
  if (record === 'customer') return moneyFacts(from, businessGuid, recordGuid, null)
  if (record !== 'statement') return messageVariables(from, kind, record, recordGuid)
  const sent = await from.db.selectFrom('statements').selectAll().where('guid', '=', recordGuid).executeTakeFirst()
  if (!sent) throw notFound()
  return statementFacts(from, sent)
}

/** What a template of a kind is filled from: everything a record says, or a made-up one. */
export async function trialFacts({ db, deps }: From, wanted: Wanted): Promise<FrozenFacts> {
  const { businessGuid, kind, recordGuid, language } = wanted
  const from: From = { db, deps, ...(language ? { language } : {}) }
  if (recordGuid !== null) {
    const { record } = templateKindFacts[kind]
    const facts = await factsAbout(from, { ...wanted, recordGuid })
    const fields = await recordFields(from, { businessGuid, kind, record, guid: recordGuid })
    return { ...frozenFacts(facts), fields }
  }
  const row = await db.selectFrom('businesses').selectAll().where('guid', '=', businessGuid).executeTakeFirstOrThrow()
  const name = row.tradingName ?? row.legalName
  const { phone, email, website, legalName, primaryColour, abn, address } = row
  return {
    language: language ?? 'en',
    values: { ...sampleWords, business: name },
    fields: { ...sampleFields, business: { name, legalName, phone, email, website } },
    business: { name, primaryColour, legalName, abn, email, phone, website, address },
    link: sampleFields.link,
  }
}

/** What a template names, of what is frozen. */
const trialValues = ({ values, fields, link }: FrozenFacts): Record<string, unknown> =>
  valuesWith(
    { ...noValues(), unsubscribe_link: sampleFields.unsubscribe_link, ...values, link: link ?? '' },
    fields ?? {},
  )

type Found = Omit<TemplateProblem, 'record' | 'language'>
interface Tried {
  said: TemplateTexts | null
  problems: Found[]
}
type Settings = { language: Language; timeZone: string }

/** What records have no value for, of a template that can be filled. */
export const triedBlanks = (
  kind: TemplateKind,
  texts: TemplateTexts,
  facts: FrozenFacts,
  settings: Settings,
): string[] => blanksOf(kind, texts, trialValues(facts), settings)

/** Fills a template, or says why that cannot be done. */
export function tryTexts(
  kind: TemplateKind,
  texts: TemplateTexts,
  facts: FrozenFacts,
  settings: Settings,
  isChecked = false,
): Tried {
  const found = isChecked ? [] : textProblems(kind, texts)
  if (found.length > 0) return { said: null, problems: found }
  const values = trialValues(facts)
  try {
    if (!isWhole(filledAsIs(texts.bodyHtml, kind, values, settings)))
      return { said: null, problems: [{ part: 'bodyHtml', line: 1, message: crossingProblem }] }
    return { said: fillTemplateVersion(texts, kind, values, settings), problems: [] }
  } catch {
    return {
      said: null,
      problems: [{ part: 'bodyHtml', line: 1, message: 'This template takes too long or is too large.' }],
    }
  }
}

interface Dressed extends Words {
  /** As it is looked at here: its pictures stand in it. */
  shown: string
  themeVersionGuid: string | null
}

/** The same as an email in its dress. */
export async function showTexts(
  ctx: Pick<Ctx, 'db' | 'deps'>,
  { businessGuid, kind }: Pick<Wanted, 'businessGuid' | 'kind'>,
  said: TemplateTexts,
  facts: FrozenFacts,
  { language, subject }: { language: Language; subject: string },
): Promise<Dressed> {
  const themeVersion = await defaultTheme(ctx.db, businessGuid)
  const message = {
    guid: newGuid(),
    businessGuid,
    template: kind,
    subject,
    facts: { ...facts, language, words: said },
    themeVersion,
  }
  const words = await composeWords(ctx, message)
  const shown = await withLogos(ctx.deps.files, words.bodyHtml, themeVersion)
  return { ...words, shown, themeVersionGuid: themeVersion?.guid ?? null }
}
