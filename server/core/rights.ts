import {
  buildAbility,
  can,
  conditionsFor,
  type Ability,
  type Conditions,
  type Facts,
  type RowAccess,
  type Rule,
} from '../../contract/core/ability.ts'
import type { Action } from '../../contract/core/op.ts'
import type { Db, Rights } from './ctx.ts'

/** How long the rules of visitors without a session may be old; everybody else's are asked for by version. */
const visitorsKeptMs = 5000
const maxRoles = 1000

const everyone = (subject: string, action: Action, conditions: Conditions | null = null): Rule => ({
  subject,
  action,
  conditions,
  enabled: true,
  priority: -1000,
  inverted: false,
  apiGuidRequired: false,
  authorizationHeaderRequired: false,
})

/** What needs no role: coming in, and one's own account. */
export const everyoneRules: readonly Rule[] = [
  everyone('Auth:Login', 'read'),
  everyone('Auth:Guest', 'read'),
  everyone('Auth:Renew', 'read'),
  everyone('Auth:Logout', 'read'),
  everyone('Auth:Permissions', 'read'),
  everyone('Account', 'manage', { isLoginRequired: true }),
  everyone('Search', 'read', { isLoginRequired: true }),
  everyone('Users:People', 'read', { isLoginRequired: true }),
  // Whoever may read or change a record has its files: each of them is asked for by its record.
  everyone('Files:Content', 'read', { guestAuthenticationRequired: true }),
  everyone('Files:Attachments', 'manage', { isLoginRequired: true }),
  everyone('Live', 'read', { guestAuthenticationRequired: true }),
]

export interface RightsCache {
  /** The rules of a role at a version that was read from the database just now. */
  of(db: Db, roleGuid: string, version: number): Promise<Rights>
  /** The rules of a visitor without a token: everyone's, and those of guests that ask for no credentials. */
  ofVisitors(db: Db): Promise<Rights & { roleGuid: string | null }>
  forget(): void
}

export function makeRights(): RightsCache {
  const roles = new Map<string, { version: number; rights: Rights }>()
  let visitors: { until: number; value: Promise<Rights & { roleGuid: string | null }> } | null = null
  const loadVisitors = async (db: Db) => {
    const role = await db
      .selectFrom('roles')
      .select('guid')
      .where('kind', '=', 'guest')
      .where('archivedAt', 'is', null)
      .executeTakeFirst()
    const rights = role ? await abilityOfRole(db, role.guid) : { rules: [], ability: buildAbility([], everyoneRules) }
    return { ...rights, roleGuid: role?.guid ?? null }
  }
  return {
    of: async (db, roleGuid, version) => {
      const known = roles.get(roleGuid)
      if (known?.version === version) return known.rights
      const rights = await abilityOfRole(db, roleGuid)
      if (roles.size >= maxRoles) roles.clear()
      roles.set(roleGuid, { version, rights })
      return rights
    },
    ofVisitors: (db) => {
      if (visitors && visitors.until > performance.now()) return visitors.value
      const value = loadVisitors(db)
      visitors = { until: performance.now() + visitorsKeptMs, value }
      value.catch(() => {
        visitors = null
      })
      return value
    },
    forget: () => {
      roles.clear()
      visitors = null
    },
  }
}

/** The rights of a role as they are now, for decisions about roles; callers' own come from the cache. */
export async function abilityOfRole(db: Db, roleGuid: string): Promise<Rights> {
  const rules = await loadRules(db, roleGuid)
  return { rules, ability: buildAbility(rules, everyoneRules) }
}

/**
 * The rules of a role as the evaluator takes them, in the order it breaks ties by.
 * Unreadable conditions stay: they deny.
 */
export async function loadRules(db: Db, roleGuid: string): Promise<Rule[]> {
  const rows = await db
    .selectFrom('permissions')
    .selectAll()
    .where('roleGuid', '=', roleGuid)
    .orderBy('priority')
    .orderBy('guid')
    .execute()
  return rows.map((row) => ({
    subject: row.subject,
    action: row.action,
    conditions: Object.keys(row.conditions).length > 0 ? (row.conditions as Conditions) : null,
    enabled: row.enabled,
    priority: row.priority,
    inverted: row.inverted,
    apiGuidRequired: row.apiGuidRequired,
    authorizationHeaderRequired: row.authorizationHeaderRequired,
  }))
}

const decisions = new WeakMap<Ability, Map<string, 'all' | 'none' | RowAccess[]>>()

/** `conditionsFor`, remembered per compiled role: the facts about a caller have few shapes. */
export function accessFor(
  ability: Ability,
  action: Action,
  subject: string,
  facts: Facts,
): 'all' | 'none' | RowAccess[] {
  let known = decisions.get(ability)
  if (!known) decisions.set(ability, (known = new Map()))
  const key = `${action} ${subject} ${facts.isUser} ${facts.isGuest} ${facts.hasApiGuid} ${facts.hasAuthorization}`
  const before = known.get(key)
  if (before) return before
  const access = can(ability, action, subject, facts) ? conditionsFor(ability, action, subject, facts) : 'none'
  known.set(key, access)
  return access
}
