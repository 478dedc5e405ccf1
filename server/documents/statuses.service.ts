import { type RawBuilder, sql } from 'kysely'
import { type Dated, type DisplayStatuses, lateness } from '../../contract/display-status.ts'

/*
 * The one word a document wears: its base status, which the table keeps, unless its day has passed. Lists, tiles,
 * boards and references share it; `displayStatus` of the contract says the same of a row that was read.
 */

export const displayStatusOf = <N extends Dated>(
  noun: N,
  alias: string,
  today: string | RawBuilder<string>,
): RawBuilder<DisplayStatuses[N]> => {
  const { day, waiting, late } = lateness[noun]
  const [base, last] = [sql.ref(`${alias}.baseStatus`), sql.ref(`${alias}.${day}`)]
  const words = sql.join(waiting.map((status) => sql.lit(status)))
  return sql`case when ${last} < ${today}::date and ${base} in (${words}) then ${sql.lit(late)} else ${base} end`
}

/** The same of sums kept by status and day, which have a day only while the document waits. */
export const keptStatusOf = (noun: Dated, today: string | RawBuilder<string>): RawBuilder<string> =>
  sql`case when day < ${today}::date then ${sql.lit(lateness[noun].late)} else stream end`

/**
 * The documents that wear one of these words, as conditions of which each is one range of an
 * index, and no row meets two.
 */
export function wearing(
  noun: Dated,
  alias: string,
  wanted: readonly string[],
  today: string | RawBuilder<string>,
): RawBuilder<boolean>[] {
  const { day, waiting, late } = lateness[noun]
  const last = sql.ref(`${alias}.${day}`)
  const is = (status: string) => sql<boolean>`${sql.ref(`${alias}.baseStatus`)} = ${status}`
  return [...new Set(wanted)].flatMap((status) => {
    if (status === late) return waiting.map((of) => sql<boolean>`(${is(of)} and ${last} < ${today}::date)`)
    if (isTimeless(noun, status)) return [is(status)]
    return [
      sql<boolean>`(${is(status)} and ${last} >= ${today}::date)`,
      sql<boolean>`(${is(status)} and ${last} is null)`,
    ]
  })
}

const isTimeless = (noun: Dated, status: string) => {
  const { waiting, late } = lateness[noun]
  return status !== late && !(waiting as readonly string[]).includes(status)
}

/** Whether no day decides on any of these words, so that each lies in one stretch of an index, in any order. */
export const areTimeless = (noun: Dated, wanted: readonly string[]): boolean =>
  wanted.every((status) => isTimeless(noun, status))
