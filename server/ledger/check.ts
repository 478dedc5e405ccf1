import { type RawBuilder, sql } from 'kysely'

export interface Found {
  guid: string
  number: string | null
  message: string
}

export interface Check {
  code: string
  entity: string
  /** Rows are what is wrong: guid, number, message. */
  query: RawBuilder<Found>
}

/** Words put together from what is missing are no words: a problem is told all the same. */
export const check = (code: string, entity: string, query: RawBuilder<unknown>): Check => ({
  code,
  entity,
  query: sql<Found>`select guid, number, coalesce(message, 'lacks what it must say') as message from (${query}) told`,
})
export const money = (cents: string) => sql.raw(`trim(to_char((${cents})::numeric / 100, 'FM999999999990.00'))`)
