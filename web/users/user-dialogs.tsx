import { Alert, Button, Group, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Control, FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import { z } from 'zod'
import { newPassword } from '../../contract/auth.ts'
import { usersApi, type User } from '../../contract/users.ts'
import { asApiError } from '../core/api/error.ts'
import { applyServerErrors } from '../core/api/forms.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { SelectField, TextField, type Option } from '../core/ui/fields.tsx'
import { FormError } from '../core/ui/form-card.tsx'
import { toast } from '../core/ui/toast.tsx'
import { useSchemaForm } from '../parts/schema-form.ts'
import { PasswordField } from './password-field.tsx'

const newUser = usersApi.create.body
const changedUser = usersApi.update.body.omit({ version: true }).required({ authId: true, firstName: true, roleGuid: true })

interface PersonValues {
  firstName: string
  lastName: string
  authId: string
  email: string
  phone: string
  roleGuid: string | null
}

interface FormDialogProps<T extends FieldValues, O> {
  form: UseFormReturn<T, unknown, O>
  title: string
  action: string
  onSave: (input: O) => Promise<unknown>
  onClose: () => void
  children: ReactNode
}

function FormDialog<T extends FieldValues, O>({ form, title, action, onSave, onClose, children }: FormDialogProps<T, O>) {
  const t = useT('common')
  const { isSubmitting } = form.formState
  const submit = form.handleSubmit(async (input) => {
    try {
      await onSave(input)
      onClose()
    } catch (failure) {
      applyServerErrors(failure, form.setError)
    }
  })
  return (
    <Modal opened onClose={isSubmitting ? () => undefined : onClose} title={title} size="lg" closeButtonProps={{ 'aria-label': t('common:close') }}>
      <form noValidate className="stack" onSubmit={(event) => void submit(event)}>
        <FormError control={form.control} />
        {children}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} disabled={isSubmitting}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={isSubmitting}>
            {action}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

function PersonFields<T extends FieldValues, O>({ control, roles, roleHint, isRoleFixed = false }: { control: Control<T, unknown, O>; roles: readonly Option[]; roleHint: string; isRoleFixed?: boolean }) {
  const t = useT('setup')
  const at = (name: keyof PersonValues) => name as FieldPath<T>
  return (
    <div className="grid-2" style={{ '--gap': '1rem' } as React.CSSProperties}>
      <TextField control={control} name={at('firstName')} label={t('setup:users.firstName')} isRequired maxLength={80} autoFocus />
      <TextField control={control} name={at('lastName')} label={t('setup:users.lastName')} maxLength={80} />
      <TextField control={control} name={at('authId')} label={t('setup:users.login')} description={t('setup:users.loginHint')} isRequired maxLength={254} />
      <SelectField control={control} name={at('roleGuid')} label={t('setup:users.role')} description={roleHint} options={roles} isRequired isDisabled={isRoleFixed} />
      <TextField control={control} name={at('email')} type="email" inputMode="email" label={t('setup:users.email')} maxLength={254} />
      <TextField control={control} name={at('phone')} type="tel" inputMode="tel" label={t('setup:users.phone')} maxLength={40} />
    </div>
  )
}

export function NewUserDialog({ roles, onClose }: { roles: readonly Option[]; onClose: () => void }) {
  const t = useT('setup', 'parts')
  const form = useSchemaForm<PersonValues & { password: string }, z.output<typeof newUser>>(newUser, { firstName: '', lastName: '', authId: '', email: '', phone: '', roleGuid: null, password: '' })
  const create = useWrite(usersApi.create, { stale: ['roles'], onSuccess: ({ user }) => toast.success(t('setup:users.made', { name: user.name })) })
  return (
    <FormDialog form={form} title={t('setup:users.new')} action={t('setup:users.create')} onSave={(input) => create.mutateAsync(input)} onClose={onClose}>
      <PersonFields control={form.control} roles={roles} roleHint={t('setup:users.roleHint')} />
      <PasswordField control={form.control} name="password" label={t('setup:users.password')} description={t('setup:users.passwordHint')} />
    </FormDialog>
  )
}

export function EditUserDialog({ user, roles, isSelf, onClose }: { user: User; roles: readonly Option[]; isSelf: boolean; onClose: () => void }) {
  const t = useT('setup', 'parts')
  const { firstName, lastName, authId, email, phone, roleGuid } = user
  const form = useSchemaForm<PersonValues, z.output<typeof changedUser>>(changedUser, { firstName, lastName, authId, email, phone, roleGuid })
  const update = useWrite(usersApi.update, { stale: ['roles'], onSuccess: () => toast.success(t('setup:users.saved')) })
  const isStale = update.error ? asApiError(update.error).error === 'STALE_VERSION' : false
  const known = roles.some((role) => role.value === roleGuid) ? roles : [...roles, { value: roleGuid, label: user.roleName }]
  return (
    <FormDialog form={form} title={t('setup:users.editTitle', { name: user.name })} action={t('setup:users.save')} onSave={(input) => update.mutateAsync({ guid: user.guid, version: user.version, ...input })} onClose={onClose}>
      {isStale ? (
        <Alert color="orange" variant="light">
          {t('setup:users.stale')}
        </Alert>
      ) : null}
      <PersonFields control={form.control} roles={known} roleHint={isSelf ? t('setup:users.why.ownRole') : t('setup:users.roleChangeHint')} isRoleFixed={isSelf} />
    </FormDialog>
  )
}

const passwordOnly = z.strictObject({ password: newPassword })

export function PasswordDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const t = useT('setup', 'parts')
  const form = useSchemaForm<{ password: string }, z.output<typeof passwordOnly>>(passwordOnly, { password: '' })
  const save = useWrite(usersApi.setPassword, { onSuccess: () => toast.success(t('setup:users.passwordSet')) })
  return (
    <FormDialog form={form} title={t('setup:users.passwordTitle', { name: user.name })} action={t('setup:users.setPassword')} onSave={({ password }) => save.mutateAsync({ guid: user.guid, version: user.version, password })} onClose={onClose}>
      <p className="muted no-margin">{t('setup:users.passwordText')}</p>
      <PasswordField control={form.control} name="password" label={t('setup:users.password')} description={t('setup:users.passwordHint')} />
    </FormDialog>
  )
}
