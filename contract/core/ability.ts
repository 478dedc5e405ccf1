import { Ability as CaslAbility } from '@casl/ability'
import { z } from 'zod'
import type { Action } from './op.ts'

const list = z.string().min(1).max(60)

/**
 * The whole vocabulary of conditions. The first two are about the caller, the others about the record. A
 * rule applies when all of its conditions hold. `scope` own: the caller's own records; assigned: those he
 * is assigned to; all: no limit.
 */
export const conditionsSchema = z.strictObject({
  isLoginRequired: z.boolean().optional(),
  guestAuthenticationRequired: z.boolean().optional(),
  business: z.union([z.uuid(), z.array(z.uuid()).min(1).max(100)]).optional(),
  scope: z.enum(['own', 'assigned', 'all']).optional(),
  statusIn: z.array(list).min(1).max(50).optional(),
  amountBelowCents: z.int().min(0).max(1_000_000_000_000).optional(),
})
export type Conditions = z.output<typeof conditionsSchema>

export interface Rule {
  subject: string
  action: Action
  conditions: Conditions | null
  enabled: boolean
  priority: number
  /** Denies instead of allowing. */
  inverted: boolean
  apiGuidRequired: boolean
  authorizationHeaderRequired: boolean
}

/** What is known of one record when a rule's conditions about records are checked against it. */
export interface RowFacts {
  businessGuid?: string | null
  isOwn?: boolean
  isAssigned?: boolean
  status?: string
  amountCents?: number
}

/** What is known of the caller. Without `row` the question is whether the action is possible on any record at all. */
export interface Facts {
  isUser?: boolean
  isGuest?: boolean
  hasApiGuid?: boolean
  hasAuthorization?: boolean
  row?: RowFacts
}

interface Weighed {
  rule: Rule
  /** Position in the rules given; -1 for a rule of everyone. */
  index: number
}

interface RawRule {
  action: string
  subject: string
  inverted: boolean
}

export interface Ability {
  /** In the order of precedence, the weakest first. */
  ordered: readonly Weighed[]
  index: CaslAbility
  byRaw: ReadonlyMap<object, Weighed>
}

/** The text before the first colon. */
export const parentOf = (subject: string): string => subject.split(':', 1)[0] ?? subject

/**
 * Enabled rules by priority, a later one overriding an earlier one and a deny winning at equal priority.
 * `everyoneRules` are what every visitor may do; they come first.
 */
export function buildAbility(rules: readonly Rule[], everyoneRules: readonly Rule[] = []): Ability {
  const own = rules.map((rule, index) => ({ rule, index }))
  const everyone = everyoneRules.map((rule) => ({ rule, index: -1 }))
  const ordered = [
    ...everyone,
    ...own.toSorted((a, b) => a.rule.priority - b.rule.priority || Number(denies(a.rule)) - Number(denies(b.rule))),
  ].filter(({ rule }) => rule.enabled)
  const byRaw = new Map<object, Weighed>()
  const raws = ordered.map((entry): RawRule => {
    const raw = { action: entry.rule.action, subject: entry.rule.subject, inverted: denies(entry.rule) }
    byRaw.set(raw, entry)
    return raw
  })
  return { ordered, index: new CaslAbility(raws), byRaw }
}

/** Conditions outside the vocabulary are never guessed at: a rule that carries them denies whatever it names. */
const readable = new WeakMap<object, boolean>()
function isReadable(conditions: Conditions | null): boolean {
  if (conditions === null || conditions === undefined) return true
  if (typeof conditions !== 'object') return false
  const known = readable.get(conditions)
  if (known !== undefined) return known
  const result = conditionsSchema.safeParse(conditions).success
  readable.set(conditions, result)
  return result
}

const denies = (rule: Rule): boolean => rule.inverted || !isReadable(rule.conditions)

/** Why a rule has a say or none: phrase keys. */
export const ruleReasons = [
  'applies',
  'applies_to_some',
  'applies_to_record',
  'conditions_unknown',
  'disabled',
  'other_action',
  'other_subject',
  'needs_login',
  'needs_credentials',
  'needs_api_guid',
  'needs_authorization',
  'denies_some_only',
  'conditions_do_not_hold',
] as const
type RuleReason = (typeof ruleReasons)[number]

