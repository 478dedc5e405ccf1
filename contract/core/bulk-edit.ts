import { z } from 'zod'
import { bulkResult, guid, version } from './common.ts'
import { patch } from './op.ts'
import { partOf } from './patch.ts'
import { tagChanges } from './tagging.ts'

/** At most this many records are changed at a time. */
const maxEdited = 100

/**
 * The same change of many records: what `set` names is changed, everything else stays. Each is refused or changed for
 * itself; one that was changed since it was read (`version`) is left alone, but for its tags. `noun` is `Quotes`.
 */
export const bulkEditOp = <const N extends string, S extends z.ZodRawShape>(noun: N, fields: z.ZodObject<S>) =>
  bulkOp(noun, partOf(fields).extend(tagChanges))

/** The same for records without tags. */
export const plainBulkEditOp = <const N extends string, S extends z.ZodRawShape>(noun: N, fields: z.ZodObject<S>) =>
  bulkOp(noun, partOf(fields))

const bulkOp = <const N extends string, S extends z.ZodObject>(noun: N, fields: S) =>
  patch({
    path: `/${noun}/Bulk` as `/${N}/Bulk`,
    effect: 'write',
    can: ['update', `${noun}:Update:Guid`] as const,
    message: 'Done.',
    summary: `Changes the same fields of many ${noun.toLowerCase()}`,
    body: z.strictObject({
      action: z.literal('edit'),
      set: fields.refine((set) => Object.keys(set).length > 0, 'Choose what to change.'),
      rows: z
        .array(z.strictObject({ guid, version }))
        .min(1, 'Choose at least one.')
        .max(maxEdited)
        .refine((rows) => new Set(rows.map((row) => row.guid)).size === rows.length, 'This is listed twice.'),
    }),
    response: bulkResult,
  })
