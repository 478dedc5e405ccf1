import type { Language } from '../../contract/core/languages.ts'
import { type FieldError, invalid } from '../../contract/core/errors.ts'
import type { MessageCategory, TemplateKind } from '../../contract/messages.ts'
import { templateKindFacts } from '../../contract/template-kinds.ts'
import type { Db } from '../core/ctx.ts'
import type { FrozenFacts, MessageSource } from '../core/db/schema-money.ts'
import { cleanBody, cleanFilled } from '../core/html/body.ts'
import { frozenFacts } from './facts.ts'
import { variableProblems } from './template-check.ts'
import { oneLine } from './templates.ts'
import { type ChosenTemplate, fillBodyHtml, fillLine, valuesWith } from './templates.service.ts'
import { unsubscribePlace } from './unsubscribing.ts'
import type { About } from './writing-about.ts'

/** What a message is written from: the words as they are edited, and the template that gives them variables. */
export interface Draft {
  source: MessageSource
  template: UsedTemplate | null
}
export interface UsedTemplate {
  versionGuid: string | null
  kind: TemplateKind
  category: 'transactional' | 'commercial'
  preheader: string
  button: string | null
}

/** A template is of use for a record where it is filled from such a record, or from its customer. */
export const fits = (kind: TemplateKind, { ownerType }: Pick<About, 'ownerType'>): boolean => {
  const { record } = templateKindFacts[kind]
  return record === ownerType || kind === 'general'
}

/** What a template that somebody chose gives a message besides its words. */
export const asUsed = (
  chosen: ChosenTemplate,
  { kind, category }: Pick<UsedTemplate, 'kind' | 'category'>,
): UsedTemplate => ({
  versionGuid: chosen.templateVersionGuid,
  kind,
  category,
  preheader: chosen.preheader,
  button: chosen.button || null,
})

/** Whether a message is an offer: its template is one, or whoever writes it says so. */
export const isOffer = (template: UsedTemplate | null, said: MessageCategory | null | undefined): boolean =>
  template?.category === 'commercial' || said === 'commercial'

/** The version that a message was written from, whatever its template says today. */
export async function usedTemplate(db: Db, guid: string | null, language: Language): Promise<UsedTemplate | null> {
  if (!guid) return null
  const row = await db
    .selectFrom('templateVersions as v')
    .innerJoin('templates as t', 't.guid', 'v.templateGuid')
    .select(['v.languages', 't.kind', 't.category'])
    .where('v.guid', '=', guid)
    .executeTakeFirst()
  if (!row) return null
  const texts = row.languages[language] ?? row.languages.en
  return {
    versionGuid: guid,
    kind: row.kind,
    category: row.category,
    preheader: texts?.preheader ?? '',
    button: texts?.button || null,
  }
}

const valuesOf = ({ facts: { variables, link }, fields = {} }: About) =>
  valuesWith({ ...variables, note: '', link: link ?? '', unsubscribe_link: unsubscribePlace }, fields)

/** The words of a template to write on from: the note is what is going to be written, so its place is an empty line. */
export const toWriteOn = (bodyHtml: string): string => bodyHtml.replaceAll(/\{\{\s*note\s*\}\}/g, '')

/** What is wrong with words that name variables. */
export function problemsOf({ source, template }: Draft): ReturnType<typeof variableProblems<'subject' | 'bodyHtml'>> {
  if (!template) return []
  return (['subject', 'bodyHtml'] as const).flatMap((part) => variableProblems(template.kind, part, source[part]))
}

export const variableErrors = (draft: Draft): FieldError[] =>
  problemsOf(draft).map(({ part, message }) => ({ path: part, message }))

/** Without a template braces are words like others. */
export const cleanSource = (html: string, hasTemplate: boolean): string =>
  hasTemplate ? cleanBody(html) : cleanFilled(html)

export interface FilledWords {
  subject: string
  facts: FrozenFacts
}

/** Fixes what a message says, with what is so now. Throws where its variables cannot be filled in. */
export function fillDraft({ source, template }: Draft, about: About): FilledWords {
  const facts = { ...frozenFacts(about.facts), language: source.language }
  if (!template)
    return {
      subject: oneLine(source.subject),
      facts: { ...facts, words: { preheader: '', bodyHtml: cleanFilled(source.bodyHtml), button: null } },
    }
  const settings = { language: source.language, timeZone: 'UTC' }
  const values = valuesOf(about)
  return {
    subject: fillLine(source.subject, template.kind, values, settings),
    facts: {
      ...facts,
      words: {
        preheader: fillLine(template.preheader, template.kind, values, settings),
        bodyHtml: fillBodyHtml(source.bodyHtml, template.kind, values, settings),
        button: template.button ? fillLine(template.button, template.kind, values, settings) : null,
      },
    },
  }
}

/** A template that breaks on this record alone is told where it was written. */
export function fillOrRefuse(draft: Draft, about: About): FilledWords {
  try {
    return fillDraft(draft, about)
  } catch (error) {
    throw invalid('bodyHtml', error instanceof Error ? error.message : 'We can’t read this. Check the braces.')
  }
}
