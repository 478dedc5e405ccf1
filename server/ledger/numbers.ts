import { sql } from 'kysely'
import { brandNumbers } from '../../contract/businesses.ts'
import { numberedBy, nouns, type NounName } from '../../contract/nouns.ts'
import type { Db } from '../core/ctx.ts'

interface Counter {
  businessGuid: string
  kind: string
  prefix: string
  first: number
  next: number
}
export interface NumberProblem {
  code: 'NUMBER_MISSING' | 'NUMBER_NOT_GIVEN' | 'NUMBER_TWICE' | 'NUMBER_SERIES'
  entity: string
  guid: string
  number: string
  message: string
}

/** Which rows of a table its counter numbers, where two share one. */
const shares: Readonly<Record<string, string>> = {
  invoice: "and kind <> 'adjustment_note'",
  adjustment_note: "and kind = 'adjustment_note'",
}

interface Series {
  entity: NounName
  table: string
  more: string
}
function seriesOf(counter: string): Series | null {
  const entity = numberedBy(counter)
  return entity && { entity, table: nouns[entity].table, more: shares[counter] ?? '' }
}

/** Numbers run from the first to the last that was given, each once; revisions of a quote share theirs. */
export async function checkNumbers(db: Db): Promise<NumberProblem[]> {
  const counters = await db
    .selectFrom('numberCounters')
    .select(['businessGuid', 'kind', 'prefix', 'first', 'next'])
    .orderBy('businessGuid')
    .orderBy('kind')
    .execute()
  const problems: NumberProblem[] = []
  for (const counter of counters) {
    if (!numberedBy(counter.kind)) {
      problems.push({
        code: 'NUMBER_SERIES',
        entity: 'Businesses',
        guid: counter.businessGuid,
        number: counter.prefix,
        message: `counts ${counter.kind}, which is numbered nowhere`,
      })
      continue
    }
    problems.push(...(await missing(db, counter)), ...(await notGiven(db, counter)), ...(await twice(db, counter)))
  }
  return problems
}

const tableOf = ({ kind, businessGuid }: Counter) => {
  const { table = '', more = '' } = seriesOf(kind) ?? {}
  // Numbers of money are those of a legal entity with its brands.
  const owner = sql.raw(brandNumbers.some((one) => one === kind) ? 'business_guid' : 'entity_guid')
  return sql`${sql.table(table)} where ${owner} = ${businessGuid}::uuid and number is not null ${sql.raw(more)}`
}
const entityOf = ({ kind }: Counter) => seriesOf(kind)?.entity ?? kind

/** Stretches without a document. One that ends where somebody set the counter forward was left out on purpose. */
async function missing(db: Db, counter: Counter): Promise<NumberProblem[]> {
  const { rows } = await sql<{ low: number; high: number }>`
    with given as materialized (select distinct substring(number from '([0-9]{1,9})$')::bigint as n
    from ${tableOf(counter)}),
      gaps as (select n, n - row_number() over (order by n) as stretch
      from generate_series(${counter.first}::bigint, ${counter.next - 1}::bigint) as n where not exists (select 1
      from given where given.n = n.n))
    select min(n)::bigint as low, max(n)::bigint as high from gaps group by stretch order by 1 limit 500`.execute(db)
  if (rows.length === 0) return []
  const moved = await setForward(db, counter)
  return rows
    .filter(({ high }) => !moved.has(high + 1))
    .map(({ low, high }) => ({
      code: 'NUMBER_MISSING',
      entity: entityOf(counter),
      guid: counter.businessGuid,
      number: `${counter.prefix}${low}`,
      message:
        low === high
          ? 'this number was given and no document wears it'
          : `the numbers ${low} to ${high} were given and no document wears them`,
    }))
}

/** Where the settings moved a counter to, as the audit log knows it. */
async function setForward(db: Db, { businessGuid, kind }: Counter): Promise<Set<number>> {
  const { rows } = await sql<{
    next: number
  }>`select (n ->> 'next')::bigint as next from audit_log a cross join lateral jsonb_array_elements(case
    when jsonb_typeof(a.after -> 'numbering') = 'array' then a.after -> 'numbering' else '[]' end) n
    where a.entity = 'Businesses' and a.entity_guid = ${businessGuid}::uuid and n ->> 'kind' = ${kind}`.execute(db)
  return new Set(rows.map((row) => row.next))
}

async function notGiven(db: Db, counter: Counter): Promise<NumberProblem[]> {
  const start = counter.prefix.length + 1
  const { rows } = await sql<{
    guid: string
    number: string
  }>`select guid, number from ${tableOf(counter)} and starts_with(number, ${counter.prefix})
    and substring(number from ${start}::int) ~ '^[0-9]{1,9}$' and substring(number
    from ${start}::int)::bigint >= ${counter.next}::bigint limit 500`.execute(db)
  return rows.map((row) => ({
    code: 'NUMBER_NOT_GIVEN',
    entity: entityOf(counter),
    ...row,
    message: `wears a number that was not given yet (the next one is ${counter.next})`,
  }))
}

async function twice(db: Db, counter: Counter): Promise<NumberProblem[]> {
  const revision = sql.raw(counter.kind === 'quote' ? ', revision' : '')
  const { rows } = await sql<{
    guid: string
    number: string
  }>`select (array_agg(guid))[1] as guid, number from ${tableOf(counter)} group by number${revision}
    having count(*) > 1 limit 500`.execute(db)
  return rows.map((row) => ({
    code: 'NUMBER_TWICE',
    entity: entityOf(counter),
    ...row,
    message: 'stands on more than one document',
  }))
}
