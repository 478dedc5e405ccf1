import type { User } from '../../contract/users.ts'
import { Avatar } from '../core/ui/avatar.tsx'
import { StatusChip, type Tone } from '../core/ui/status-chip.tsx'
import { nameOfUser } from './user-words.ts'
import './users.css'

/** The picture of a person, or the initials. */
export function Portrait({ name, picture, size = 72 }: { name: string; picture: string | null; size?: number }) {
  if (!picture) return <Avatar name={name} size={size} />
  return <img className="portrait" src={picture} alt="" width={size} height={size} />
}

const tones: Record<User['status'], Tone> = {
  invited: 'primary',
  active: 'success',
  locked: 'error',
  suspended: 'error',
  archived: 'neutral',
}

export const UserStatusChip = ({ status }: { status: User['status'] }) => (
  <StatusChip status={status} ns="people" tone={tones[status]} />
)

/** Picture, name, role and status. */
export function PersonHead({
  user,
  hasStatus = true,
}: {
  user: Pick<User, 'name' | 'authID' | 'roleName' | 'status'> & { avatar: string | null }
  hasStatus?: boolean
}) {
  return (
    <div className="person-head">
      <Portrait name={nameOfUser(user)} picture={user.avatar} />
      <div className="person-head-text">
        <p className="person-name">{nameOfUser(user)}</p>
        <p className="muted no-margin">{user.roleName}</p>
        {hasStatus ? (
          <div className="person-status">
            <UserStatusChip status={user.status} />
          </div>
        ) : null}
      </div>
    </div>
  )
}
