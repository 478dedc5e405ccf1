import type { Action } from '../../contract/core/op.ts'
import type { IconName } from '../core/ui/icons.ts'

/** Actions at the head of narrow columns. */
export const actionIcons: Record<Action, IconName> = {
  read: 'peek',
  create: 'create',
  update: 'edit',
  delete: 'archive',
  manage: 'settings',
}
