import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { usersApi } from '../../contract/users.ts'
import { useCan } from '../core/api/can.ts'
import { useT } from '../core/i18n/i18n.ts'
import { LookupField } from '../core/ui/lookup.tsx'

interface AssignedFieldProps<V extends FieldValues, O> {
  control: Control<V, unknown, O>
  name: FieldPath<V>
  /** Who does it now, by name. */
  chosen?: { guid: string; name: string } | null
}

/** Who does the work. */
export function AssignedField<V extends FieldValues, O>({ control, name, chosen }: AssignedFieldProps<V, O>) {
  const t = useT('orders')
  if (!useCan(usersApi.people)) return null
  return (
    <LookupField
      control={control}
      name={name}
      label={t('orders:assignedTo')}
      op={usersApi.people}
      option={(person) => ({ value: person.guid, label: person.name })}
      chosen={chosen ? { value: chosen.guid, label: chosen.name } : null}
      isClearable
    />
  )
}
