import { rolesApi, type Role } from '../../contract/roles.ts'
import { pathOf } from '../../contract/nouns.ts'
import { places } from '../../contract/places.ts'
import { useT, type T } from '../core/i18n/i18n.ts'
import { useGo } from '../core/ui/params.ts'
import { whenOpen } from '../core/ui/when-open.tsx'
import type { ActionFacts } from '../record/actions.ts'
import { archivingActions } from '../record/archiving.ts'
import type { RecordActionsProps } from '../record/record-actions.tsx'
import { useTryRole } from './try-role.ts'

const CloneRoleDialog = whenOpen(() => import('./role-dialogs.tsx').then((module) => module.CloneRoleDialog))
const RoleDetailsDialog = whenOpen(() => import('./role-dialogs.tsx').then((module) => module.RoleDetailsDialog))

type RoleAction = 'details' | 'clone' | 'compare' | 'explain' | 'archive' | 'restore' | 'try'

const whyNotArchived = (role: Role, t: T): string | null =>
  role.userCount > 0
    ? t('roles:why.members', { count: role.userCount })
    : role.kind === 'guest'
      ? t('roles:why.guest')
      : null
const whyNotTried = (role: Role, t: T): string | null =>
  role.kind === 'guest' ? t('roles:why.guestTry') : role.archivedAt ? t('roles:why.archived') : null

/**
 * What can be done with a role as a whole. `isDirty` is one with changes that are not saved; `onChanged` is
 * told of the role as it is then.
 */
export function useRoleActions(
  role: Role,
  { isDirty = false, onChanged }: { isDirty?: boolean; onChanged?: (role: Role) => void } = {},
): Required<Omit<RecordActionsProps<RoleAction>, 'record'>> {
  const t = useT('roles', 'record', 'common')
  const go = useGo()
  const tryRole = useTryRole()
  const { guid, name, archivedAt } = role
  const changed = (now: Role) => onChanged?.(now)
  const actions: ActionFacts<RoleAction>[] = [
    {
      key: 'details',
      op: rolesApi.update,
      label: t('roles:details.title'),
      icon: 'edit',
      isHidden: archivedAt !== null,
    },
    { key: 'clone', op: rolesApi.clone, label: t('roles:clone.action'), icon: 'copy' },
    { key: 'compare', op: rolesApi.list, label: t('roles:compare.action'), icon: 'columns' },
    { key: 'explain', op: rolesApi.explain, label: t('roles:explain'), icon: 'info' },
    ...archivingActions(t, 'roles', rolesApi, { name, archivedAt }).map((action) =>
      action.key === 'archive' ? { ...action, refusal: whyNotArchived(role, t) } : action,
    ),
    {
      key: 'try',
      op: rolesApi.startTrying,
      label: t('roles:try'),
      icon: 'peek',
      place: 'head',
      refusal: isDirty ? t('roles:why.unsaved') : whyNotTried(role, t),
    },
  ]
  return {
    actions,
    deeds: {
      details: { dialog: (close) => <RoleDetailsDialog role={role} onSaved={changed} onClose={close} /> },
      clone: { dialog: (close) => <CloneRoleDialog role={role} onClose={close} /> },
      compare: { run: () => go(`${pathOf('Roles', 'compare')}?left=${guid}`) },
      explain: { run: () => go(`${places.accessControl}?who=role&guid=${guid}`) },
      try: { run: () => tryRole(role) },
    },
    // Archiving and bringing back answer with the role.
    onAnswer: (answer) => changed((answer as { role: Role }).role),
  }
}
