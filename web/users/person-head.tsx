import type { User } from '../../contract/users.ts'
import { StatusChip, type Tone } from '../core/ui/status-chip.tsx'
import { PersonName, Portrait } from '../people/portrait.tsx'
import { nameOfUser } from './user-words.ts'
import './users.css'

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
        <PersonName>{nameOfUser(user)}</PersonName>
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
