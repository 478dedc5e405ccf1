import { sql } from 'kysely'
import type { ScopeColumns } from '../../contract/noun.ts'
import { isNoun, type NounWith, nounsWith, nouns, rowOf } from '../../contract/nouns.ts'
import type { CatalogueSubject } from '../../contract/roles.ts'
import type { Ctx } from '../core/ctx.ts'
import { applyRows, type RowColumns } from '../core/db/rows.ts'
import { ofFamily } from '../core/family.ts'
import { readable } from '../core/http/permission.ts'
import { userOf } from '../core/records.ts'

/** A noun that keeps rows back one by one. */
export type RowNoun = NounWith<'scope'>
const rowNouns: ReadonlySet<string> = new Set(nounsWith('scope'))
export const isRowNoun = (noun: string): noun is RowNoun => rowNouns.has(noun)

/** The orders a person works along on: asked for once, whatever the number of rows. */
export const worksAlong = (order: string, user: string | null) =>
  sql<boolean>`${sql.ref(order)} = any(array(select p.order_guid from order_people p
    where p.user_guid = ${user}::uuid))`

/** Whoever does the work of an order is assigned to its customer, its quote and its invoices, too. */
function assignedTo(
  assigned: NonNullable<ScopeColumns['assigned']>,
  alias: string,
  user: string | null,
): NonNullable<RowColumns['assigned']> {
  if ('lead' in assigned)
    return { lead: `${alias}.${assigned.lead}`, along: worksAlong(`${alias}.${assigned.by}`, user) }
  const { order, by } = assigned
  const isIts =
    order === 'customerGuid'
      ? ofFamily('work', `${alias}.familyGuid`)
      : sql<boolean>`${sql.ref(`work.${order}`)} = ${sql.ref(`${alias}.${by}`)}`
  return sql<boolean>`exists (select from orders work where ${isIts}
    and (work.assigned_guid = ${user}::uuid or ${worksAlong('work.guid', user)}))`
}

/**
 * Where a noun keeps what conditions speak of, on the alias a query uses. Lists, single records, tiles, exports, search
 * and live events are filtered by the same columns: those of the noun's row.
 */
function columnsOf(noun: RowNoun, alias: string, user: string | null): RowColumns {
  const { assigned, ...own }: ScopeColumns = nouns[noun].scope
  const { pool } = rowOf(noun)
  const columns: RowColumns = {
    ...Object.fromEntries(Object.entries(own).map(([key, column]) => [key, `${alias}.${column}`])),
    ...(pool && { pool }),
  }
  return assigned === undefined ? columns : { ...columns, assigned: assignedTo(assigned, alias, user) }
}

export const rowColumns = (ctx: Pick<Ctx, 'actor'>, noun: RowNoun, alias: string): RowColumns =>
  columnsOf(noun, alias, userOf(ctx))

/** Which of these records are among some rows of their noun. */
export async function filterVisible(
  ctx: Pick<Ctx, 'actor' | 'db'>,
  rows: Ctx['rows'],
  noun: RowNoun,
  guids: readonly string[],
): Promise<Set<string>> {
  if (guids.length === 0) return new Set()
  const all = ctx.db
    .selectFrom(`${nouns[noun].table} as d` as 'quotes as d')
    .select('d.guid')
    .where('d.guid', 'in', guids)
  const found = await applyRows({ actor: ctx.actor, rows }, all, rowColumns(ctx, noun, 'd')).execute()
  return new Set(found.map((row) => row.guid))
}

/**
 * Those of some records, named as the audit log names them, that the caller may read: what stands beside a
 * record must not tell of others.
 */
export async function filterReadable<S extends { entity: string; guid: string }>(
  ctx: Pick<Ctx, 'actor' | 'db'>,
  subjects: readonly S[],
): Promise<S[]> {
  const { actor } = ctx
  const kept = new Set<S>()
  for (const [entity, some] of Map.groupBy(subjects, (s) => s.entity)) {
    const access = readable(actor, entity, 'Guid')
    if (access === 'none') continue
    const seen =
      access === 'all' || !isRowNoun(entity)
        ? null
        : await filterVisible(
            ctx,
            access,
            entity,
            some.map((s) => s.guid),
          )
    for (const subject of some) if (!seen || seen.has(subject.guid)) kept.add(subject)
  }
  return subjects.filter((subject) => kept.has(subject))
}

/** The same for the references that stand on a record. */
export async function filterReadableReferences<R extends { guid: string }>(
  ctx: Ctx,
  entity: string,
  references: readonly R[],
): Promise<R[]> {
  const kept = await readableGuids(ctx, entity, references)
  return references.filter(({ guid }) => kept.has(guid))
}

/** Which of these records of a noun the caller may read. */
export async function readableGuids(
  ctx: Ctx,
  entity: string,
  records: readonly { guid: string }[],
): Promise<Set<string>> {
  const named = records.map(({ guid }) => ({ entity, guid }))
  return new Set((await filterReadable(ctx, named)).map(({ guid }) => guid))
}
export const readableReference = async <R extends { guid: string }>(
  ctx: Ctx,
  entity: string,
  reference: R | null,
): Promise<R | null> => (reference ? ((await filterReadableReferences(ctx, entity, [reference]))[0] ?? null) : null)

type Known = Pick<CatalogueSubject, 'conditions' | 'statuses'>
const conditionNames = {
  business: 'business',
  owner: 'scope:own',
  assigned: 'scope:assigned',
  status: 'statusIn',
  amount: 'amountBelowCents',
} as const

/**
 * The conditions that mean something for a noun, from the very columns above. A part of a record is kept back with it.
 */
export function meaningfulConditions(parent: string): Known {
  const noun = isNoun(parent) ? (rowOf(parent).partOf?.noun ?? parent) : parent
  if (!isRowNoun(noun)) return { conditions: [], statuses: [] }
  const scope: ScopeColumns = nouns[noun].scope
  const keys = (Object.keys(conditionNames) as (keyof ScopeColumns)[]).filter((key) => scope[key] !== undefined)
  return {
    conditions: keys.map((key) => conditionNames[key]),
    statuses: isNoun(parent) ? [...(rowOf(parent).statuses ?? [])] : [],
  }
}
