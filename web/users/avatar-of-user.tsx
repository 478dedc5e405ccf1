import { usersApi, type User } from '../../contract/users.ts'
import { PictureField } from '../people/picture-field.tsx'
import { useWrite } from '../core/api/hooks.ts'

/** The picture of somebody else, chosen by an administrator. */
export function AvatarOfUser({ user }: { user: Pick<User, 'guid' | 'version'> & { avatar: string | null } }) {
  const set = useWrite(usersApi.setAvatar)
  return (
    <PictureField
      hasPicture={user.avatar !== null}
      save={(avatar) => set.mutateAsync({ guid: user.guid, version: user.version, avatar })}
    />
  )
}
