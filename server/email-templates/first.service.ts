import { languages } from '../../contract/core/languages.ts'
import { templateKinds } from '../../contract/messages.ts'
import { templateKindFacts } from '../../contract/template-kinds.ts'
import type { Ctx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { firstTemplates } from '../messages/templates.service.ts'

/** Gives a new business its first templates, one for each occasion, in use. */
export async function seedTemplates(ctx: Pick<Ctx, 'db' | 'now'>, businessGuid: string): Promise<void> {
  const made = templateKinds.map((kind) => ({ kind, guid: newGuid(), versionGuid: newGuid() }))
  await ctx.db
    .insertInto('templates')
    .values(
      made.map(({ kind, guid }) => {
        const { name, purpose } = templateKindFacts[kind]
        return { guid, businessGuid, kind, name, purpose }
      }),
    )
    .execute()
  await ctx.db
    .insertInto('templateVersions')
    .values(
      made.map(({ kind, guid, versionGuid }) => ({
        guid: versionGuid,
        templateGuid: guid,
        number: 1,
        languages: JSON.stringify(
          Object.fromEntries(languages.map((language) => [language, firstTemplates[language][kind]])),
        ),
        activatedAt: ctx.now,
      })),
    )
    .execute()
  await ctx.db
    .updateTable('templates as t')
    .from('templateVersions as v')
    .set((eb) => ({ activeVersionGuid: eb.ref('v.guid'), isDefault: true }))
    .whereRef('v.templateGuid', '=', 't.guid')
    .where('t.businessGuid', '=', businessGuid)
    .execute()
}
