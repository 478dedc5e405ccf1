import { z } from 'zod'
import { guid, text, timestamp, version } from './core/common.ts'
import { del, get, patch, post } from './core/op.ts'
import { patchOf } from './core/patch.ts'

/** At most this many of one's own for one list. */
export const maxViews = 50

const subject = z.string().trim().min(1).max(120)
/**
 * What the address of the list says: search, filters, sort, columns, rows per page. A view has no page
 * number: it begins at its beginning.
 */
const values = z
  .record(z.string().regex(/^[a-zA-Z][a-zA-Z.]{0,59}$/), z.string().min(1).max(1000))
  .refine((given) => Object.keys(given).length <= 30, 'Use fewer parts.')
  .transform(({ page: _page, after: _after, ...rest }): Record<string, string> => rest)
const name = text(80)

const view = z.object({
  guid,
  /** The right to read the list it belongs to. */
  subject: z.string(),
  name: z.string(),
  values: z.record(z.string(), z.string()),
  /** Everybody who may read the list sees it. */
  isShared: z.boolean(),
  isOwn: z.boolean(),
  ownerName: z.string(),
  version,
  updatedAt: timestamp,
})
export type View = z.output<typeof view>
const one = z.object({ view })

/** A column of a list by its id, as the address names it. */
const column = z.string().regex(/^[a-zA-Z][a-zA-Z.]{0,59}$/)
const looks = {
  /** Shown columns in order; `null` shows those that the list shows at first. */
  columns: z.array(column).min(1).max(60).nullable(),
  /** As the list's own `sort`. */
  sort: z.string().min(1).max(200).nullable(),
  /** Rows per page. */
  size: z.int().nullable(),
}
/** How somebody likes a list where its address does not say otherwise. */
export const listDefaults = z.object({ subject: z.string(), ...looks })
export type ListDefaults = z.output<typeof listDefaults>

const taste = 'how somebody looks at a list changes nothing'

/** Searches, filters, sorts and columns of a list kept under a name: everybody’s own, and those that are shared. */
export const viewsApi = {
  list: get({
    path: '/Views',
    effect: 'read',
    can: ['read', 'Account'],
    summary: "The caller's views of a list, and those that others share",
    query: z.strictObject({ subject }),
    response: z.object({ items: z.array(view) }),
  }),
  create: post({
    path: '/Views',
    effect: 'write',
    can: ['update', 'Account'],
    unaudited: taste,
    status: 201,
    message: 'View saved.',
    summary: 'Keeps a view of a list under a name',
    body: z.strictObject({ subject, name, values }),
    response: one,
  }),
  update: patch({
    path: '/Views/:guid',
    effect: 'write',
    can: ['update', 'Account'],
    unaudited: taste,
    message: 'View saved.',
    summary: "Renames one of the caller's views, or what it shows",
    body: patchOf(z.strictObject({ name, values })),
    response: one,
  }),
  remove: del({
    path: '/Views/:guid',
    effect: 'write',
    can: ['update', 'Account'],
    unaudited: taste,
    message: 'View removed.',
    summary: "Removes one of the caller's views",
    response: z.null(),
  }),
  defaults: patch({
    path: '/Views/Defaults',
    effect: 'write',
    can: ['update', 'Account'],
    unaudited: taste,
    message: 'View saved.',
    summary:
      "Keeps the caller's columns, sort and rows per page of a list; what is left out stays, `null` is the list's own",
    body: z
      .strictObject({ subject, ...looks })
      .partial()
      .required({ subject: true }),
    response: z.object({ defaults: listDefaults }),
  }),
  share: post({
    path: '/Views/Share/:guid',
    effect: 'write',
    can: ['update', 'Views:Share'],
    message: 'View saved.',
    summary: "Shares one of the caller's views with everybody who may read the list, or takes any back",
    body: z.strictObject({ version, isShared: z.boolean() }),
    response: one,
  }),
}
