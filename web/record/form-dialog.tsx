import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFormState, type FieldValues, type UseFormReturn } from 'react-hook-form'
import { applyServerErrors } from '../core/api/forms.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Dialog, DialogActions } from '../core/ui/dialog.tsx'
import { FormError } from '../core/ui/form-card.tsx'

export interface FormDialogProps<T extends FieldValues, O> {
  form: UseFormReturn<T, unknown, O>
  title: string
  action: string
  /** Saves; what it throws is shown on the fields it belongs to, and the dialog stays open. */
  onSave: (input: O) => Promise<unknown>
  onClose: () => void
  children: ReactNode
  size?: 'md' | 'lg'
}

/** A short form over the page. */
export function FormDialog<T extends FieldValues, O>({
  form,
  title,
  action,
  onSave,
  onClose,
  children,
  size = 'lg',
}: FormDialogProps<T, O>) {
  const t = useT('common')
  const { isSubmitting } = useFormState({ control: form.control })
  const submit = form.handleSubmit(async (input) => {
    try {
      await onSave(input)
      onClose()
    } catch (failure) {
      const fields = form.getValues()
      applyServerErrors(failure, form.setError, (path) => path in fields)
    }
  })
  return (
    <Dialog isBusy={isSubmitting} onClose={onClose} title={title} size={size}>
      <form noValidate className="stack" onSubmit={(event) => void submit(event)}>
        <FormError control={form.control} />
        {children}
        <DialogActions>
          <Button variant="default" onClick={onClose} disabled={isSubmitting}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={isSubmitting}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
