import { useState } from 'react'
import { usersApi, type User } from '../../contract/users.ts'
import { useUser } from '../core/api/auth-state.ts'
import { useCan } from '../core/api/can.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { ConfirmDialog } from '../core/ui/confirm-dialog.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import type { Option } from '../core/ui/fields.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { toast } from '../core/ui/toast.tsx'
import { EditUserDialog, PasswordDialog } from './user-dialogs.tsx'

/** A person, and what an administrator may do about the person. */
export function UserPeek({ guid, roles }: { guid: string; roles: readonly Option[] }) {
  const read = useRead(usersApi.get, { guid })
  return <Loaded of={read}>{({ user }) => <Person user={user} roles={roles} />}</Loaded>
}

function Person({ user, roles }: { user: User; roles: readonly Option[] }) {
  const t = useT('setup', 'common')
  const mayUpdate = useCan(usersApi.update)
  return (
    <div className="stack">
      <div>
        <StatusChip status={user.status} ns="setup" {...(user.status === 'suspended' || user.status === 'locked' ? { tone: 'error' } : {})} />
      </div>
      <KeyValueList
        items={[
          { label: t('setup:users.login'), value: user.authId },
          { label: t('setup:users.email'), value: user.email || null },
          { label: t('setup:users.phone'), value: user.phone || null },
          { label: t('setup:users.role'), value: user.roleName },
          { label: t('setup:users.lastSeen'), value: user.lastSeenAt ? <DateText value={user.lastSeenAt} as="relative" /> : t('setup:users.never') },
          { label: t('setup:users.lastLogin'), value: user.lastLoginAt ? <DateText value={user.lastLoginAt} as="dateTime" /> : t('setup:users.never') },
          { label: t('setup:users.created'), value: <DateText value={user.createdAt} /> },
        ]}
      />
      {mayUpdate ? <Actions user={user} roles={roles} /> : null}
    </div>
  )
}

type Dialog = 'edit' | 'password' | 'disable' | 'sessions' | null

function Actions({ user, roles }: { user: User; roles: readonly Option[] }) {
  const t = useT('setup', 'common')
  const text = useErrorText()
  const me = useUser()
  const [dialog, setDialog] = useState<Dialog>(null)
  const disable = useWrite(usersApi.disable)
  const enable = useWrite(usersApi.enable, { onSuccess: () => toast.success(t('setup:users.enabled')), onError: (error) => toast.error(text(error)) })
  const endSessions = useWrite(usersApi.endSessions)
  const { guid, version } = user
  const isSelf = me?.guid === guid
  const close = () => setDialog(null)
  const isOut = user.status === 'suspended' || user.status === 'locked'
  return (
    <>
      <div className="row">
        <ActionButton icon="edit" variant="light" onClick={() => setDialog('edit')}>
          {t('common:edit')}
        </ActionButton>
        <ActionButton icon="lock" variant="default" onClick={() => setDialog('password')}>
          {t('setup:users.setPassword')}
        </ActionButton>
        <ActionButton icon="logout" variant="default" onClick={() => setDialog('sessions')}>
          {t('setup:users.endSessions')}
        </ActionButton>
        {isOut ? (
          <ActionButton icon="check" variant="default" loading={enable.isPending} onClick={() => enable.mutate({ guid, version })}>
            {t('setup:users.enable')}
          </ActionButton>
        ) : (
          <ActionButton icon="stop" variant="default" disabledReason={isSelf ? t('setup:users.why.self') : null} onClick={() => setDialog('disable')}>
            {t('setup:users.disable')}
          </ActionButton>
        )}
      </div>
      {dialog === 'edit' ? <EditUserDialog user={user} roles={roles} isSelf={isSelf} onClose={close} /> : null}
      {dialog === 'password' ? <PasswordDialog user={user} onClose={close} /> : null}
      <ConfirmDialog
        isOpen={dialog === 'disable'}
        onClose={close}
        title={t('setup:users.disableTitle', { name: user.name })}
        confirmLabel={t('setup:users.disable')}
        isDangerous
        onConfirm={async () => {
          await disable.mutateAsync({ guid, version })
          toast.success(t('setup:users.disabled'))
        }}
      >
        {t('setup:users.disableText')}
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={dialog === 'sessions'}
        onClose={close}
        title={t('setup:users.endSessionsTitle', { name: user.name })}
        confirmLabel={t('setup:users.endSessions')}
        onConfirm={async () => {
          const { ended } = await endSessions.mutateAsync({ guid })
          toast.success(t('setup:users.sessionsEnded', { count: ended }))
        }}
      >
        {t('setup:users.endSessionsText')}
      </ConfirmDialog>
    </>
  )
}
