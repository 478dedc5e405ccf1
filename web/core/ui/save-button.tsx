import { useFormState, type Control, type FieldValues } from 'react-hook-form'
import { useT } from '../i18n/i18n.ts'
import { ActionButton } from './action-button.tsx'

export interface SaveButtonProps<T extends FieldValues, C, O> {
  control: Control<T, C, O>
  children: string
}

/** Saves the form of a record that exists: until something is changed it says that there is nothing to save. */
export function SaveButton<T extends FieldValues, C, O>({ control, children }: SaveButtonProps<T, C, O>) {
  const t = useT('common')
  const { isDirty, isSubmitting } = useFormState({ control: control as unknown as Control })
  return (
    <ActionButton
      type="submit"
      icon="save"
      loading={isSubmitting}
      disabledReason={isDirty ? null : t('common:nothingToSave')}
    >
      {children}
    </ActionButton>
  )
}
