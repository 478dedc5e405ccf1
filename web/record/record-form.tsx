import type { ReactNode } from 'react'
import { useFormState, type FieldValues, type UseFormReturn } from 'react-hook-form'
import { applyServerErrors } from '../core/api/forms.ts'
import { asApiError } from '../core/api/error.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { Card } from '../core/ui/card.tsx'
import { FormError } from '../core/ui/form-card.tsx'
import { useSaveKey } from '../core/ui/save-key.ts'
import { useUnsaved } from '../core/ui/unsaved.tsx'
import { changesOf } from './changes.ts'
import './record.css'

/** Saves a form: everything that was entered, and of it what was changed. */
export type SaveRecord<O> = (input: O, changes: Partial<O>) => Promise<unknown>

export interface RecordFormProps<T extends FieldValues, O extends object> {
  form: UseFormReturn<T, unknown, O>
  /** Saves; what it throws is shown on the fields it belongs to, but for a stale version, which the page deals with. */
  save: SaveRecord<O>
  saveLabel: string
  /** Above the button in the rail. */
  rail?: ReactNode
  /** Cards. */
  children: ReactNode
  /** Fields can be looked at, not changed. */
  isReadOnly?: boolean
}

/**
 * Saves what was changed and says what is wrong where it is; the question whose version is to
 * stay has been asked by then.
 */
export async function saveChanges<T extends FieldValues, O extends object>(
  form: UseFormReturn<T, unknown, O>,
  input: O,
  save: (changes: Partial<O>, input: O) => Promise<unknown>,
) {
  try {
    await save(changesOf(form.formState.defaultValues ?? {}, form.getValues(), input), input)
  } catch (failure) {
    if (asApiError(failure).error === 'STALE_VERSION') form.setError('root.stale', { type: 'stale' })
    else applyServerErrors(failure, form.setError)
  }
}

/** The editor of a record: cards of fields beside a rail with the button. Ctrl/⌘-S saves. */
export function RecordForm<T extends FieldValues, O extends object>({
  form,
  save,
  saveLabel,
  rail,
  children,
  isReadOnly = false,
}: RecordFormProps<T, O>) {
  const t = useT('record')
  const { isDirty, isSubmitting, isSubmitSuccessful } = useFormState({ control: form.control })
  const unsaved = useUnsaved(isDirty && !isSubmitting && !isSubmitSuccessful)
  const submit = form.handleSubmit(
    (input) => saveChanges(form, input, (changes) => save(input, changes)),
    () => form.setError('root.server', { type: 'fields', message: t('record:lookAgain') }),
  )
  const saveKey = useSaveKey(isReadOnly)
  return (
    <form noValidate ref={saveKey} onSubmit={(event) => void submit(event)}>
      {unsaved}
      <fieldset className="plain-fieldset with-rail" disabled={isReadOnly}>
        <div className="stack cards">
          <FormError control={form.control} at="head" />
          {children}
        </div>
        {isReadOnly && !rail ? null : (
          <div className="stack record-rail">
            <Card>
              <div className="stack">
                {rail}
                {isReadOnly ? null : (
                  <ActionButton type="submit" icon="save" loading={isSubmitting} fullWidth>
                    {saveLabel}
                  </ActionButton>
                )}
                <FormError control={form.control} at="button" />
                {isDirty && !isReadOnly ? <p className="muted small no-margin">{t('record:unsaved')}</p> : null}
              </div>
            </Card>
          </div>
        )}
      </fieldset>
    </form>
  )
}