type Truth = 'yes' | 'no' | 'unknown'
const truth = (value: boolean | undefined): Truth => (value === undefined ? 'unknown' : value ? 'yes' : 'no')

function callerHolds(rule: Rule, facts: Facts): { holds: Truth; why: RuleReason } {
  if (!isReadable(rule.conditions)) return { holds: 'yes', why: 'conditions_unknown' }
  const { isUser, isGuest } = facts
  const hasToken = isUser || isGuest ? true : isUser === undefined || isGuest === undefined ? undefined : false
  const checks: [boolean, boolean | undefined, RuleReason][] = [
    [rule.conditions?.isLoginRequired === true, isUser, 'needs_login'],
    [rule.conditions?.guestAuthenticationRequired === true, hasToken, 'needs_credentials'],
    // Headers open a door that has been allowed; a deny does not wait for them.
    [rule.apiGuidRequired && !rule.inverted, facts.hasApiGuid ?? true, 'needs_api_guid'],
    [rule.authorizationHeaderRequired && !rule.inverted, facts.hasAuthorization ?? hasToken, 'needs_authorization'],
  ]
  const asked = checks.filter(([isAsked]) => isAsked).map(([, value, why]) => ({ holds: truth(value), why }))
  return (
    asked.find((c) => c.holds === 'no') ?? asked.find((c) => c.holds === 'unknown') ?? { holds: 'yes', why: 'applies' }
  )
}

const rowKeys = ['business', 'scope', 'statusIn', 'amountBelowCents'] as const
export type RowConditions = Pick<Conditions, (typeof rowKeys)[number]>

/** The conditions about records; empty when the rule holds for every record. */
function rowConditionsOf(conditions: Conditions | null): RowConditions {
  const rows: RowConditions = {}
  if (!conditions || !isReadable(conditions)) return rows
  if (conditions.business !== undefined) rows.business = conditions.business
  if (conditions.scope !== undefined && conditions.scope !== 'all') rows.scope = conditions.scope
  if (conditions.statusIn !== undefined) rows.statusIn = conditions.statusIn
  if (conditions.amountBelowCents !== undefined) rows.amountBelowCents = conditions.amountBelowCents
  return rows
}

const isEmpty = (conditions: RowConditions) => Object.keys(conditions).length === 0

function rowHolds(conditions: RowConditions, row: RowFacts): Truth {
  const businesses = conditions.business === undefined ? undefined : [conditions.business].flat()
  const checks: Truth[] = []
  if (businesses)
    checks.push(
      row.businessGuid === undefined
        ? 'unknown'
        : truth(row.businessGuid !== null && businesses.includes(row.businessGuid)),
    )
  if (conditions.scope === 'own') checks.push(truth(row.isOwn))
  if (conditions.scope === 'assigned') checks.push(truth(row.isAssigned))
  if (conditions.statusIn)
    checks.push(row.status === undefined ? 'unknown' : truth(conditions.statusIn.includes(row.status)))
  if (conditions.amountBelowCents !== undefined)
    checks.push(row.amountCents === undefined ? 'unknown' : truth(row.amountCents < conditions.amountBelowCents))
  return checks.includes('no') ? 'no' : checks.includes('unknown') ? 'unknown' : 'yes'
}

/** Whether a rule has a say for this caller and record: an allow needs certainty, a deny only lacks a reason not to. */
function speaks(rule: Rule, facts: Facts): { applies: boolean; reason: RuleReason } {
  const caller = callerHolds(rule, facts)
  const needed: Truth[] = rule.inverted ? ['yes', 'unknown'] : ['yes']
  if (!needed.includes(caller.holds)) return { applies: false, reason: caller.why }
  const rows = rowConditionsOf(rule.conditions)
  if (isEmpty(rows)) return { applies: true, reason: isReadable(rule.conditions) ? 'applies' : caller.why }
  if (!facts.row)
    return rule.inverted ? { applies: false, reason: 'denies_some_only' } : { applies: true, reason: 'applies_to_some' }
  return needed.includes(rowHolds(rows, facts.row))
    ? { applies: true, reason: 'applies_to_record' }
    : { applies: false, reason: 'conditions_do_not_hold' }
}

