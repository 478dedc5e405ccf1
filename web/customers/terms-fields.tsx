import { Controller, type UseFormReturn } from 'react-hook-form'
import { customerInput, type Customer, type CustomerInput } from '../../contract/customers.ts'
import { priceListsApi } from '../../contract/price-lists.ts'
import { useCan } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { SelectField } from '../core/ui/fields.tsx'
import { PercentInput } from '../core/ui/inputs.tsx'
import { coreOf } from '../record/field-kinds.ts'
import type { Fields } from '../record/record-facts.tsx'
import { RecordField } from '../record/record-fields.tsx'
import type { CustomerValues, SentCustomer } from './customer-form.tsx'

type Terms = Omit<NonNullable<CustomerInput['terms']>, 'termsDays'>

const termsFields: Fields<Terms> = {
  schema: coreOf(customerInput.shape.terms) as Fields<Terms>['schema'],
  rows: {
    limitCents: { label: 'customers:terms.limit', hint: 'customers:terms.limitHint' },
    discountBp: { label: 'customers:terms.discount' },
    isOnHold: { label: 'customers:terms.hold' },
    holdReason: { label: 'customers:terms.holdReason' },
    priceListGuid: { label: 'customers:terms.priceList', hint: 'customers:terms.priceListHint' },
  },
}

interface TermsProps {
  form: UseFormReturn<CustomerValues, unknown, SentCustomer>
  /** The list the customer has, so that it has a name. */
  priceList: Customer['terms']['priceList']
}

/** What a business allows the customer. */
export function TermsFields({ form, priceList }: TermsProps) {
  const t = useT('customers')
  const mayLists = useCan(priceListsApi.list)
  const lists = useRead(priceListsApi.list, { size: 100, sort: 'name' }, { enabled: mayLists })
  const known = lists.data?.items ?? []
  const choices = known.map(({ guid, name, isActive }) => ({
    value: guid,
    label: isActive ? name : t('customers:terms.listOff', { name }),
  }))
  // One that was archived stays until another is chosen.
  if (priceList && !known.some(({ guid }) => guid === priceList.guid))
    choices.unshift({ value: priceList.guid, label: t('customers:terms.listOff', { name: priceList.label }) })
  const { control } = form
  const isOnHold = form.watch('terms.isOnHold')
  return (
    <div className="grid-2 form-grid">
      <RecordField of={termsFields} control={control} at="terms" name="limitCents" />
      <Controller
        control={control}
        name="terms.discountBp"
        render={({ field, fieldState }) => (
          <PercentInput
            label={t('customers:terms.discount')}
            value={field.value ?? null}
            error={fieldState.error?.message}
            onChange={field.onChange}
          />
        )}
      />
      {mayLists ? (
        <SelectField
          control={control}
          name="terms.priceListGuid"
          label={t('customers:terms.priceList')}
          description={t('customers:terms.priceListHint')}
          isClearable
          options={choices}
        />
      ) : null}
      <RecordField of={termsFields} control={control} at="terms" name="isOnHold" />
      {isOnHold ? <RecordField of={termsFields} control={control} at="terms" name="holdReason" /> : null}
    </div>
  )
}
