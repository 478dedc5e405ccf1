import { MultiSelect } from '@mantine/core'
import { useController, type Control, type FieldPath, type FieldValues } from 'react-hook-form'
import { categoriesApi } from '../../contract/categories.ts'
import { revenueStreamsApi } from '../../contract/revenue-streams.ts'
import { useCan } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { SelectField } from '../core/ui/fields.tsx'

const most = 100

/** A product's form, or one for many of them. */
interface Of<V extends FieldValues, O> {
  control: Control<V, unknown, O>
}

/** The stream that counts its revenue. */
export function StreamField<V extends FieldValues, O>({ control }: Of<V, O>) {
  const t = useT('products')
  const may = useCan(revenueStreamsApi.list)
  const streams = useRead(revenueStreamsApi.list, { size: most, sort: 'name' }, { enabled: may })
  if (!may) return null
  return (
    <SelectField
      control={control}
      name={'revenueStreamGuid' as FieldPath<V>}
      label={t('products:stream')}
      isClearable
      options={(streams.data?.items ?? []).map((stream) => ({ value: stream.guid, label: stream.name }))}
    />
  )
}

/** Where it is found: each category with those it lies in. */
export function CategoriesField<V extends FieldValues, O>({ control }: Of<V, O>) {
  const t = useT('products')
  const may = useCan(categoriesApi.list)
  const read = useRead(categoriesApi.list, {}, { enabled: may })
  const { field, fieldState } = useController({
    control: control as unknown as Control<{ categoryGuids: string[] }>,
    name: 'categoryGuids',
  })
  const items = read.data?.items ?? []
  const byGuid = new Map(items.map((category) => [category.guid, category]))
  const path = (guid: string | null): string => {
    const category = guid ? byGuid.get(guid) : undefined
    if (!category) return ''
    const above = path(category.parentGuid)
    return above ? `${above} › ${category.name}` : category.name
  }
  if (!may) return null
  return (
    <MultiSelect
      label={t('products:categories.tree')}
      data={items.map(({ guid }) => ({ value: guid, label: path(guid) }))}
      value={field.value}
      onChange={field.onChange}
      onBlur={field.onBlur}
      searchable
      maxValues={20}
      nothingFoundMessage={t('products:categories.empty')}
      error={fieldState.error?.message}
    />
  )
}
