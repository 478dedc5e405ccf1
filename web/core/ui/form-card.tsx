import { Alert } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { useFormState, type Control, type FieldValues } from 'react-hook-form'
import { useUnsaved } from './unsaved.tsx'
import { Card } from './card.tsx'

export interface FormCardProps<T extends FieldValues, C, O> {
  control: Control<T, C, O>
  /** `form.handleSubmit(save)`. */
  onSubmit: (event: FormEvent) => Promise<void> | void
  title?: string
  children: ReactNode
  /** Buttons at the foot: submit last. */
  actions?: ReactNode
  id?: string
}

/** The sentence of a failed save that belongs to no field. */
export function FormError<T extends FieldValues, C, O>({ control }: { control: Control<T, C, O> }) {
  const { errors } = useFormState({ control: control as unknown as Control })
  const message = (errors.root as { server?: { message?: string } } | undefined)?.server?.message
  if (!message) return null
  return (
    <Alert color="red" variant="light" role="alert" className="form-error">
      {message}
    </Alert>
  )
}

/** A form in a card: server errors on top, actions at the foot, a warning before changes are lost. */
export function FormCard<T extends FieldValues, C, O>({
  control,
  onSubmit,
  title,
  children,
  actions,
  id,
}: FormCardProps<T, C, O>) {
  const { isDirty, isSubmitSuccessful, isSubmitting } = useFormState({ control: control as unknown as Control })
  const unsaved = useUnsaved(isDirty && !isSubmitting && !isSubmitSuccessful)
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)} {...(id ? { id } : {})}>
      {unsaved}
      <Card title={title}>
        <div className="stack form-stack">
          <FormError control={control} />
          {children}
          {actions ? <div className="row form-actions">{actions}</div> : null}
        </div>
      </Card>
    </form>
  )
}
