import { buildAbility, explain, parentOf, type Facts, type Rule } from '../../contract/core/ability.ts'
import type { Action } from '../../contract/core/op.ts'
import { actions } from '../../contract/explain.ts'
import type { CatalogueSubject, Permission, RuleInput } from '../../contract/roles.ts'
import { accessOf, everyones, type Verdict } from '../access/verdicts.ts'

/** A rule of the role while it is edited; `guid` is that of the rule it was. */
export interface Draft extends RuleInput {
  key: string
  guid?: string
}

export type CellState = 'none' | 'allow' | 'deny'

/** One cell of the matrix: the rules that name exactly this action on exactly this subject. */
export interface Cell {
  state: CellState | 'both'
  rules: Draft[]
  /** What all rules of the role together come to here. */
  access: Verdict['access']
  /** Something asks for this action on this subject. */
  isMeaningful: boolean
}

export interface MatrixRow {
  subject: string
  isParent: boolean
  cells: Record<Action, Cell>
}

export interface MatrixGroup {
  noun: string
  /** The noun as a whole; its rules hold for everything below it. */
  head: MatrixRow
  rows: MatrixRow[]
}

export const cellKey = (subject: string, action: string) => `${action} ${subject}`

export const draftsOf = (permissions: readonly Permission[]): Draft[] =>
  permissions.map(
    ({
      guid,
      subject,
      action,
      conditions,
      enabled,
      priority,
      inverted,
      apiGuidRequired,
      authorizationHeaderRequired,
      note,
    }) => ({
      key: guid,
      guid,
      subject,
      action,
      conditions,
      enabled,
      priority,
      inverted,
      apiGuidRequired,
      authorizationHeaderRequired,
      note,
    }),
  )

/** What the API takes: without the key of the screen. */
export const sentRules = (drafts: readonly Draft[]) => drafts.map(({ key: _key, ...rule }) => rule)

export const newRule = (subject: string, action: Action, kind: 'staff' | 'guest', inverted: boolean): Draft => ({
  key: crypto.randomUUID(),
  subject,
  action,
  conditions: kind === 'guest' ? { guestAuthenticationRequired: true } : null,
  enabled: true,
  priority: 0,
  inverted,
  apiGuidRequired: kind === 'guest',
  authorizationHeaderRequired: true,
  note: '',
})

export const rulesAt = (drafts: readonly Draft[], subject: string, action: Action) =>
  drafts.filter((rule) => rule.subject === subject && rule.action === action)

const stateOf = (rules: readonly Draft[]): Cell['state'] => {
  if (rules.length === 0) return 'none'
  const denials = rules.filter((rule) => rule.inverted).length
  return denials === 0 ? 'allow' : denials === rules.length ? 'deny' : 'both'
}

/**
 * Makes a cell allow, deny or say nothing. A rule that is there is turned around with all that is set on it; what is
 * taken away comes back from `taken` as it was.
 */
export function setCell(
  drafts: readonly Draft[],
  subject: string,
  action: Action,
  state: CellState,
  kind: 'staff' | 'guest',
  taken: readonly Draft[] = [],
): Draft[] {
  const here = rulesAt(drafts, subject, action)
  if (state === 'none') return drafts.filter((rule) => !here.includes(rule))
  const inverted = state === 'deny'
  if (here.length > 0) return drafts.map((rule) => (here.includes(rule) ? { ...rule, inverted } : rule))
  const before = rulesAt(taken, subject, action)
  if (before.length > 0) return [...drafts, ...before.map((rule) => ({ ...rule, inverted }))]
  return [...drafts, newRule(subject, action, kind, inverted)]
}

export const nextState = (state: Cell['state']): CellState =>
  state === 'none' ? 'allow' : state === 'allow' ? 'deny' : 'none'

/** The whole matrix: every subject the code knows or a rule names, by noun, `all` first. */
export function matrixOf(
  drafts: readonly Draft[],
  catalogue: readonly CatalogueSubject[],
  facts: Facts,
): MatrixGroup[] {
  const ability = buildAbility(drafts)
  const asked = new Map<string, Set<Action>>()
  const ask = (subject: string, action: Action) => asked.set(subject, (asked.get(subject) ?? new Set()).add(action))
  for (const action of actions) ask('all', action)
  for (const { subject, actions: known } of catalogue) {
    for (const { action } of known) {
      ask(subject, action)
      ask(parentOf(subject), action)
    }
    ask(subject, 'manage')
    ask(parentOf(subject), 'manage')
  }
  const byCell = Map.groupBy(drafts, (rule) => cellKey(rule.subject, rule.action))
  const rowOf = (subject: string): MatrixRow => {
    const cellOf = (action: Action): Cell => {
      const rules = byCell.get(cellKey(subject, action)) ?? []
      return {
        state: stateOf(rules),
        rules,
        access: accessOf(ability, action, subject, facts),
        isMeaningful: asked.get(subject)?.has(action) ?? false,
      }
    }
    return {
      subject,
      isParent: !subject.includes(':'),
      cells: {
        read: cellOf('read'),
        create: cellOf('create'),
        update: cellOf('update'),
        delete: cellOf('delete'),
        manage: cellOf('manage'),
      },
    }
  }
  const subjects = [...new Set([...asked.keys(), ...drafts.map((rule) => rule.subject)])]
  const nouns = [...new Set(subjects.map(parentOf))]
  const weight = (noun: string) => (noun === 'all' ? 0 : everyones.has(noun) ? 2 : 1)
  return nouns
    .toSorted((a, b) => weight(a) - weight(b) || a.localeCompare(b))
    .map((noun) => ({
      noun,
      head: rowOf(noun),
      rows: subjects
        .filter((subject) => subject !== noun && parentOf(subject) === noun)
        .toSorted()
        .map(rowOf),
    }))
}

/** The rule that decides a cell, as things stand in the editor; null when nothing allows it. */
export function decidingRule(drafts: readonly Draft[], subject: string, action: Action, facts: Facts): Draft | null {
  const { decidedBy } = explain(drafts as readonly Rule[], action, subject, facts)
  return decidedBy === null || decidedBy < 0 ? null : (drafts[decidedBy] ?? null)
}

/** Cells whose rules are not what they were: what is going to be saved. */
export function changedCells(before: readonly Draft[], after: readonly Draft[]): Set<string> {
  const text = (drafts: readonly Draft[]) => {
    const cells = Map.groupBy(drafts, (rule) => cellKey(rule.subject, rule.action))
    return new Map([...cells].map(([key, rules]) => [key, JSON.stringify(sentRules(rules))]))
  }
  const [was, is] = [text(before), text(after)]
  return new Set([...was.keys(), ...is.keys()].filter((key) => was.get(key) !== is.get(key)))
}
