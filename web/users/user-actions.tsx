import { useState } from 'react'
import { invitationHours } from '../../contract/credentials.ts'
import { usersApi, type User } from '../../contract/users.ts'
import { rolesApi } from '../../contract/roles.ts'
import { pathTo } from '../../contract/nouns.ts'
import { places } from '../../contract/places.ts'
import { useUser } from '../core/api/auth-state.ts'
import { useMay } from '../core/api/can.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { ConfirmDialog } from '../core/ui/confirm-dialog.tsx'
import { useGo } from '../core/ui/params.ts'
import { toast } from '../core/ui/toast.tsx'
import { whenOpen } from '../core/ui/when-open.tsx'
import { MoreMenu } from '../record/more-menu.tsx'
import { isOut, isSelf, nameOfUser, whyNoInvitation, whyNoPassword, whyNotDisabled } from './user-words.ts'

const PasswordDialog = whenOpen(() => import('./user-dialogs.tsx').then((module) => module.PasswordDialog))

type Asked = 'password' | 'disable' | 'twoStep' | 'cancel' | null

/** What an administrator may do about a person, beside the profile. */
export function UserActions({ user }: { user: User }) {
  const t = useT('people', 'record', 'common')
  const text = useErrorText()
  const me = useUser()
  const may = useMay()
  const go = useGo()
  const [asked, setAsked] = useState<Asked>(null)
  const { guid, version } = user
  const name = nameOfUser(user)
  const failed = { onError: (error: unknown) => toast.error(text(error)) }
  const disable = useWrite(usersApi.disable)
  const enable = useWrite(usersApi.enable, {
    ...failed,
    onSuccess: () => toast.success(t('people:enable.done', { name })),
  })
  const resetTwoStep = useWrite(usersApi.resetTwoStep)
  const resend = useWrite(usersApi.resendInvite, {
    ...failed,
    onSuccess: () => toast.success(t('people:invite.done', { email: user.email, hours: invitationHours })),
  })
  const cancel = useWrite(usersApi.cancelInvite)
  const close = () => setAsked(null)
  const isInvited = user.status === 'invited'
  const self = isSelf(user, me)
  const mayUpdate = may(usersApi.update)
  return (
    <>
      <MoreMenu
        items={[
          {
            key: 'explain',
            label: t('people:explain'),
            icon: 'info',
            isHidden: !may(rolesApi.explain),
            onClick: () => void go(`${places.accessControl}?who=user&guid=${guid}`),
          },
          {
            key: 'password',
            label: t('people:password.action'),
            icon: 'lock',
            disabledReason: whyNoPassword(user, t),
            isHidden: !mayUpdate || isInvited,
            onClick: () => setAsked('password'),
          },
          {
            key: 'twoStep',
            label: t('people:resetTwoStep.action'),
            icon: 'phone',
            disabledReason: self ? t('people:why.ownTwoStep') : user.hasTwoStep ? null : t('people:why.noTwoStep'),
            isHidden: !mayUpdate || isInvited,
            onClick: () => setAsked('twoStep'),
          },
          {
            key: 'disable',
            label: t('people:disable.action'),
            icon: 'stop',
            isDangerous: true,
            disabledReason: whyNotDisabled(user, me, t),
            isHidden: !mayUpdate || isInvited || isOut(user),
            onClick: () => setAsked('disable'),
          },
          {
            key: 'cancel',
            label: t('people:cancel.action'),
            icon: 'close',
            isDangerous: true,
            isHidden: !isInvited || !may(usersApi.cancelInvite),
            onClick: () => setAsked('cancel'),
          },
        ]}
      />
      {isInvited && may(usersApi.resendInvite) ? (
        <ActionButton
          icon="send"
          loading={resend.isPending}
          disabledReason={whyNoInvitation(user, t)}
          onClick={() => resend.mutate({ guid, version })}
        >
          {t('people:invite.resend')}
        </ActionButton>
      ) : null}
      {isOut(user) && mayUpdate ? (
        <ActionButton icon="check" loading={enable.isPending} onClick={() => enable.mutate({ guid, version })}>
          {t('people:enable.action')}
        </ActionButton>
      ) : null}
      {asked === 'password' ? <PasswordDialog user={user} onClose={close} /> : null}
      <ConfirmDialog
        isOpen={asked === 'disable'}
        onClose={close}
        title={t('people:disable.title', { name })}
        confirmLabel={t('people:disable.action')}
        isDangerous
        onConfirm={() =>
          disable.mutateAsync({ guid, version }).then(() => toast.success(t('people:disable.done', { name })))
        }
      >
        {t('people:disable.text')}
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={asked === 'twoStep'}
        onClose={close}
        title={t('people:resetTwoStep.title', { name })}
        confirmLabel={t('people:resetTwoStep.action')}
        isDangerous
        onConfirm={() =>
          resetTwoStep.mutateAsync({ guid, version }).then(() => toast.success(t('people:resetTwoStep.done', { name })))
        }
      >
        {t('people:resetTwoStep.text')}
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={asked === 'cancel'}
        onClose={close}
        title={t('people:cancel.title', { name })}
        confirmLabel={t('people:cancel.action')}
        isDangerous
        onConfirm={async () => {
          await cancel.mutateAsync({ guid })
          toast.success(t('people:cancel.done', { name }))
          await go(pathTo('Users'), { isReplacing: true })
        }}
      >
        {t('people:cancel.text')}
      </ConfirmDialog>
    </>
  )
}
