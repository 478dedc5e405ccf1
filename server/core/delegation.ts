import {
  type Ability,
  buildAbility,
  can,
  conditionsFor,
  type Conditions,
  type Facts,
  parentOf,
  type RowAccess,
  type RowConditions,
  type RowRule,
  type Rule,
} from '../../contract/core/ability.ts'
import type { Action } from '../../contract/core/op.ts'

interface Right {
  action: Action
  subject: string
}

const staff: Facts = { isUser: true, isGuest: false, hasApiGuid: true, hasAuthorization: true }
const guest: Facts = { isUser: false, isGuest: true, hasApiGuid: true, hasAuthorization: true }

/** Every right the code knows; the application says so once, because core knows no nouns. */
let known: readonly Right[] = []
export const knowRights = (rights: readonly Right[]) => {
  known = rights
}

const asList = <T>(value: T | T[] | undefined): T[] => (value === undefined ? [] : ([value].flat() as T[]))
const isSubset = (inner: readonly string[], outer: readonly string[]) => inner.every((v) => outer.includes(v))

/** Whether every record that meets `narrow` meets `wide` too. */
function implies(narrow: RowConditions, wide: RowConditions): boolean {
  if (
    wide.business !== undefined &&
    (narrow.business === undefined || !isSubset(asList<string>(narrow.business), asList<string>(wide.business)))
  )
    return false
  if (wide.scope !== undefined && narrow.scope !== wide.scope) return false
  if (wide.statusIn && !(narrow.statusIn && isSubset(narrow.statusIn, wide.statusIn))) return false
  return (
    wide.amountBelowCents === undefined ||
    (narrow.amountBelowCents !== undefined && narrow.amountBelowCents <= wide.amountBelowCents)
  )
}

const isEmpty = (conditions: RowConditions) => Object.keys(conditions).length === 0

/** Whether no record can meet both. */
const excludes = (a: RowConditions, b: RowConditions) =>
  Boolean(a.statusIn && b.statusIn && !a.statusIn.some((s) => b.statusIn?.includes(s))) ||
  (a.business !== undefined &&
    b.business !== undefined &&
    !asList<string>(a.business).some((g) => asList<string>(b.business).includes(g)))

/** Records that meet all of `when` and none of `unless`. */
interface Entry {
  when: RowConditions[]
  unless: RowConditions[]
}
/** More rules on records than this are not multiplied out: what cannot be compared is not granted. */
const maxCompared = 40

/** Each allow with the stronger denies that cut into it, and with those that name the subject. */
function entriesOf({ named, ways }: RowAccess): Entry[] {
  const deniesOf = (rules: readonly RowRule[]) => rules.flatMap(({ allows, when }) => (allows ? [] : [when]))
  const lifted = named.flatMap(({ allows, when }, i) =>
    allows ? [{ when: [when], unless: deniesOf(named.slice(0, i)) }] : [],
  )
  const open: Entry[] = [{ when: [], unless: deniesOf(named) }, ...lifted]
  return ways.flatMap((way) =>
    way.flatMap(({ allows, when }, i) => {
      if (!allows) return []
      const unless = deniesOf(way.slice(0, i))
      return open.map((entry) => ({ when: [when, ...entry.when], unless: [...unless, ...entry.unless] }))
    }),
  )
}

/** Whether an entry of a row filter lets through nothing that another filter keeps back. */
const covers = (mine: readonly Entry[], theirs: Entry) => {
  const isMet = (wide: RowConditions) => isEmpty(wide) || theirs.when.some((narrow) => implies(narrow, wide))
  const isOut = (cut: RowConditions) =>
    theirs.when.some((narrow) => excludes(narrow, cut)) || theirs.unless.some((theirCut) => implies(cut, theirCut))
  return mine.some((own) => own.when.every(isMet) && own.unless.every(isOut))
}

const isComparable = (access: readonly RowAccess[]) =>
  access.every(({ named, ways }) => [named, ...ways].flat().length <= maxCompared)

const reachesNoFurther = (theirs: RowAccess[] | 'all' | 'none', mine: RowAccess[] | 'all' | 'none') => {
  if (theirs === 'none' || mine === 'all') return true
  if (theirs === 'all' || mine === 'none' || !isComparable(theirs) || !isComparable(mine)) return false
  const own = mine.flatMap(entriesOf)
  return theirs.flatMap(entriesOf).every((entry) => covers(own, entry))
}

const accessOf = (ability: Ability, { action, subject }: Right, facts: Facts) =>
  can(ability, action, subject, facts) ? conditionsFor(ability, action, subject, facts) : 'none'

/** What a rule alone would let through, for somebody who meets what it asks of callers. */
function reachOf(rule: Rule): RowAccess[] | 'all' | 'none' {
  const {
    isLoginRequired: _login,
    guestAuthenticationRequired: _guest,
    ...rows
  } = (rule.conditions ?? {}) as Conditions
  const bare: Rule = {
    ...rule,
    conditions: Object.keys(rows).length > 0 ? rows : null,
    enabled: true,
    inverted: false,
    apiGuidRequired: false,
    authorizationHeaderRequired: false,
  }
  return accessOf(buildAbility([bare]), rule, staff)
}

const decided = new WeakMap<Ability, WeakMap<Ability, Right | null>>()

/**
 * A right that a role has and the giver lacks, or null when there is none: nobody grants what he lacks, be it by
 * a condition he is under or by a deny he is under. Each rule must be his to give, and the role as a whole may
 * reach no further than he does.
 */
export function missingRight(
  giver: Ability,
  role: Ability,
  rules: readonly Rule[],
  kind: 'staff' | 'guest' = 'staff',
): Right | null {
  const before = decided.get(giver)?.get(role)
  if (before !== undefined) return before
  const facts = kind === 'guest' ? guest : staff
  const allows = rules.filter((rule) => rule.enabled && !rule.inverted)
  const missing =
    allows.find((rule) => !reachesNoFurther(reachOf(rule), accessOf(giver, rule, staff))) ??
    known
      .filter((right) => isTouched(allows, right))
      .find((right) => !reachesNoFurther(accessOf(role, right, facts), accessOf(giver, right, staff))) ??
    null
  const answer = missing && { action: missing.action, subject: missing.subject }
  if (!decided.has(giver)) decided.set(giver, new WeakMap())
  decided.get(giver)?.set(role, answer)
  return answer
}

const isTouched = (rules: readonly Rule[], { action, subject }: Right) =>
  rules.some(
    (rule) =>
      (rule.action === action || rule.action === 'manage') &&
      ['all', subject, parentOf(subject)].includes(rule.subject),
  )
