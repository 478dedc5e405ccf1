import { useState } from 'react'
import { Button } from '@mantine/core'
import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { useWatch } from 'react-hook-form'
import { useT } from '../core/i18n/i18n.ts'
import { TextField } from '../core/ui/fields.tsx'

/** A text in English, and on demand in the other languages. `name` is its place in the form. */
export function WordingFields<T extends FieldValues, O>({
  control,
  name,
  label,
  description,
  maxLength,
  isRequired = false,
}: {
  control: Control<T, unknown, O>
  name: string
  label: string
  description?: string
  maxLength: number
  isRequired?: boolean
}) {
  const t = useT('options')
  const at = (language: string) => `${name}.${language}` as FieldPath<T>
  const said = useWatch({ control, name: name as FieldPath<T> }) as Record<string, string | null> | null
  const [isOpen, setOpen] = useState(Boolean(said?.['fr'] ?? said?.['ar']))
  const more = description ? { description } : {}
  return (
    <div className="wording">
      <TextField
        control={control}
        name={at('en')}
        label={label}
        {...more}
        maxLength={maxLength}
        isRequired={isRequired}
      />
      {isOpen ? (
        <div className="grid-2 form-grid">
          <TextField
            control={control}
            name={at('fr')}
            language="fr"
            label={t('options:inFrench', { label })}
            maxLength={maxLength}
          />
          <TextField
            control={control}
            name={at('ar')}
            language="ar"
            label={t('options:inArabic', { label })}
            maxLength={maxLength}
          />
        </div>
      ) : (
        <div>
          <Button variant="subtle" size="compact-sm" onClick={() => setOpen(true)}>
            {t('options:translate')}
          </Button>
        </div>
      )}
    </div>
  )
}
