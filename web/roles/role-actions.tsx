import { useState } from 'react'
import { rolesApi, type Role } from '../../contract/roles.ts'
import { pathOf } from '../../contract/nouns.ts'
import { places } from '../../contract/places.ts'
import { useMay } from '../core/api/can.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { useGo } from '../core/ui/params.ts'
import { toast, toastWithAction } from '../core/ui/toast.tsx'
import { whenOpen } from '../core/ui/when-open.tsx'
import { MoreMenu } from '../record/more-menu.tsx'
import { useTryRole } from './try-role.ts'

const CloneRoleDialog = whenOpen(() => import('./role-dialogs.tsx').then((module) => module.CloneRoleDialog))
const RoleDetailsDialog = whenOpen(() => import('./role-dialogs.tsx').then((module) => module.RoleDetailsDialog))

export interface RoleActionsProps {
  role: Role
  /** There are changes that are not saved. */
  isDirty: boolean
  onChanged: (role: Role) => void
}

const whyNotArchived = (role: Role, t: ReturnType<typeof useT>): string | null =>
  role.userCount > 0
    ? t('roles:why.members', { count: role.userCount })
    : role.kind === 'guest'
      ? t('roles:why.guest')
      : null
const whyNotTried = (role: Role, t: ReturnType<typeof useT>): string | null =>
  role.kind === 'guest' ? t('roles:why.guestTry') : role.archivedAt ? t('roles:why.archived') : null

/** What can be done with a role as a whole. */
export function RoleActions({ role, isDirty, onChanged }: RoleActionsProps) {
  const t = useT('roles', 'record', 'common')
  const may = useMay()
  const go = useGo()
  const text = useErrorText()
  const [dialog, setDialog] = useState<'details' | 'clone' | null>(null)
  const tryRole = useTryRole()
  const failed = { onError: (error: unknown) => toast.error(text(error)) }
  const restore = useWrite(rolesApi.restore, { ...failed, onSuccess: (answer) => onChanged(answer.role) })
  const archive = useWrite(rolesApi.remove, {
    ...failed,
    onSuccess: (answer) => {
      onChanged(answer.role)
      void toastWithAction(t('roles:archived', { name: role.name }), t('common:undo'), () =>
        restore.mutate({ guid: role.guid }),
      )
    },
  })
  const isArchived = role.archivedAt !== null
  const close = () => setDialog(null)
  return (
    <>
      <MoreMenu
        items={[
          {
            key: 'details',
            label: t('roles:details.title'),
            icon: 'edit',
            isHidden: isArchived || !may(rolesApi.update),
            onClick: () => setDialog('details'),
          },
          {
            key: 'clone',
            label: t('roles:clone.action'),
            icon: 'copy',
            isHidden: !may(rolesApi.clone),
            onClick: () => setDialog('clone'),
          },
          {
            key: 'compare',
            label: t('roles:compare.action'),
            icon: 'columns',
            onClick: () => void go(`${pathOf('Roles', 'compare')}?left=${role.guid}`),
          },
          {
            key: 'explain',
            label: t('roles:explain'),
            icon: 'info',
            isHidden: !may(rolesApi.explain),
            onClick: () => void go(`${places.accessControl}?who=role&guid=${role.guid}`),
          },
          {
            key: 'archive',
            label: t('roles:archive'),
            icon: 'archive',
            disabledReason: whyNotArchived(role, t),
            isHidden: isArchived || !may(rolesApi.remove),
            onClick: () => archive.mutate({ guid: role.guid }),
          },
          {
            key: 'restore',
            label: t('roles:restore'),
            icon: 'undo',
            isHidden: !isArchived || !may(rolesApi.restore),
            onClick: () => restore.mutate({ guid: role.guid }),
          },
        ]}
      />
      {may(rolesApi.startTrying) ? (
        <ActionButton
          variant="default"
          icon="peek"
          loading={tryRole.isPending}
          disabledReason={isDirty ? t('roles:why.unsaved') : whyNotTried(role, t)}
          onClick={() => tryRole.start(role)}
        >
          {t('roles:try')}
        </ActionButton>
      ) : null}
      {dialog === 'details' ? <RoleDetailsDialog role={role} onSaved={onChanged} onClose={close} /> : null}
      {dialog === 'clone' ? <CloneRoleDialog role={role} onClose={close} /> : null}
    </>
  )
}
