import type { T } from '../core/i18n/i18n.ts'
import type { Column } from '../core/ui/table/types.ts'
import { Tags } from './tag-list.tsx'

/** The tags of each record of a list. */
export const tagColumn = <R extends { tags: readonly string[] }>(t: T): Column<R> => ({
  id: 'tags',
  header: t('common:tags'),
  isHidden: true,
  card: 'none',
  cell: ({ tags }) => <Tags tags={tags} />,
})
