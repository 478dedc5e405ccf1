import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { get, useFormState, type FieldValues, type UseFormReturn } from 'react-hook-form'
import { asApiError } from '../core/api/error.ts'
import { applyServerErrors } from '../core/api/forms.ts'
import { useT } from '../core/i18n/i18n.ts'
import { beginAtField } from '../core/ui/dialog-start.ts'
import { Dialog, DialogActions } from '../core/ui/dialog.tsx'
import { FormError } from '../core/ui/form-card.tsx'
import { changesOf } from './changes.ts'

export interface FormDialogProps<T extends FieldValues, O extends object> {
  form: UseFormReturn<T, unknown, O>
  title: string
  action: string
  /** Saves; what it throws is shown on the fields it belongs to, and the dialog stays open. */
  onSave: (input: O, changes: Partial<O>) => Promise<unknown>
  onClose: () => void
  children: ReactNode
  size?: 'md' | 'lg'
  /** Asks by itself whose version is to stay. */
  isStaleAsked?: boolean
  /** Nothing can be saved yet. */
  isBlocked?: boolean
}

/** A short form over the page. */
export function FormDialog<T extends FieldValues, O extends object>({
  form,
  title,
  action,
  onSave,
  onClose,
  children,
  size = 'lg',
  isStaleAsked = false,
  isBlocked = false,
}: FormDialogProps<T, O>) {
  const t = useT('common')
  const { isSubmitting } = useFormState({ control: form.control })
  const submit = form.handleSubmit(async (input) => {
    try {
      await onSave(input, changesOf(form.formState.defaultValues ?? {}, form.getValues(), input))
      onClose()
    } catch (failure) {
      // The question whose version is to stay has been asked by then.
      if (asApiError(failure).error === 'STALE_VERSION' && isStaleAsked) return
      const fields = form.getValues()
      applyServerErrors(failure, form.setError, (path) => get(fields, path) !== undefined)
    }
  })
  return (
    <Dialog isBusy={isSubmitting} onClose={onClose} title={title} size={size}>
      <form
        ref={beginAtField}
        noValidate
        className="stack"
        onSubmit={(event) => {
          // A dialog opened from a form is inside it for React, and its submit must not reach that one.
          event.stopPropagation()
          void submit(event)
        }}
      >
        <FormError control={form.control} at="head" />
        {children}
        <FormError control={form.control} at="button" />
        <DialogActions>
          <Button variant="default" onClick={onClose} disabled={isSubmitting}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={isSubmitting} disabled={isBlocked}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
