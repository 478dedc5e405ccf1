import { authApi } from '../../contract/auth.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { Card } from '../core/ui/card.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import { SessionList } from '../people/session-list.tsx'

/** Where one is logged in; each session but this one can be ended. */
export function OwnSessions() {
  const t = useT('account', 'common')
  const text = useErrorText()
  const read = useRead(authApi.sessions, {})
  const failed = { onError: (error: unknown) => toast.error(text(error)) }
  const end = useWrite(authApi.endSession, { ...failed, onSuccess: () => toast.success(t('account:sessions.ended')) })
  const endOthers = useWrite(authApi.endOtherSessions, {
    ...failed,
    onSuccess: ({ ended }) => toast.success(t('account:sessions.othersEnded', { count: ended })),
  })
  const others = read.data?.items.filter((session) => !session.isCurrent).length ?? 0
  return (
    <Card
      className="span-2"
      title={t('account:sessions.title')}
      actions={
        <ActionButton
          variant="default"
          icon="logout"
          loading={endOthers.isPending}
          disabledReason={others === 0 ? t('account:sessions.noOthers') : null}
          onClick={() => endOthers.mutate({})}
        >
          {t('account:sessions.endOthers')}
        </ActionButton>
      }
    >
      <Loaded of={read}>
        {({ items }) => (
          <SessionList
            sessions={items}
            onEnd={(guid) => end.mutate({ guid })}
            busy={end.isPending ? end.variables.guid : null}
            empty={t('account:sessions.noOthers')}
          />
        )}
      </Loaded>
    </Card>
  )
}
