import { Controller, type UseFormReturn } from 'react-hook-form'
import { customerInput, type CustomerInput } from '../../contract/customers.ts'
import { useT } from '../core/i18n/i18n.ts'
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
  },
}

/** What a business allows the customer. */
export function TermsFields({ form }: { form: UseFormReturn<CustomerValues, unknown, SentCustomer> }) {
  const t = useT('customers')
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
      <RecordField of={termsFields} control={control} at="terms" name="isOnHold" />
      {isOnHold ? <RecordField of={termsFields} control={control} at="terms" name="holdReason" /> : null}
    </div>
  )
}
