import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { revenueStreamsApi } from '../../contract/revenue-streams.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { SelectField } from '../core/ui/fields.tsx'

const most = 100

interface ParentFieldProps<V extends FieldValues, O> {
  control: Control<V, unknown, O>
  /** The stream itself, which is part of another one. */
  guid: string | null
}

/** The stream it is part of. */
export function ParentField<V extends FieldValues, O>({ control, guid }: ParentFieldProps<V, O>) {
  const t = useT('products')
  const streams = useRead(revenueStreamsApi.list, { size: most, sort: 'name' })
  return (
    <SelectField
      control={control}
      name={'parentGuid' as FieldPath<V>}
      label={t('products:streams.parent')}
      placeholder={t('products:streams.noParent')}
      isClearable
      options={(streams.data?.items ?? [])
        .filter((other) => other.guid !== guid)
        .map((other) => ({ value: other.guid, label: other.name }))}
    />
  )
}
