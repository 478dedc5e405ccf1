import type { z } from 'zod'
import { customerInput, type Customer, type CustomerInput } from '../../contract/customers.ts'
import { useT } from '../core/i18n/i18n.ts'
import { fallbackLanguage } from '../core/i18n/languages.ts'
import { Card } from '../core/ui/card.tsx'
import { formValues, type FormValues } from '../record/form-values.ts'
import { RecordField, RecordFields } from '../record/record-fields.tsx'
import { RecordForm, type SaveRecord } from '../record/record-form.tsx'
import { useSchemaForm } from '../record/schema-form.ts'
import { customerFields } from './customer-fields.ts'
import { ContactsField, SitesField } from './people-fields.tsx'
import './customers.css'

export type SentCustomer = z.output<typeof customerInput>
export type CustomerValues = FormValues<CustomerInput>

export const emptyCustomer: CustomerValues = { ...formValues(customerInput), language: fallbackLanguage }

export const valuesOfCustomer = (customer: Customer): CustomerValues => formValues(customerInput, customer)

export function CustomerForm({
  defaults,
  save,
  saveLabel,
}: {
  defaults: CustomerValues
  save: SaveRecord<SentCustomer>
  saveLabel: string
}) {
  const t = useT('customers', 'record')
  const form = useSchemaForm<CustomerValues, SentCustomer>(customerInput, defaults)
  const { control } = form
  return (
    <RecordForm form={form} save={save} saveLabel={saveLabel}>
      <Card title={t('customers:details')}>
        <div className="stack">
          <div className="grid-2 form-grid">
            <RecordFields of={customerFields} control={control} place="name" />
            <RecordFields of={customerFields} control={control} place="details" />
          </div>
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
