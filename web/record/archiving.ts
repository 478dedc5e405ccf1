import type { Op } from '../../contract/core/op.ts'
import type { T } from '../core/i18n/i18n.ts'
import type { BulkDeed } from '../core/ui/table/types.ts'
import type { ActionFacts } from './actions.ts'

/** Whose phrases say it: `archived` and `restored` with the record's name. */
export type ArchivedInLists =
  | 'actions'
  | 'customers'
  | 'invoices'
  | 'jobs'
  | 'mails'
  | 'options'
  | 'orders'
  | 'prices'
  | 'products'
  | 'quotes'
  | 'requests'
  | 'templates'
  | 'themes'
type Words = ArchivedInLists | 'roles'

/** Putting a record away and bringing it back; what was put away can be taken back at once. */
export function archivingActions(
  t: T,
  words: Words,
  ops: { remove: Op; restore: Op },
  { name, archivedAt }: { name: string; archivedAt: string | null },
): ActionFacts<'archive' | 'restore'>[] {
  const restored = t(`${words}:restored`, { name })
  return [
    {
      key: 'archive',
      op: ops.remove,
      label: t(`${words}:archive`),
      icon: 'archive',
      isHidden: archivedAt !== null,
      said: t(`${words}:archived`, { name }),
      undo: { op: ops.restore, said: restored },
    },
    {
      key: 'restore',
      op: ops.restore,
      label: t(`${words}:restore`),
      icon: 'undo',
      isHidden: archivedAt === null,
      said: restored,
    },
  ]
}

/** The same of many records at once. */
export const archiveMany = (t: T, words: ArchivedInLists, op: BulkDeed['op']): BulkDeed => ({
  key: 'archive',
  op,
  label: t(`${words}:archive`),
  icon: 'archive',
  said: (count) => t(`${words}:bulkArchived`, { count }),
  undo: 'restore',
})
