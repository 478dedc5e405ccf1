import type { User } from '../../contract/users.ts'
import type { UserData } from '../core/api/auth-state.ts'
import type { T } from '../core/i18n/i18n.ts'

type Known = Pick<User, 'guid' | 'status' | 'name' | 'authID' | 'email'>

/** What a person is called: somebody who has not come yet has an address only. */
export const nameOfUser = (user: Pick<User, 'name' | 'authID'>) => user.name || user.authID

export const isSelf = (user: Pick<User, 'guid'>, me: UserData | null) => me?.guid === user.guid
export const isOut = (user: Pick<User, 'status'>) =>
  user.status === 'suspended' || user.status === 'locked' || user.status === 'archived'

export const whyNotDisabled = (user: Known, me: UserData | null, t: T) =>
  isSelf(user, me) ? t('people:why.self') : null
export const whyNoPassword = (user: Known, t: T) => (user.status === 'invited' ? t('people:why.invited') : null)
export const whyNoInvitation = (user: Known, t: T) => (user.email ? null : t('people:why.noEmail'))
