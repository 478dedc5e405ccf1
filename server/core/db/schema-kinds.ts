import type { ColumnType } from 'kysely'

/** Read as the value, written as JSON text: `pg` would turn a bare array into a PostgreSQL array. */
export type Json<T> = ColumnType<T, string, string>
export type JsonOrNull<T> = ColumnType<T | null, string | null | undefined, string | null>
/** Instants come out as ISO text and go in as text or Date. */
export type Instant = ColumnType<string, string | Date | undefined, string | Date>
/** An instant that nothing fills in. */
export type GivenInstant = ColumnType<string, string | Date, string | Date>
export type InstantOrNull = ColumnType<string | null, string | Date | null | undefined, string | Date | null>
export type Computed<T> = ColumnType<T, never, never>
export type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>
