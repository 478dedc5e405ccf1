import type pg from 'pg'
import type { App } from '../server/app.ts'
import type { Op } from '../contract/core/op.ts'
import { poolOf } from '../server/core/db/connect.ts'

/** What PostgreSQL really did for the statements of a request, for tests and for the bench. */

export interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}
export const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]
/** Rows a node took from a table, those that did not fit included. */
export const rowsOf = (node: PlanNode) =>
  node['Relation Name']
    ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
      node['Actual Loops']
    : 0

/** Explains every SELECT of the application once more when it is switched on. */
export function makeExplainer(app: App) {
  const plans: PlanNode[] = []
  const state = { isOn: false }
  const patched = new WeakSet<pg.PoolClient>()
  poolOf.get(app.deps.db)?.on('acquire', (client) => {
    if (patched.has(client)) return
    patched.add(client)
    const query = client.query.bind(client) as (given: { text: string; values?: unknown[] }) => Promise<pg.QueryResult>
    const explained = async (given: { text: string; values?: unknown[] }) => {
      if (state.isOn && /^\s*\(?\s*(select|with)/i.test(given.text)) {
        const { rows } = await query({
          text: `explain (analyze, timing off, format json) ${given.text}`,
          values: given.values ?? [],
        })
        const found = (rows[0] as { 'QUERY PLAN': { Plan: PlanNode }[] })['QUERY PLAN'][0]
        if (found) plans.push(found.Plan)
      }
      return query(given)
    }
    client.query = explained as typeof client.query
  })
  return { plans, state }
}

/** The values a field of a query takes: named by the schema's own refusal. */
export function valuesOf(op: Op, field: string): string[] {
  const refused = op.query.safeParse({ [field]: '?' })
  const issue = refused.error?.issues.find((i) => i.path[0] === field)
  if (!issue) return []
  if (issue.code === 'invalid_value') return issue.values.map(String)
  return /^Use only (.*)\.$/.exec(issue.message)?.[1]?.split(', ') ?? []
}

export const fieldsOf = (op: Op) => Object.keys('shape' in op.query ? (op.query.shape as object) : {})