/** The rules that name an action on a subject, the strongest first. */
const rulesFor = (ability: Ability, action: Action, subject: string): Weighed[] =>
  ability.index.rulesFor(action, subject).flatMap((r) => ability.byRaw.get(r.origin) ?? [])

/**
 * The rules that weigh on one right, each list the strongest first: those that name it, and
 * the two ways that may open it.
 */
function laddersOf(
  ability: Ability,
  action: Action,
  subject: string,
): { named: Weighed[]; full: Weighed[]; parent: Weighed[] | null } {
  const full = rulesFor(ability, action, subject)
  const parent = parentOf(subject)
  return {
    named: full.filter(({ rule }) => rule.subject === subject),
    full,
    parent: parent === subject ? null : rulesFor(ability, action, parent),
  }
}

interface Decision {
  allowed: boolean
  rule: Rule | null
  /** Position in the rules given; -1 for a rule of everyone, null when no rule decides. */
  index: number | null
}

/** The strongest rule that applies, or none. */
function decideOn(ladder: readonly Weighed[], facts: Facts): Decision {
  const found = ladder.find(({ rule }) => speaks(rule, facts).applies)
  return found
    ? { allowed: !denies(found.rule), rule: found.rule, index: found.index }
    : { allowed: false, rule: null, index: null }
}

/**
 * The answer and the rule it rests on: `can` with a reason. A deny that names the full subject is explicit: only a
 * stronger rule that names the same subject lifts it, never one on the parent or on `all`, whatever its priority, so
 * it holds for super users, too.
 */
export function decide(ability: Ability, action: Action, subject: string, facts: Facts = {}): Decision {
  const { named, full, parent } = laddersOf(ability, action, subject)
  const explicit = decideOn(named, facts)
  if (explicit.rule && !explicit.allowed) return explicit
  const onFull = decideOn(full, facts)
  if (onFull.allowed || !parent) return onFull
  const onParent = decideOn(parent, facts)
  return onParent.allowed || onFull.rule === null ? onParent : onFull
}

/**
 * The action on the parent subject or on the full subject is permitted, unless a deny naming the full subject decides
 * for it. Facts that are not given count against the caller.
 */
export const can = (ability: Ability, action: Action, subject: string, facts: Facts = {}): boolean =>
  decide(ability, action, subject, facts).allowed

/** Manage on all. An explicit deny holds for super users too; nothing asks this instead of `can`. */
export const isSuper = (ability: Ability, facts: Facts = { isUser: true }): boolean =>
  conditionsFor(ability, 'manage', 'all', facts) === 'all'

interface TraceLine {
  rule: Rule
  /** Position in the rules given; -1 for a rule of everyone. */
  index: number
  matched: boolean
  effect: 'allow' | 'deny'
  reason: RuleReason
  decides: boolean
}
export interface Explanation {
  allowed: boolean
  /** One line per rule in the order they are weighed, the weakest first; disabled ones stand where they would. */
  trace: TraceLine[]
  /** Index of the rule that decides; null when none does (and nothing is allowed). */
  decidedBy: number | null
}

/** Why an action is allowed or not: for the access-control page. */
export function explain(
  rules: readonly Rule[],
  action: Action,
  subject: string,
  facts: Facts = {},
  everyoneRules: readonly Rule[] = [],
): Explanation {
  const decision = decide(buildAbility(rules, everyoneRules), action, subject, facts)
  const weighed = buildAbility(
    rules.map((rule) => ({ ...rule, enabled: true })),
    everyoneRules,
  ).ordered
  const trace = weighed.map(({ rule: shown, index }): TraceLine => {
    const rule = rules[index] ?? shown
    const effect = denies(rule) ? 'deny' : 'allow'
    const not = (reason: RuleReason): TraceLine => ({ rule, index, matched: false, effect, reason, decides: false })
    if (rule.action !== action && rule.action !== 'manage') return not('other_action')
    if (![subject, parentOf(subject), 'all'].includes(rule.subject)) return not('other_subject')
    if (!rule.enabled) return not('disabled')
    const { applies, reason } = speaks(rule, facts)
    return applies ? { rule, index, matched: true, effect, reason, decides: rule === decision.rule } : not(reason)
  })
  return { allowed: decision.allowed, trace, decidedBy: decision.index }
}

