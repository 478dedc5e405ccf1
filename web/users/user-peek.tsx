import { usersApi } from '../../contract/users.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { PersonHead } from './person-head.tsx'

/** A person at a glance. */
export function UserPeek({ guid }: { guid: string }) {
  const t = useT('people', 'common')
  const read = useRead(usersApi.get, { guid })
  return (
    <Loaded of={read}>
      {({ user }) => (
        <div className="stack">
          <PersonHead user={user} />
          <KeyValueList
            items={[
              { label: t('people:login'), value: user.authID },
              { label: t('people:email'), value: user.email || null },
              { label: t('people:phone'), value: user.phone || null },
              { label: t('people:twoStep'), value: user.hasTwoStep ? t('people:on') : t('people:off') },
              {
                label: t('people:lastSeen'),
                value: user.lastSeenAt ? <DateText value={user.lastSeenAt} as="relative" /> : t('people:never'),
              },
              {
                label: t('people:lastLogin'),
                value: user.lastLoginAt ? <DateText value={user.lastLoginAt} as="dateTime" /> : t('people:never'),
              },
              { label: t('people:created'), value: <DateText value={user.createdAt} /> },
            ]}
          />
        </div>
      )}
    </Loaded>
  )
}
