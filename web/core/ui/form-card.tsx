import { Alert } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { useFormState, type Control, type FieldValues } from 'react-hook-form'
import { away } from '../api/error.ts'
import { useT } from '../i18n/i18n.ts'
import { Card } from './card.tsx'
import { intoView } from './into-view.ts'
import { useUnsaved } from './unsaved.tsx'

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

/** Stands beside the button that was pressed while the server could not be reached. */
export function NotSaved() {
  const t = useT('errors')
  return (
    <Alert color="red" variant="light" role="alert" className="form-error" ref={intoView}>
      {t('errors:notSaved')}
    </Alert>
  )
}

interface FormErrorProps<T extends FieldValues, C, O> {
  control: Control<T, C, O>
  /** Where a form is long, the server that is away is told at its `button`, and all else at its `head`. */
  at?: 'head' | 'button'
}

/** The sentence of a failed save that belongs to no field. */
export function FormError<T extends FieldValues, C, O>({ control, at }: FormErrorProps<T, C, O>) {
  const { errors } = useFormState({ control: control as unknown as Control })
  const failure = (errors.root as { server?: { type?: string; message?: string } } | undefined)?.server
  if (failure?.type === away) return at === 'head' ? null : <NotSaved />
  if (!failure?.message || at === 'button') return null
  return (
    <Alert color="red" variant="light" role="alert" className="form-error">
      {failure.message}
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
          <FormError control={control} at="head" />
          {children}
          <FormError control={control} at="button" />
          {actions ? <div className="row form-actions">{actions}</div> : null}
        </div>
      </Card>
    </form>
  )
}
