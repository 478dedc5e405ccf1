import { Ability as CaslAbility } from '@casl/ability'
import { z } from 'zod'
import type { Action } from './op.ts'

const list = z.string().min(1).max(60)

/**
 * The whole vocabulary of conditions. The first two are about the caller, the others about the record. A rule applies when
 * all of its conditions hold. `scope` own: the caller's own records; assigned: those he is assigned to; all: no limit.
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

interface RawRule {
  action: string
  subject: string
  inverted: boolean
}

export interface Ability {
  /** In the order of precedence, the weakest first. */
  ordered: readonly { rule: Rule; index: number }[]
  index: CaslAbility
  byRaw: ReadonlyMap<object, { rule: Rule; index: number }>
}

/** The text before the first colon. */
export const parentOf = (subject: string): string => subject.split(':', 1)[0] ?? subject

/**
 * Enabled rules by priority, a later one overriding an earlier one and a deny winning at equal priority. `everyoneRules` are
 * what every visitor may do; they come first.
 */
export function buildAbility(rules: readonly Rule[], everyoneRules: readonly Rule[] = []): Ability {
  const own = rules.map((rule, index) => ({ rule, index }))
  const everyone = everyoneRules.map((rule) => ({ rule, index: -1 }))
  const ordered = [...everyone, ...own.toSorted((a, b) => a.rule.priority - b.rule.priority || Number(denies(a.rule)) - Number(denies(b.rule)))].filter(({ rule }) => rule.enabled)
  const byRaw = new Map<object, { rule: Rule; index: number }>()
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
export const ruleReasons = ['applies', 'applies_to_some', 'applies_to_record', 'conditions_unknown', 'disabled', 'other_action', 'other_subject', 'needs_login', 'needs_credentials', 'needs_api_guid', 'needs_authorization', 'denies_some_only', 'conditions_do_not_hold'] as const
export type RuleReason = (typeof ruleReasons)[number]

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
  return asked.find((c) => c.holds === 'no') ?? asked.find((c) => c.holds === 'unknown') ?? { holds: 'yes', why: 'applies' }
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
  if (businesses) checks.push(row.businessGuid === undefined ? 'unknown' : truth(row.businessGuid !== null && businesses.includes(row.businessGuid)))
  if (conditions.scope === 'own') checks.push(truth(row.isOwn))
  if (conditions.scope === 'assigned') checks.push(truth(row.isAssigned))
  if (conditions.statusIn) checks.push(row.status === undefined ? 'unknown' : truth(conditions.statusIn.includes(row.status)))
  if (conditions.amountBelowCents !== undefined) checks.push(row.amountCents === undefined ? 'unknown' : truth(row.amountCents < conditions.amountBelowCents))
  return checks.includes('no') ? 'no' : checks.includes('unknown') ? 'unknown' : 'yes'
}

/** Whether a rule has a say for this caller and record: an allow needs certainty, a deny only lacks a reason not to. */
function speaks(rule: Rule, facts: Facts): { applies: boolean; reason: RuleReason } {
  const caller = callerHolds(rule, facts)
  const needed: Truth[] = rule.inverted ? ['yes', 'unknown'] : ['yes']
  if (!needed.includes(caller.holds)) return { applies: false, reason: caller.why }
  const rows = rowConditionsOf(rule.conditions)
  if (isEmpty(rows)) return { applies: true, reason: isReadable(rule.conditions) ? 'applies' : caller.why }
  if (!facts.row) return rule.inverted ? { applies: false, reason: 'denies_some_only' } : { applies: true, reason: 'applies_to_some' }
  return needed.includes(rowHolds(rows, facts.row)) ? { applies: true, reason: 'applies_to_record' } : { applies: false, reason: 'conditions_do_not_hold' }
}

/** The rules that name an action on a subject, the strongest first. */
const rulesFor = (ability: Ability, action: Action, subject: string) => ability.index.rulesFor(action, subject).flatMap((r) => ability.byRaw.get(r.origin) ?? [])

interface Decision {
  allowed: boolean
  rule: Rule | null
  /** Position in the rules given; -1 for a rule of everyone, null when no rule decides. */
  index: number | null
}

/** The strongest rule that applies; of the denies no allow overrides, the one that names the subject itself speaks first. */
function decideOn(ability: Ability, action: Action, subject: string, facts: Facts): Decision {
  let decision: Decision = { allowed: false, rule: null, index: null }
  for (const { rule, index } of rulesFor(ability, action, subject)) {
    if (!speaks(rule, facts).applies) continue
    if (!denies(rule)) return decision.rule ? decision : { allowed: true, rule, index }
    if (rule.subject === subject) return { allowed: false, rule, index }
    if (!decision.rule) decision = { allowed: false, rule, index }
  }
  return decision
}

