import { z } from 'zod'
import { archivingOps } from './core/archiving.ts'
import { answerOf } from './core/answer.ts'
import { archivedFilter, exactText, guid, maybe, recordShape, text, version } from './core/common.ts'
import { get, patch, post } from './core/op.ts'
import { patchOf } from './core/patch.ts'
import { nouns } from './nouns.ts'

const { pages } = nouns.Categories

/** How deep the tree may be. */
export const maxDepth = 5
/** A tree is read whole: so many categories at most. */
export const maxCategories = 1000

/** A name as addresses have it: `Site fencing & gates` is `site-fencing-gates`. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80)
    .replace(/-+$/, '') || 'category'

const slug = exactText(80, /^[a-z0-9]+(-[a-z0-9]+)*$/, 'Use lowercase letters, digits and single hyphens.')
const position = z.int().min(1).max(maxCategories)

const categoryFields = {
  name: text(80),
  parentGuid: maybe(guid),
}
const categoryInput = z.strictObject({
  ...categoryFields,
  /** Made of the name when left out. */
  slug: slug.optional(),
  /** Last among its neighbours when left out. */
  position: position.optional(),
})
const category = z.object({
  ...recordShape,
  ...answerOf(categoryFields),
  slug: z.string(),
  position: z.int(),
  depth: z.int(),
  /** Products in use that are in it itself, not below it. */
  productCount: z.int(),
})
export type Category = z.infer<typeof category>
const one = z.object({ category })

export const categoriesApi = {
  list: get({
    path: '/Products/Categories',
    effect: 'read',
    can: pages.list.can,
    summary: 'The categories of products: the whole tree, each behind its parent, neighbours in their order',
    query: z.strictObject({ archived: archivedFilter }),
    response: z.object({ items: z.array(category) }),
  }),
  get: get({
    path: '/Products/Categories/:guid',
    effect: 'read',
    can: ['read', 'Products:Categories:Preview:Guid'],
    summary: 'One category of products',
    response: one,
  }),
  create: post({
    path: '/Products/Categories',
    effect: 'write',
    can: ['create', 'Products:Categories:Create'],
    status: 201,
    message: 'Category created.',
    summary: 'Makes a category of products',
    body: categoryInput,
    response: one,
  }),
  update: patch({
    path: '/Products/Categories/:guid',
    effect: 'write',
    can: ['update', 'Products:Categories:Update:Guid'],
    message: 'Category saved.',
    summary: 'Renames a category of products',
    body: patchOf(z.strictObject({ name: categoryFields.name, slug })),
    response: one,
  }),
  move: post({
    path: '/Products/Categories/Move/:guid',
    effect: 'write',
    can: ['update', 'Products:Categories:Update:Guid'],
    message: 'Category moved.',
    summary: 'Puts a category below another, or elsewhere among its neighbours; what lies below it moves along',
    body: z.strictObject({ version, parentGuid: maybe(guid), position }),
    response: one,
  }),
  ...archivingOps('Products/Categories', 'a category', one, 'Products:Categories'),
}
