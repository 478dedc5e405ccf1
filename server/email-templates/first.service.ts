import { sql } from 'kysely'
import { languages } from '../../contract/core/languages.ts'
import { type TemplateKind, templateKinds } from '../../contract/messages.ts'
import { templateKindFacts } from '../../contract/template-kinds.ts'
import type { Ctx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { firstTemplates, type LadderTemplate, ladderTemplates } from '../messages/templates.service.ts'

const ladderNames: Readonly<Record<LadderTemplate, string>> = {
  soon: 'Reminder before the due day',
  final: 'Final reminder',
}
/** The templates that the first ladder of reminders is made of. */
export type FirstReminders = Readonly<Record<LadderTemplate | 'late', string>>

const begin = (kind: TemplateKind, more: { name?: string; words?: object } = {}) => ({
  ...{ kind, guid: newGuid(), versionGuid: newGuid(), isDefault: more.words === undefined },
  name: more.name ?? templateKindFacts[kind].name,
  words: more.words ?? Object.fromEntries(languages.map((language) => [language, firstTemplates[language][kind]])),
})

/** Gives a new business its first templates in use: one for each occasion, and more for reminders. */
export async function seedTemplates(ctx: Pick<Ctx, 'db' | 'now'>, businessGuid: string): Promise<FirstReminders> {
  const soon = begin('reminder', { name: ladderNames.soon, words: ladderTemplates.soon })
  const final = begin('reminder', { name: ladderNames.final, words: ladderTemplates.final })
  const usual = templateKinds.map((kind) => begin(kind))
  const made = [...usual, soon, final]
  await ctx.db
    .insertInto('templates')
    .values(
      made.map(({ kind, guid, name }) => ({
        guid,
        businessGuid,
        kind,
        name,
        purpose: templateKindFacts[kind].purpose,
      })),
    )
    .execute()
  await ctx.db
    .insertInto('templateVersions')
    .values(
      made.map(({ guid, versionGuid, words }) => ({
        guid: versionGuid,
        templateGuid: guid,
        number: 1,
        languages: JSON.stringify(words),
        activatedAt: ctx.now,
      })),
    )
    .execute()
  const isUsual = sql<boolean>`t.guid = any(${usual.map(({ guid }) => guid)}::uuid[])`
  await ctx.db
    .updateTable('templates as t')
    .from('templateVersions as v')
    .set((eb) => ({ activeVersionGuid: eb.ref('v.guid'), isDefault: isUsual }))
    .whereRef('v.templateGuid', '=', 't.guid')
    .where('t.businessGuid', '=', businessGuid)
    .execute()
  const late = usual.find(({ kind }) => kind === 'reminder')?.guid ?? soon.guid
  return { soon: soon.guid, late, final: final.guid }
}