/** What a rule says of the records that meet its conditions. */
export interface RowRule {
  allows: boolean
  when: RowConditions
}

/**
 * The records that rules let through. In each list the first rule that holds for a record decides. `named` closes
 * where that is a deny and is silent otherwise; of the others, one that allows is enough. As long as the rules are
 * many: nothing is multiplied out.
 */
export interface RowAccess {
  named: readonly RowRule[]
  ways: readonly (readonly RowRule[])[]
}

/** The rules that weigh for this caller, up to the first that holds for every record. */
function rowRules(ladder: readonly Weighed[], facts: Facts): RowRule[] {
  const found: RowRule[] = []
  for (const { rule } of ladder) {
    const { holds } = callerHolds(rule, facts)
    const allows = !denies(rule)
    if (holds === 'no' || (allows && holds === 'unknown')) continue
    const when = rowConditionsOf(rule.conditions)
    found.push({ allows, when })
    if (isEmpty(when)) break
  }
  return found
}

/**
 * Without the rules that never decide: those under a stronger rule with the same conditions, and last what holds
 * anyhow. A deny stays under an allow: it also holds for a record of which it is not known whether it meets them.
 */
function withoutIdle(rules: readonly RowRule[], otherwise: 'allowed' | 'denied'): RowRule[] {
  const strongest = new Map<string, { isDenied: boolean }>()
  const distinct = rules.filter(({ allows, when }) => {
    const conditions = JSON.stringify(when)
    const stronger = strongest.get(conditions)
    if (stronger && (allows || stronger.isDenied)) return false
    strongest.set(conditions, { isDenied: !allows })
    return true
  })
  return distinct.slice(0, distinct.findLastIndex(({ allows }) => allows !== (otherwise === 'allowed')) + 1)
}

/**
 * The records on which an action is allowed: all, none, or those that any entry of the list lets through.
 * It agrees with `can` on every single record.
 */
export function conditionsFor(
  ability: Ability,
  action: Action,
  subject: string,
  facts: Facts = {},
): RowAccess[] | 'all' | 'none' {
  const ladders = laddersOf(ability, action, subject)
  const named = rowRules(ladders.named, facts)
  const ways = [ladders.full, ladders.parent ?? []].map((ladder) => rowRules(ladder, facts))
  const isClosed = named.every(({ allows }) => !allows) && named.some(({ when }) => isEmpty(when))
  const open = ways.filter((way) => way.some(({ allows }) => allows))
  if (isClosed || open.length === 0) return 'none'
  const cuts = withoutIdle(named, 'allowed')
  const isAll = cuts.length === 0 && open.some(([first]) => first !== undefined && first.allows && isEmpty(first.when))
  return isAll ? 'all' : [{ named: cuts, ways: open.map((way) => withoutIdle(way, 'denied')) }]
}

/** Of the rules on records, the first that holds; where it is not known, an allow does not hold and a deny does. */
const decidingFor = (rules: readonly RowRule[], row: RowFacts): RowRule | undefined =>
  rules.find(
    ({ allows, when }) => isEmpty(when) || (allows ? rowHolds(when, row) === 'yes' : rowHolds(when, row) !== 'no'),
  )

/**
 * Whether one record passes a row filter made by `conditionsFor`. What is not known of the record counts against it.
 */
export function rowAllowed(access: RowAccess[] | 'all' | 'none', row: RowFacts): boolean {
  if (typeof access === 'string') return access === 'all'
  return access.some(
    ({ named, ways }) => decidingFor(named, row)?.allows !== false && ways.some((way) => decidingFor(way, row)?.allows),
  )
}
