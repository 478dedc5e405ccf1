import { MultiSelect } from '@mantine/core'
import { useController } from 'react-hook-form'
import { categoriesApi } from '../../contract/categories.ts'
import { revenueStreamsApi } from '../../contract/revenue-streams.ts'
import { useCan } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { SelectField } from '../core/ui/fields.tsx'
import type { ProductFormState } from './price-fields.tsx'

const most = 100

/** The stream that counts its revenue. */
export function StreamField({ form }: { form: ProductFormState }) {
  const t = useT('products')
  const may = useCan(revenueStreamsApi.list)
  const streams = useRead(revenueStreamsApi.list, { size: most, sort: 'name' }, { enabled: may })
  if (!may) return null
  return (
    <SelectField
      control={form.control}
      name="revenueStreamGuid"
      label={t('products:stream')}
      isClearable
      options={(streams.data?.items ?? []).map((stream) => ({ value: stream.guid, label: stream.name }))}
    />
  )
}

/** Where it is found: each category with those it lies in. */
export function CategoriesField({ form }: { form: ProductFormState }) {
  const t = useT('products')
  const may = useCan(categoriesApi.list)
  const read = useRead(categoriesApi.list, {}, { enabled: may })
  const { field, fieldState } = useController({ control: form.control, name: 'categoryGuids' })
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
      value={field.value as unknown as string[]}
      onChange={field.onChange}
      onBlur={field.onBlur}
      searchable
      maxValues={20}
      nothingFoundMessage={t('products:categories.empty')}
      error={fieldState.error?.message}
    />
  )
}
