import { z } from 'zod'
import { cents, day, guid, ofBusiness } from './core/common.ts'
import { get } from './core/op.ts'
import { nounsWith, type NounWith } from './nouns.ts'

/** What the search of everything calls a noun it finds. */
export type SearchKind = Lowercase<NounWith<'hit'>>
export const searchKinds = nounsWith('hit').map((name) => name.toLowerCase() as SearchKind)
export const nounOfKind = (kind: SearchKind): NounWith<'hit'> =>
  nounsWith('hit')[searchKinds.indexOf(kind)] ?? 'Customers'

const searchHit = z.object({
  kind: z.enum(searchKinds),
  /** Of the record to open; a contact opens its customer. */
  guid,
  openGuid: guid,
  /** A number or a name. */
  label: z.string(),
  /** What tells it from others: title and customer, mail address, phone. */
  detail: z.string(),
  /** Of a document the day it was issued or else made, of a payment the day it came in. */
  day: day.nullable(),
  status: z.string().nullable(),
  amountCents: cents.nullable(),
  /** Whose it is; of several that share a list, all of them. People are nobody's. */
  businessName: z.string().nullable(),
  /** 100 for an exact match, less for parts. */
  score: z.int(),
})
export type SearchHit = z.output<typeof searchHit>

export const searchApi = {
  all: get({
    path: '/Search',
    effect: 'read',
    can: ['read', 'Search'],
    summary: 'Finds records by any part of a number, name, phone, mail address, ABN, or by an amount in dollars',
    query: z.strictObject({
      ...ofBusiness,
      q: z.string().trim().min(2).max(100),
      kinds: z
        .string()
        .max(200)
        .refine(
          (s) => s.split(',').every((k) => (searchKinds as readonly string[]).includes(k)),
          `Use only ${searchKinds.join(', ')}.`,
        )
        .optional(),
    }),
    /** Groups with their best hit first; at most 6 hits each. `hasMore`: there are more of that kind. */
    response: z.object({
      groups: z.array(z.object({ kind: z.enum(searchKinds), items: z.array(searchHit), hasMore: z.boolean() })),
    }),
  }),
}