const isExplicitDeny = (decision: Decision, subject: string) => !decision.allowed && decision.rule?.subject === subject

/** The answer and the rule it rests on: `can` with a reason. */
export function decide(ability: Ability, action: Action, subject: string, facts: Facts = {}): Decision {
  const full = decideOn(ability, action, subject, facts)
  const parent = parentOf(subject)
  if (full.allowed || isExplicitDeny(full, subject) || parent === subject) return full
  const onParent = decideOn(ability, action, parent, facts)
  return onParent.allowed || full.rule === null ? onParent : full
}

/**
 * The action on the parent subject or on the full subject is permitted, unless a deny naming the full subject decides for it.
 * Facts that are not given count against the caller.
 */
export const can = (ability: Ability, action: Action, subject: string, facts: Facts = {}): boolean => decide(ability, action, subject, facts).allowed

/** Manage on all. An explicit deny holds for super users too; nothing asks this instead of `can`. */
export const isSuper = (ability: Ability, facts: Facts = { isUser: true }): boolean => conditionsFor(ability, 'manage', 'all', facts) === 'all'

export interface TraceLine {
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
export function explain(rules: readonly Rule[], action: Action, subject: string, facts: Facts = {}, everyoneRules: readonly Rule[] = []): Explanation {
  const decision = decide(buildAbility(rules, everyoneRules), action, subject, facts)
  const weighed = buildAbility(rules.map((rule) => ({ ...rule, enabled: true })), everyoneRules).ordered
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

/** Records that meet `when` and none of `unless` are allowed; an empty `when` is every record. */
export interface RowAccess {
  when: RowConditions
  unless: RowConditions[]
}

function onAnyRecord(facts: Facts): Facts {
  const { row: _row, ...caller } = facts
  return caller
}

/** Each allow with the stronger denies that cut into it, for one subject. */
function accessOn(ability: Ability, action: Action, subject: string, facts: Facts): RowAccess[] {
  const found: RowAccess[] = []
  const unless: RowConditions[] = []
  for (const { rule } of rulesFor(ability, action, subject)) {
    const rows = rowConditionsOf(rule.conditions)
    if (denies(rule)) {
      if (speaks(rule, onAnyRecord(facts)).applies) break
      if (callerHolds(rule, facts).holds !== 'no') unless.push(rows)
    } else if (callerHolds(rule, facts).holds === 'yes') {
      found.push({ when: rows, unless: [...unless] })
      if (isEmpty(rows)) break
    }
  }
  return found
}

/** Conditional denies that name the full subject: they cut into what the parent allows, too. */
function explicitDenies(ability: Ability, action: Action, subject: string, facts: Facts): RowConditions[] {
  const denied: RowConditions[] = []
  for (const { rule } of rulesFor(ability, action, subject)) {
    if (denies(rule) && rule.subject === subject && callerHolds(rule, facts).holds !== 'no') denied.push(rowConditionsOf(rule.conditions))
    if (!denies(rule) && isEmpty(rowConditionsOf(rule.conditions)) && callerHolds(rule, facts).holds === 'yes') break
  }
  return denied
}

/**
 * The records on which an action is allowed: all, none, or those that any entry of the list lets through.
 * It agrees with `can` on every single record.
 */
export function conditionsFor(ability: Ability, action: Action, subject: string, facts: Facts = {}): RowAccess[] | 'all' | 'none' {
  const parent = parentOf(subject)
  const found = accessOn(ability, action, subject, facts)
  if (parent !== subject && !isExplicitDeny(decideOn(ability, action, subject, onAnyRecord(facts)), subject)) {
    const cuts = explicitDenies(ability, action, subject, facts)
    for (const access of accessOn(ability, action, parent, facts)) found.push({ when: access.when, unless: [...access.unless, ...cuts] })
  }
  if (found.length === 0) return 'none'
  return found.some((a) => isEmpty(a.when) && a.unless.length === 0) ? 'all' : found
}

/** Whether one record passes a row filter made by `conditionsFor`. What is not known of the record counts against it. */
export function rowAllowed(access: RowAccess[] | 'all' | 'none', row: RowFacts): boolean {
  if (typeof access === 'string') return access === 'all'
  return access.some((a) => (isEmpty(a.when) || rowHolds(a.when, row) === 'yes') && a.unless.every((u) => rowHolds(u, row) === 'no'))
}
