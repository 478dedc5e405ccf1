import { invitationHours } from '../../contract/credentials.ts'
import { usersApi, type User } from '../../contract/users.ts'
import { rolesApi } from '../../contract/roles.ts'
import { pathTo } from '../../contract/nouns.ts'
import { places } from '../../contract/places.ts'
import { useUser } from '../core/api/auth-state.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { useGo } from '../core/ui/params.ts'
import { toast } from '../core/ui/toast.tsx'
import { whenOpen } from '../core/ui/when-open.tsx'
import type { ActionFacts } from '../record/actions.ts'
import type { RecordActionsProps } from '../record/record-actions.tsx'
import { isOut, isSelf, nameOfUser, whyNoInvitation, whyNoPassword, whyNotDisabled } from './user-words.ts'

const PasswordDialog = whenOpen(() => import('./user-dialogs.tsx').then((module) => module.PasswordDialog))

type UserAction = 'explain' | 'password' | 'twoStep' | 'disable' | 'cancel' | 'resend' | 'enable'

/** What an administrator may do about a person, beside the profile. */
export function useUserActions(user: User): Required<Pick<RecordActionsProps<UserAction>, 'actions' | 'deeds'>> {
  const t = useT('people', 'record', 'common')
  const me = useUser()
  const go = useGo()
  const cancel = useWrite(usersApi.cancelInvite)
  const { guid } = user
  const name = nameOfUser(user)
  const isInvited = user.status === 'invited'
  const actions: ActionFacts<UserAction>[] = [
    { key: 'explain', op: rolesApi.explain, label: t('people:explain'), icon: 'info' },
    {
      key: 'password',
      op: usersApi.setPassword,
      label: t('people:password.action'),
      icon: 'lock',
      isHidden: isInvited,
      refusal: whyNoPassword(user, t),
    },
    {
      key: 'twoStep',
      op: usersApi.resetTwoStep,
      label: t('people:resetTwoStep.action'),
      icon: 'phone',
      isHidden: isInvited,
      isDangerous: true,
      refusal: isSelf(user, me) ? t('people:why.ownTwoStep') : user.hasTwoStep ? null : t('people:why.noTwoStep'),
      confirm: { title: t('people:resetTwoStep.title', { name }), text: t('people:resetTwoStep.text') },
      said: t('people:resetTwoStep.done', { name }),
    },
    {
      key: 'disable',
      op: usersApi.disable,
      label: t('people:disable.action'),
      icon: 'stop',
      isHidden: isInvited || isOut(user),
      isDangerous: true,
      refusal: whyNotDisabled(user, me, t),
      confirm: { title: t('people:disable.title', { name }), text: t('people:disable.text') },
      said: t('people:disable.done', { name }),
    },
    {
      key: 'cancel',
      op: usersApi.cancelInvite,
      label: t('people:cancel.action'),
      icon: 'close',
      isHidden: !isInvited,
      isDangerous: true,
      confirm: { title: t('people:cancel.title', { name }), text: t('people:cancel.text') },
    },
    {
      key: 'resend',
      op: usersApi.resendInvite,
      label: t('people:invite.resend'),
      icon: 'send',
      place: 'main',
      isHidden: !isInvited,
      refusal: whyNoInvitation(user, t),
      said: t('people:invite.done', { email: user.email, hours: invitationHours }),
    },
    {
      key: 'enable',
      op: usersApi.enable,
      label: t('people:enable.action'),
      icon: 'check',
      place: 'main',
      isHidden: !isOut(user),
      said: t('people:enable.done', { name }),
    },
  ]
  return {
    actions,
    deeds: {
      explain: { run: () => go(`${places.accessControl}?who=user&guid=${guid}`) },
      password: { dialog: (close) => <PasswordDialog user={user} onClose={close} /> },
      // Nobody is left whose page this could be.
      cancel: {
        run: async () => {
          await cancel.mutateAsync({ guid })
          toast.success(t('people:cancel.done', { name }))
          await go(pathTo('Users'), { isReplacing: true })
        },
      },
    },
  }
}
