import { useEffect, useEffectEvent, useState } from 'react'
import type { z } from 'zod'
import { rolesApi } from '../../contract/roles.ts'
import { usersApi, type User } from '../../contract/users.ts'
import { useUser } from '../core/api/auth-state.ts'
import { asApiError } from '../core/api/error.ts'
import { applyServerErrors } from '../core/api/forms.ts'
import { useCan } from '../core/api/can.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { SelectField, TextField } from '../core/ui/fields.tsx'
import { FormCard } from '../core/ui/form-card.tsx'
import { toast } from '../core/ui/toast.tsx'
import { useSchemaForm } from '../record/schema-form.ts'
import { StaleChoice } from '../record/stale-choice.tsx'
import { isSelf, nameOfUser } from './user-words.ts'

const changed = usersApi.update.body.omit({ version: true }).required({ authID: true, roleGuid: true })
type Sent = z.output<typeof changed>

interface Values {
  firstName: string
  lastName: string
  authID: string
  email: string
  phone: string
  roleGuid: string
}

const valuesOf = ({ firstName, lastName, authID, email, phone, roleGuid }: User): Values => ({
  firstName,
  lastName,
  authID,
  email,
  phone,
  roleGuid,
})

/** Name, login, ways to reach the person, and the role. */
export function UserForm({ first }: { first: User }) {
  const [base, setBase] = useState(first)
  return <Fields key={base.version} user={base} newest={first} onSaved={setBase} />
}

function Fields({ user, newest, onSaved }: { user: User; newest: User; onSaved: (user: User) => void }) {
  const t = useT('people', 'record', 'common')
  const me = useUser()
  const mayRoles = useCan(rolesApi.list)
  const roles = useRead(rolesApi.list, { size: 100, sort: 'name', kind: 'staff' }, { enabled: mayRoles })
  const [mine, setMine] = useState<Sent | null>(null)
  const form = useSchemaForm<Values, Sent>(changed, valuesOf(user))
  const update = useWrite(usersApi.update)
  const options = (roles.data?.items ?? []).map((role) => ({ value: role.guid, label: role.name }))
  const known = options.some((role) => role.value === user.roleGuid)
    ? options
    : [...options, { value: user.roleGuid, label: user.roleName }]
  const nameOfRole = (guid: string | undefined) => known.find((role) => role.value === guid)?.label ?? ''
  const self = isSelf(user, me)
  const isInvited = user.status === 'invited'
  const send = async (input: Sent, version: number) => {
    const answer = await update.mutateAsync({ guid: user.guid, version, ...input })
    toast.success(
      t(input.roleGuid === user.roleGuid ? 'people:saved' : 'people:roleChanged', {
        name: nameOfUser(answer.user),
        role: answer.user.roleName,
      }),
    )
    onSaved(answer.user)
  }
  const submit = form.handleSubmit(async (input) => {
    setMine(input)
    try {
      await send(input, user.version)
    } catch (failure) {
      if (asApiError(failure).error !== 'STALE_VERSION') applyServerErrors(failure, form.setError)
    }
  })
  const { control, formState } = form
  const { isDirty } = formState
  // Something else of the user was changed: as long as nothing is typed, the form starts from there.
  const follow = useEffectEvent(() => {
    if (newest.version > user.version && !isDirty) onSaved(newest)
  })
  useEffect(() => follow(), [newest.version])
  return (
    <>
      <FormCard
        control={control}
        onSubmit={submit}
        title={t('people:profile')}
        actions={
          <ActionButton
            type="submit"
            icon="save"
            loading={update.isPending}
            disabledReason={isDirty ? null : t('people:nothingChanged')}
          >
            {t('people:save')}
          </ActionButton>
        }
      >
        <div className="grid-2 form-grid">
          <TextField
            control={control}
            name="firstName"
            label={t('people:firstName')}
            isRequired={!isInvited}
            maxLength={80}
          />
          <TextField control={control} name="lastName" label={t('people:lastName')} maxLength={80} />
          <TextField
            control={control}
            name="authID"
            label={t('people:login')}
            description={t('people:loginHint')}
            isRequired
            maxLength={254}
          />
          <SelectField
            control={control}
            name="roleGuid"
            label={t('people:role')}
            description={self ? t('people:why.ownRole') : t('people:roleChangeHint')}
            options={known}
            isRequired
            isDisabled={self || !mayRoles}
          />
          <TextField
            control={control}
            name="email"
            type="email"
            inputMode="email"
            label={t('people:email')}
            maxLength={254}
          />
          <TextField
            control={control}
            name="phone"
            type="tel"
            inputMode="tel"
            label={t('people:phone')}
            maxLength={40}
          />
        </div>
      </FormCard>
      <StaleChoice<User>
        error={update.error}
        noun="user"
        mine={mine as Partial<User> | null}
        fields={[
          { label: t('people:firstName'), show: (u) => u.firstName ?? '' },
          { label: t('people:lastName'), show: (u) => u.lastName ?? '' },
          { label: t('people:login'), show: (u) => u.authID ?? '' },
          { label: t('people:email'), show: (u) => u.email ?? '' },
          { label: t('people:phone'), show: (u) => u.phone ?? '' },
          { label: t('people:role'), show: (u) => nameOfRole(u.roleGuid) },
        ]}
        onKeepMine={(theirs) => {
          if (mine) void send(mine, theirs.version).catch(() => undefined)
        }}
        onTakeTheirs={onSaved}
        onClose={() => update.reset()}
      />
    </>
  )
}
