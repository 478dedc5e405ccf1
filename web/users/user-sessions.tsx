import { useState } from 'react'
import { usersApi, type User } from '../../contract/users.ts'
import { SessionList } from '../people/session-list.tsx'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { Card } from '../core/ui/card.tsx'
import { ConfirmDialog } from '../core/ui/confirm-dialog.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import { nameOfUser } from './user-words.ts'

/** Where a person is logged in; an administrator ends one session or all. */
export function UserSessions({ user }: { user: Pick<User, 'guid' | 'name' | 'authID'> }) {
  const t = useT('people', 'account', 'common')
  const text = useErrorText()
  const [isAsking, setAsking] = useState(false)
  const read = useRead(usersApi.sessions, { guid: user.guid })
  const end = useWrite(usersApi.endSession, {
    onSuccess: () => toast.success(t('account:sessions.ended')),
    onError: (error) => toast.error(text(error)),
  })
  const endAll = useWrite(usersApi.endSessions)
  const count = read.data?.items.length ?? 0
  return (
    <Card
      title={t('people:sessions.title')}
      actions={
        <ActionButton
          variant="default"
          icon="logout"
          disabledReason={count === 0 ? t('people:sessions.none') : null}
          onClick={() => setAsking(true)}
        >
          {t('people:sessions.endAll')}
        </ActionButton>
      }
    >
      <Loaded of={read}>
        {({ items }) => (
          <SessionList
            sessions={items}
            onEnd={(guid) => end.mutate({ guid })}
            busy={end.isPending ? end.variables.guid : null}
            empty={t('people:sessions.none')}
          />
        )}
      </Loaded>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t('people:sessions.endAllTitle', { name: nameOfUser(user) })}
        confirmLabel={t('people:sessions.endAll')}
        onConfirm={async () => {
          const { ended } = await endAll.mutateAsync({ guid: user.guid })
          toast.success(t('people:sessions.ended', { count: ended }))
        }}
      >
        {t('people:sessions.endAllText')}
      </ConfirmDialog>
    </Card>
  )
}
