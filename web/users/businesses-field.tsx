import { MultiSelect } from '@mantine/core'
import { useController, type Control } from 'react-hook-form'
import { businessesApi } from '../../contract/businesses.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { FormValues } from '../record/form-values.ts'
import type { SentUser } from './user-fields.ts'

/** The businesses that one may let others work in: those one works in oneself. */
function useOwnBusinesses() {
  const { data } = useRead(businessesApi.current, {})
  return data?.businesses ?? []
}

/** Businesses by name; none named are all. */
export function useNamesOfBusinesses() {
  const t = useT('people')
  const businesses = useOwnBusinesses()
  return (guids: readonly string[] | null) =>
    guids && guids.length > 0
      ? guids.map((guid) => businesses.find((one) => one.guid === guid)?.name ?? guid).join(', ')
      : t('people:everyBusiness')
}

/** Where a person works. */
export function BusinessesField({
  control,
  isDisabled,
}: {
  control: Control<FormValues<SentUser>, unknown, SentUser>
  isDisabled: boolean
}) {
  const t = useT('people')
  const businesses = useOwnBusinesses()
  const {
    field: { ref, value: given, onChange, onBlur },
    fieldState,
  } = useController({ control, name: 'businessGuids' })
  const value = (given ?? []) as string[]
  if (businesses.length < 2 && value.length === 0) return null
  return (
    <MultiSelect
      ref={ref}
      label={t('people:businesses')}
      description={t('people:businessesHint')}
      placeholder={value.length > 0 ? '' : t('people:everyBusiness')}
      data={businesses.map(({ guid, name }) => ({ value: guid, label: name }))}
      value={value}
      onChange={onChange}
      onBlur={onBlur}
      disabled={isDisabled}
      clearable
      error={fieldState.error?.message}
    />
  )
}
