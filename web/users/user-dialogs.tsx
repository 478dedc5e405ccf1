import { Alert } from '@mantine/core'
import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { newPassword } from '../../contract/auth.ts'
import { invitationHours } from '../../contract/credentials.ts'
import { usersApi, type User } from '../../contract/users.ts'
import type { Role } from '../../contract/roles.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { languageFacts, languages } from '../../contract/core/languages.ts'
import { SelectField, type Option } from '../core/ui/fields.tsx'
import { toast } from '../core/ui/toast.tsx'
import { FormDialog } from '../record/form-dialog.tsx'
import { RecordField } from '../record/record-fields.tsx'
import { useSchemaForm } from '../record/schema-form.ts'
import { PasswordField } from './password-field.tsx'
import { invitedFields, userFields } from './user-fields.ts'
import { nameOfUser } from './user-words.ts'

const newUser = usersApi.create.body

interface NewValues {
  firstName: string
  lastName: string
  authID: string
  email: string
  phone: string
  roleGuid: string | null
  password: string
}

/** Somebody without mail, or who sits beside: the password is handed over in person. */
export function NewUserDialog({ roles, onClose }: { roles: readonly Option[]; onClose: () => void }) {
  const t = useT('people', 'record')
  const form = useSchemaForm<NewValues, z.output<typeof newUser>>(newUser, {
    firstName: '',
    lastName: '',
    authID: '',
    email: '',
    phone: '',
    roleGuid: null,
    password: '',
  })
  const create = useWrite(usersApi.create, {
    onSuccess: ({ user }) => toast.success(t('people:create.done', { name: nameOfUser(user) })),
  })
  return (
    <FormDialog
      form={form}
      title={t('people:create.title')}
      action={t('people:create.save')}
      onSave={(input) => create.mutateAsync(input)}
      onClose={onClose}
    >
      <div className="grid-2 form-grid">
        <RecordField of={userFields} control={form.control} name="firstName" autoFocus />
        <RecordField of={userFields} control={form.control} name="lastName" />
        <RecordField of={userFields} control={form.control} name="authID" />
        <SelectField
          control={form.control}
          name="roleGuid"
          label={t('people:role')}
          description={t('people:roleHint')}
          options={roles}
          isRequired
        />
        <RecordField of={userFields} control={form.control} name="email" />
        <RecordField of={userFields} control={form.control} name="phone" />
      </div>
      <PasswordField
        control={form.control}
        name="password"
        label={t('people:password.label')}
        description={t('people:password.hint')}
      />
    </FormDialog>
  )
}

const { email, roleGuid, authID, firstName, lastName, phone, language } = usersApi.invite.body.shape
/** As it is typed: what may be left out may be left empty. */
const invited = z.strictObject({
  email,
  roleGuid,
  authID: authID.or(z.literal('')),
  firstName,
  lastName,
  phone,
  language: language.nullable(),
})
type Invited = z.output<typeof invited>

/** What is left empty is left out: the server knows what stands in for it. */
const sent = (given: Invited) =>
  Object.fromEntries<unknown>(Object.entries(given).filter(([, value]) => value !== '' && value !== null)) as z.input<
    typeof usersApi.invite.body
  >

interface InviteValues {
  email: string
  authID: string
  firstName: string
  lastName: string
  phone: string
  roleGuid: string | null
  language: string | null
}

/** Invites by mail; the person chooses the password and, where the role asks for it, sets up two-step login. */
export function InviteDialog({
  roles,
  onClose,
}: {
  roles: readonly Pick<Role, 'guid' | 'name' | 'description' | 'requiresTwoStep'>[]
  onClose: () => void
}) {
  const t = useT('people', 'record', 'account')
  const form = useSchemaForm<InviteValues, Invited>(invited, {
    email: '',
    authID: '',
    firstName: '',
    lastName: '',
    phone: '',
    roleGuid: null,
    language: null,
  })
  const invite = useWrite(usersApi.invite, {
    onSuccess: ({ user }) => toast.success(t('people:invite.done', { email: user.email, hours: invitationHours })),
  })
  const chosen = useWatch({ control: form.control, name: 'roleGuid' })
  const role = roles.find((candidate) => candidate.guid === chosen)
  return (
    <FormDialog
      form={form}
      title={t('people:invite.title')}
      action={t('people:invite.save')}
      onSave={(input) => invite.mutateAsync(sent(input))}
      onClose={onClose}
    >
      <p className="muted no-margin">{t('people:invite.text', { hours: invitationHours })}</p>
      <div className="grid-2 form-grid">
        <RecordField of={invitedFields} control={form.control} name="email" isRequired autoFocus />
        <SelectField
          control={form.control}
          name="roleGuid"
          label={t('people:role')}
          options={roles.map(({ guid, name }) => ({ value: guid, label: name }))}
          isRequired
        />
        <RecordField of={invitedFields} control={form.control} name="firstName" />
        <RecordField of={invitedFields} control={form.control} name="lastName" />
        <RecordField
          of={invitedFields}
          control={form.control}
          name="authID"
          isRequired={false}
          hint={t('people:invite.loginHint')}
        />
        <SelectField
          control={form.control}
          name="language"
          label={t('account:formats.language')}
          placeholder={t('people:invite.anyLanguage')}
          isClearable
          options={languages.map((language) => ({ value: language, label: languageFacts[language].name }))}
        />
      </div>
      {role ? (
        <Alert variant="light" color="gray">
          {[role.description, role.requiresTwoStep ? t('people:invite.twoStep') : ''].filter(Boolean).join(' ') ||
            role.name}
        </Alert>
      ) : null}
    </FormDialog>
  )
}

const passwordOnly = z.strictObject({ password: newPassword })

export function PasswordDialog({
  user,
  onClose,
}: {
  user: Pick<User, 'guid' | 'version' | 'name' | 'authID'>
  onClose: () => void
}) {
  const t = useT('people', 'record')
  const form = useSchemaForm<{ password: string }, z.output<typeof passwordOnly>>(passwordOnly, { password: '' })
  const save = useWrite(usersApi.setPassword, {
    onSuccess: () => toast.success(t('people:password.done', { name: nameOfUser(user) })),
  })
  return (
    <FormDialog
      form={form}
      title={t('people:password.title', { name: nameOfUser(user) })}
      action={t('people:password.action')}
      onSave={({ password }) => save.mutateAsync({ guid: user.guid, version: user.version, password })}
      onClose={onClose}
    >
      <p className="muted no-margin">{t('people:password.text')}</p>
      <PasswordField
        control={form.control}
        name="password"
        label={t('people:password.label')}
        description={t('people:password.hint')}
      />
    </FormDialog>
  )
}
