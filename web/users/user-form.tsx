import { rolesApi } from '../../contract/roles.ts'
import { usersApi, type User } from '../../contract/users.ts'
import { useUser } from '../core/api/auth-state.ts'
import { useCan } from '../core/api/can.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { SaveButton } from '../core/ui/save-button.tsx'
import { SelectField, type Option } from '../core/ui/fields.tsx'
import { FormCard } from '../core/ui/form-card.tsx'
import { toast } from '../core/ui/toast.tsx'
import { useFollow } from '../record/follow.ts'
import { formValues, type FormValues } from '../record/form-values.ts'
import { RecordField } from '../record/record-fields.tsx'
import { saveChanges } from '../record/record-form.tsx'
import { useSaving } from '../record/saving.tsx'
import { useSchemaForm } from '../record/schema-form.ts'
import { BusinessesField, useNamesOfBusinesses } from './businesses-field.tsx'
import { invitedFields, userFields, type SentUser } from './user-fields.ts'
import { isSelf, nameOfUser } from './user-words.ts'

type Values = FormValues<SentUser>

/** Name, login, ways to reach the person, and the role. */
export function UserForm({ first }: { first: User }) {
  const t = useT('people', 'record', 'common')
  const mayRoles = useCan(rolesApi.list)
  const roles = useRead(rolesApi.list, { size: 100, sort: 'name', kind: 'staff' }, { enabled: mayRoles })
  const update = useWrite(usersApi.update)
  const nameOfBusinesses = useNamesOfBusinesses()
  const nameOfRole = (guid: string | null, { roleName, roleGuid }: Readonly<Record<string, unknown>>) =>
    roles.data?.items.find((role) => role.guid === guid)?.name ?? (guid === roleGuid ? String(roleName) : '')
  const { base, round, restart, save, dialog } = useSaving({
    first,
    noun: 'user',
    fields: {
      ...userFields,
      rows: {
        ...userFields.rows,
        roleGuid: { ...userFields.rows.roleGuid, show: (guid, _say, whole) => nameOfRole(guid, whole) },
        businessGuids: { ...userFields.rows.businessGuids, show: nameOfBusinesses },
      },
    },
    send: async (version, changes) => {
      const { user } = await update.mutateAsync({ guid: first.guid, version, ...changes })
      return user
    },
  })
  return (
    <>
      <Fields
        key={round}
        user={base}
        newest={first}
        roles={(roles.data?.items ?? []).map((role) => ({ value: role.guid, label: role.name }))}
        mayRoles={mayRoles}
        onNewer={restart}
        save={async (changes) => {
          const user = await save(changes)
          toast.success(
            t(user.roleGuid === base.roleGuid ? 'people:saved' : 'people:roleChanged', {
              name: nameOfUser(user),
              role: user.roleName,
            }),
          )
          restart(user)
        }}
      />
      {dialog}
    </>
  )
}

interface FieldsProps {
  user: User
  newest: User
  roles: readonly Option[]
  mayRoles: boolean
  onNewer: (user: User) => void
  save: (changes: Partial<SentUser>) => Promise<void>
}

function Fields({ user, newest, roles, mayRoles, onNewer, save }: FieldsProps) {
  const t = useT('people', 'record', 'common')
  const me = useUser()
  const fields = user.status === 'invited' ? invitedFields : userFields
  const form = useSchemaForm<Values, SentUser>(fields.schema, formValues(fields.schema, user))
  const known = roles.some((role) => role.value === user.roleGuid)
    ? roles
    : [...roles, { value: user.roleGuid, label: user.roleName }]
  const self = isSelf(user, me)
  const submit = form.handleSubmit((input) => saveChanges(form, input, save))
  const { control, formState } = form
  const { isDirty } = formState
  useFollow(newest, user, isDirty, onNewer)
  return (
    <FormCard
      control={control}
      onSubmit={submit}
      title={t('people:profile')}
      actions={<SaveButton control={control}>{t('people:save')}</SaveButton>}
    >
      <div className="grid-2 form-grid">
        <RecordField of={fields} control={control} name="firstName" />
        <RecordField of={fields} control={control} name="lastName" />
        <RecordField of={fields} control={control} name="authID" />
        <SelectField
          control={control}
          name="roleGuid"
          label={t('people:role')}
          description={self ? t('people:why.ownRole') : t('people:roleChangeHint')}
          options={known}
          isRequired
          isDisabled={self || !mayRoles}
        />
        <RecordField of={fields} control={control} name="email" />
        <RecordField of={fields} control={control} name="phone" />
        <BusinessesField control={control} isDisabled={self} />
      </div>
    </FormCard>
  )
}
