import type { z } from 'zod'
import { customerInput, type Customer, type CustomerInput } from '../../contract/customers.ts'
import { useT } from '../core/i18n/i18n.ts'
import { fallbackLanguage } from '../core/i18n/languages.ts'
import { Card } from '../core/ui/card.tsx'
import { formValues, type FormValues } from '../record/form-values.ts'
import { RecordField, RecordFields } from '../record/record-fields.tsx'
import { RecordForm, type SaveRecord } from '../record/record-form.tsx'
import { useSchemaForm } from '../record/schema-form.ts'
import { AlikeHint } from './alike-hint.tsx'
import { customerFields } from './customer-fields.ts'
import { ContactsField, SitesField } from './people-fields.tsx'
import { TermsFields } from './terms-fields.tsx'
import './customers.css'

export type SentCustomer = z.output<typeof customerInput>
export type CustomerValues = FormValues<CustomerInput>

/** The days of payment have a field of their own: they are not sent twice. */
const withDaysOnce = ({ terms, ...values }: CustomerValues): CustomerValues => {
  const { termsDays: _days, ...rest } = terms
  return { ...values, terms: rest }
}

export const emptyCustomer: CustomerValues = withDaysOnce({
  ...formValues(customerInput),
  language: fallbackLanguage,
})

/** A customer as the form has one. */
export const formable = ({ terms, ...customer }: Customer) => {
  const { limitCents, isOnHold, holdReason, discountBp, priceListGuid } = terms
  return { ...customer, terms: { limitCents, isOnHold, holdReason, discountBp, priceListGuid } }
}
export const valuesOfCustomer = (customer: ReturnType<typeof formable>): CustomerValues =>
  withDaysOnce(formValues(customerInput, customer))

export function CustomerForm({
  defaults,
  priceList = null,
  save,
  saveLabel,
  isNew = false,
}: {
  defaults: CustomerValues
  /** The list the customer has, so that it has a name. */
  priceList?: Customer['terms']['priceList']
  save: SaveRecord<SentCustomer>
  saveLabel: string
  /** Nobody yet: whoever it may be already is told. */
  isNew?: boolean
}) {
  const t = useT('customers', 'record')
  const form = useSchemaForm<CustomerValues, SentCustomer>(customerInput, defaults)
  const { control } = form
  return (
    <RecordForm form={form} save={save} saveLabel={saveLabel}>
      {isNew ? <AlikeHint control={control} /> : null}
      <Card title={t('customers:details')}>
        <div className="stack">
          <div className="grid-2 form-grid">
            <RecordFields of={customerFields} control={control} place="name" />
            <RecordFields of={customerFields} control={control} place="details" />
          </div>
        </div>
      </Card>
      <Card title={t('customers:terms.title')}>
        <div className="stack">
          <div className="grid-2 form-grid">
            <RecordField of={customerFields} control={control} name="paymentTermsDays" />
          </div>
          <TermsFields form={form} priceList={priceList} />
        </div>
      </Card>
      <Card title={t('customers:billingAddress')}>
        <RecordField of={customerFields} control={control} name="billingAddress" />
      </Card>
      <Card title={t('customers:contacts.title')}>
        <ContactsField form={form} />
      </Card>
      <Card title={t('customers:sites.title')}>
        <SitesField form={form} />
      </Card>
      <Card title={t('customers:internalNotes')}>
        <RecordFields of={customerFields} control={control} place="notes" />
      </Card>
    </RecordForm>
  )
}
