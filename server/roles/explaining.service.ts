import { sql } from 'kysely'
import { catalogue } from '../../contract/api.ts'
import type { authApi } from '../../contract/auth.ts'
import {
  buildAbility,
  type Conditions,
  explain as explainRules,
  type Facts,
  isSuper,
  parentOf,
  type Rule,
} from '../../contract/core/ability.ts'
import type { Input } from '../../contract/core/op.ts'
import type { Explanation } from '../../contract/explain.ts'
import type { Ctx, Db, Handlers } from '../core/ctx.ts'
import { accessFor, everyoneRules } from '../core/rights.ts'

type Api = Handlers<typeof authApi>
type Question = Input<(typeof authApi)['explain']>
interface KnownRule extends Rule {
  guid: string
  note: string
}

export interface Asked {
  who: Explanation['who']
  rules: readonly KnownRule[]
  facts: Facts
}

const allFacts = { hasApiGuid: true, hasAuthorization: true }
export const userFacts: Facts = { isUser: true, isGuest: false, ...allFacts }
export const guestFacts: Facts = { isUser: false, isGuest: true, ...allFacts }
const visitorFacts: Facts = { isUser: false, isGuest: false, hasApiGuid: true, hasAuthorization: false }

/** The rules of a role with what a reader wants to know of each. */
export const rulesWithNotes = (db: Db, roleGuid: string): Promise<KnownRule[]> =>
  db
    .selectFrom('permissions')
    .select([
      'guid',
      'note',
      'subject',
      'action',
      'enabled',
      'priority',
      'inverted',
      'apiGuidRequired',
      'authorizationHeaderRequired',
      sql<Conditions | null>`nullif(conditions, '{}')`.as('conditions'),
    ])
    .where('roleGuid', '=', roleGuid)
    .orderBy('priority')
    .orderBy('guid')
    .execute()

/** What is known of the record the question is about; nothing when it is about none. */
function rowOf({ isOwn, isAssigned, status, amountCents }: Question): Facts['row'] {
  if (isOwn === undefined && isAssigned === undefined && status === undefined && amountCents === undefined)
    return undefined
  return {
    ...(isOwn === undefined ? {} : { isOwn: isOwn === 'true' }),
    ...(isAssigned === undefined ? {} : { isAssigned: isAssigned === 'true' }),
    ...(status === undefined ? {} : { status }),
    ...(amountCents === undefined ? {} : { amountCents }),
  }
}

/** The ordered rules that concern a question and the one that decided it. */
export function explanationOf({ who, rules, facts }: Asked, question: Question): Explanation {
  const { action, subject } = question
  const row = rowOf(question)
  const ability = buildAbility(rules, everyoneRules)
  const told = explainRules(rules, action, subject, row ? { ...facts, row } : facts, everyoneRules)
  const weighed = told.trace.filter(({ reason }) => reason !== 'other_action' && reason !== 'other_subject')
  const access = accessFor(ability, action, subject, facts)
  return {
    action,
    subject,
    parent: parentOf(subject),
    who,
    allowed: told.allowed,
    access: typeof access === 'string' ? access : 'some',
    isSuper: isSuper(ability, facts),
    steps: weighed.map(({ rule, index, effect, matched, reason, decides }) => {
      const known = rules[index]
      return {
        rule: { ...rule, guid: known?.guid ?? null, note: known?.note ?? '' },
        source: index < 0 ? ('everyone' as const) : ('role' as const),
        effect,
        matched,
        reason,
        decides,
      }
    }),
    others: told.trace.filter(({ index }) => index >= 0).length - weighed.filter(({ index }) => index >= 0).length,
  }
}

/** The caller himself, with the role he tries in place of his own. */
async function self({ db, actor, deps }: Ctx): Promise<Asked> {
  if (actor.kind === 'user' || actor.kind === 'guest') {
    const trying = actor.kind === 'user' ? (actor.standing?.trying ?? null) : null
    const roleGuid = trying?.guid ?? actor.roleGuid
    const role = await db.selectFrom('roles').select('name').where('guid', '=', roleGuid).executeTakeFirst()
    const isUser = actor.kind === 'user'
    return {
      who: { kind: actor.kind, name: isUser ? actor.name : '', roleGuid, roleName: role?.name ?? '' },
      rules: await rulesWithNotes(db, roleGuid),
      facts: isUser ? userFacts : guestFacts,
    }
  }
  const { roleGuid } = await deps.rights.ofVisitors(db)
  return {
    who: { kind: 'visitor', name: '', roleGuid: null, roleName: '' },
    rules: roleGuid ? await rulesWithNotes(db, roleGuid) : [],
    facts: visitorFacts,
  }
}

export const explain: Api['explain'] = async (ctx, question) => ({
  explanation: explanationOf(await self(ctx), question),
})

export const mayAll: Api['mayAll'] = async (ctx) => {
  const { rules, facts } = await self(ctx)
  const ability = buildAbility(rules, everyoneRules)
  return {
    items: catalogue.map(({ subject, action }) => {
      const access = accessFor(ability, action, subject, facts)
      return { subject, action, access: typeof access === 'string' ? access : ('some' as const) }
    }),
  }
}
