import { PasswordInput } from '@mantine/core'
import { useController, type Control } from 'react-hook-form'
import { z } from 'zod'
import { authApi, givenPassword, newPassword } from '../../contract/auth.ts'
import { applyServerErrors } from '../core/api/forms.ts'
import { useWrite } from '../core/api/hooks.ts'
import { phrase, useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { FormCard } from '../core/ui/form-card.tsx'
import { toast } from '../core/ui/toast.tsx'
import { useSchemaForm } from '../record/schema-form.ts'

const schema = z
  .strictObject({ currentPassword: givenPassword, newPassword, repeated: z.string() })
  .refine((given) => given.repeated === given.newPassword, {
    path: ['repeated'],
    error: () => phrase('account:password.different'),
  })
type Values = z.output<typeof schema>

function Field({
  control,
  name,
  label,
  description,
  autoComplete,
}: {
  control: Control<Values, unknown, Values>
  name: keyof Values
  label: string
  description?: string
  autoComplete: string
}) {
  const t = useT('account')
  const {
    field: { ref, value, onChange, onBlur },
    fieldState,
  } = useController({ control, name })
  return (
    <PasswordInput
      ref={ref}
      name={name}
      label={label}
      description={description}
      required
      autoComplete={autoComplete}
      maxLength={1024}
      value={value}
      error={fieldState.error?.message}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={onBlur}
      visibilityToggleButtonProps={{ 'aria-label': t('account:password.show'), tabIndex: 0 }}
    />
  )
}

/** One's own password; all other sessions end with the old one. */
export function PasswordCard() {
  const t = useT('account', 'record')
  const form = useSchemaForm<Values, Values>(schema, { currentPassword: '', newPassword: '', repeated: '' })
  const change = useWrite(authApi.changePassword, { onSuccess: () => toast.success(t('account:password.done')) })
  const submit = form.handleSubmit(async (given) => {
    await change
      .mutateAsync({ currentPassword: given.currentPassword, newPassword: given.newPassword })
      .then(() => form.reset())
      .catch((failure: unknown) => applyServerErrors(failure, form.setError))
  })
  return (
    <FormCard
      control={form.control}
      onSubmit={submit}
      title={t('account:password.title')}
      actions={
        <ActionButton type="submit" icon="lock" loading={change.isPending}>
          {t('account:password.action')}
        </ActionButton>
      }
    >
      <p className="muted no-margin">{t('account:password.text')}</p>
      <Field
        control={form.control}
        name="currentPassword"
        label={t('account:password.current')}
        autoComplete="current-password"
      />
      <Field
        control={form.control}
        name="newPassword"
        label={t('account:password.new')}
        description={t('account:password.hint')}
        autoComplete="new-password"
      />
      <Field control={form.control} name="repeated" label={t('account:password.repeat')} autoComplete="new-password" />
    </FormCard>
  )
}
