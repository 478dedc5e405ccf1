import { randomUUIDv7 } from 'node:crypto'

/** The guid of a new record: ordered by time, so that new rows stand together in every index. */
export const newGuid = (): string => randomUUIDv7()
