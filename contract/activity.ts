import { z } from 'zod'
import { guid, timestamp } from './core/common.ts'

/** One line of what a person did: a phrase key, the record, and the values the phrase is filled with. */
export const activityEntry = z.object({
  at: timestamp,
  what: z.string(),
  noun: z.string(),
  guid: guid.nullable(),
  by: z.string().nullable(),
  values: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
})
export type ActivityEntry = z.output<typeof activityEntry>
