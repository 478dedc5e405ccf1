import { z } from 'zod'
import { guid, ofBusiness, text } from './common.ts'
import { get, post } from './op.ts'

/** A record has at most this many. */
export const maxTags = 20
export const maxTagLength = 40
/** What tells one tag from the next where several stand in one text. */
const between = /[,;]/

/** A word of one's own on a record, as it was written; upper and lower case make no difference. */
const tag = text(maxTagLength)
  .refine((written) => !between.test(written), 'Enter one tag at a time.')
  .overwrite((written) => written.normalize('NFC').replaceAll(/\s+/g, ' '))
const someTags = z.array(tag).max(maxTags, `Use up to ${maxTags} tags.`)

/** What tags are told apart by. */
export const tagKey = (written: string): string => written.toLowerCase()

/** Filter of a list: any of these, separated by commas. */
export const tagFilter = z.string().trim().min(1).max(400).optional()
export const keysOf = (filter: string): string[] => [
  ...new Set(
    filter
      .split(',')
      .map((one) => tagKey(one.trim().normalize('NFC')))
      .filter(Boolean),
  ),
]

/** As answers have them: by name. */
export const tagsShape = z.array(z.string())

/** What a change of many records says of their tags. */
export const tagChanges = {
  addTags: someTags.min(1, 'Choose at least one.').optional(),
  removeTags: someTags.min(1, 'Choose at least one.').optional(),
}

/** Tags on the records of a noun, for whoever reads and changes these. */
export function taggingOps<const N extends string>(noun: N) {
  return {
    tags: get({
      path: `/${noun}/Tags` as `/${N}/Tags`,
      effect: 'read',
      can: ['read', `${noun}:Preview:All`] as const,
      summary: `Tags that ${noun.toLowerCase()} have`,
      query: z.strictObject({ ...ofBusiness, search: z.string().trim().max(maxTagLength).optional() }),
      response: z.object({ items: tagsShape }),
    }),
    tag: post({
      path: `/${noun}/Tags/:guid` as `/${N}/Tags/:guid`,
      effect: 'write',
      can: ['update', `${noun}:Update:Guid`] as const,
      message: 'Tags saved.',
      summary: `Adds tags to one of the ${noun.toLowerCase()} and takes others away, whatever its state`,
      unaudited: 'adding what is there already changes nothing',
      body: z
        .strictObject({ add: someTags.default([]), remove: someTags.default([]) })
        .refine(({ add, remove }) => add.length + remove.length > 0, 'Choose at least one.'),
      response: z.object({ guid, tags: tagsShape }),
    }),
  }
}
