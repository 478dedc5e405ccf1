import { type FieldError, refuseFields } from '../../contract/core/errors.ts'
import type { Permission, RuleInput } from '../../contract/roles.ts'
import type { Ctx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { isSubject } from './catalogue.ts'

type Sent = RuleInput & { guid?: string | undefined }

/**
 * A subject nothing asks for would be a rule without meaning; what an older version of the
 * product knew may stay as it is.
 */
export function checkRules(rules: readonly Sent[], before: readonly Permission[]): void {
  const known = new Map(before.map((rule) => [rule.guid, rule]))
  const seen = new Set<string>()
  const fields = rules.flatMap((rule, i): FieldError[] => {
    const old = rule.guid === undefined ? undefined : known.get(rule.guid)
    if (rule.guid !== undefined && (!old || seen.has(rule.guid)))
      return [{ path: `permissions.${i}.guid`, message: 'Choose one of this role’s rules.' }]
    if (rule.guid !== undefined) seen.add(rule.guid)
    return isSubject(rule.subject) || old?.subject === rule.subject
      ? []
      : [
          {
            path: rules.length === 1 && before.length === 0 ? 'subject' : `permissions.${i}.subject`,
            message: 'Choose a permission from the list.',
          },
        ]
  })
  refuseFields(fields)
}

const valuesOf = ({
  subject,
  action,
  conditions,
  enabled,
  priority,
  inverted,
  apiGuidRequired,
  authorizationHeaderRequired,
  note,
}: RuleInput) => ({
  subject,
  action,
  conditions: JSON.stringify(conditions ?? {}),
  enabled,
  priority,
  inverted,
  apiGuidRequired,
  authorizationHeaderRequired,
  note,
})

export async function insertRules(ctx: Ctx, roleGuid: string, rules: readonly RuleInput[]): Promise<string[]> {
  // Rules of the same weight are listed by guid: in the order they were given.
  const guids = rules.map(newGuid).toSorted()
  const rows = rules.map((rule, i) => ({ guid: guids[i] ?? newGuid(), roleGuid, ...valuesOf(rule) }))
  if (rows.length > 0) await ctx.db.insertInto('permissions').values(rows).execute()
  return rows.map(({ guid }) => guid)
}

/** The rules of a role as they are sent: those that did not change are left alone. */
export async function saveRules(
  ctx: Ctx,
  roleGuid: string,
  rules: readonly Sent[],
  before: readonly Permission[],
): Promise<void> {
  const kept = new Map(rules.flatMap((rule) => (rule.guid === undefined ? [] : [[rule.guid, rule] as const])))
  const gone = before.filter((rule) => !kept.has(rule.guid)).map((rule) => rule.guid)
  if (gone.length > 0) await ctx.db.deleteFrom('permissions').where('guid', 'in', gone).execute()
  for (const old of before) {
    const rule = kept.get(old.guid)
    if (!rule || JSON.stringify(valuesOf(rule)) === JSON.stringify(valuesOf(old))) continue
    await ctx.db
      .updateTable('permissions')
      .set({ ...valuesOf(rule), version: old.version + 1, updatedAt: ctx.now })
      .where('guid', '=', old.guid)
      .execute()
  }
  await insertRules(
    ctx,
    roleGuid,
    rules.filter((rule) => rule.guid === undefined),
  )
}
