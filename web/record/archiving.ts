import type { Op } from '../../contract/core/op.ts'
import type { T } from '../core/i18n/i18n.ts'
import type { PhraseKey } from '../core/i18n/phrases.ts'
import type { ActionFacts } from './actions.ts'

/** The noun's own words for it; `archived` and `restored` are said with the record's name. */
export type ArchivingWords = Readonly<Record<'archive' | 'archived' | 'restore' | 'restored', PhraseKey>>

/** Putting a record away and bringing it back; what was put away can be taken back at once. */
export function archivingActions(
  t: T,
  words: ArchivingWords,
  ops: { remove: Op; restore: Op },
  { name, archivedAt }: { name: string; archivedAt: string | null },
): ActionFacts<'archive' | 'restore'>[] {
  const restored = t(words.restored, { name })
  return [
    {
      key: 'archive',
      op: ops.remove,
      label: t(words.archive),
      icon: 'archive',
      isHidden: archivedAt !== null,
      said: t(words.archived, { name }),
      undo: { op: ops.restore, said: restored },
    },
    {
      key: 'restore',
      op: ops.restore,
      label: t(words.restore),
      icon: 'undo',
      isHidden: archivedAt === null,
      said: restored,
    },
  ]
}
