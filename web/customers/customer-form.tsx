import type { Control } from 'react-hook-form'
import type { z } from 'zod'
import { customerInput, customerKinds, type Customer } from '../../contract/customers.ts'
import { formatAbn } from '../../contract/core/abn.ts'
import { useT } from '../core/i18n/i18n.ts'
import { languageFacts, languages } from '../../contract/core/languages.ts'
import { fallbackLanguage } from '../core/i18n/languages.ts'
import { Card } from '../core/ui/card.tsx'
import { NumberField, SelectField, TextAreaField, TextField } from '../core/ui/fields.tsx'
import { AbnField } from '../record/abn-field.tsx'
import { AddressFields, addressValues, emptyAddress, type AddressValues } from '../record/address-fields.tsx'
import { RecordForm } from '../record/record-form.tsx'
import { useSchemaForm } from '../record/schema-form.ts'
import { kindText } from './customer-columns.tsx'
import { ContactsField, SitesField } from './people-fields.tsx'
import './customers.css'

export type SentCustomer = z.output<typeof customerInput>

export interface CustomerValues {
  kind: string
  language: string
  displayName: string
  abn: string
  email: string
  phone: string
  billingAddress: AddressValues
  paymentTermsDays: number | null
  internalNotes: string
  contacts: ContactValues[]
  sites: SiteValues[]
}
export interface ContactValues {
  guid?: string
  name: string
  position: string
  email: string
  phone: string
  isPrimary: boolean
  receivesQuotes: boolean
  receivesInvoices: boolean
}
export interface SiteValues {
  guid?: string
  name: string
  address: AddressValues
  accessNotes: string
}
export type CustomerControl = Control<CustomerValues, unknown, SentCustomer>

export const emptyCustomer: CustomerValues = {
  kind: 'business',
  language: fallbackLanguage,
  displayName: '',
  abn: '',
  email: '',
  phone: '',
  billingAddress: emptyAddress,
  paymentTermsDays: null,
  internalNotes: '',
  contacts: [],
  sites: [],
}

export const valuesOfCustomer = (customer: Customer): CustomerValues => ({
  kind: customer.kind,
  language: customer.language,
  displayName: customer.displayName,
  abn: formatAbn(customer.abn ?? ''),
  email: customer.email ?? '',
  phone: customer.phone ?? '',
  billingAddress: addressValues(customer.billingAddress),
  paymentTermsDays: customer.paymentTermsDays,
  internalNotes: customer.internalNotes ?? '',
  contacts: customer.contacts.map((contact) => ({
    ...contact,
    position: contact.position ?? '',
    email: contact.email ?? '',
    phone: contact.phone ?? '',
  })),
  sites: customer.sites.map((site) => ({
    guid: site.guid,
    name: site.name,
    address: addressValues(site.address),
    accessNotes: site.accessNotes ?? '',
  })),
})

export function CustomerForm({
  defaults,
  save,
  saveLabel,
}: {
  defaults: CustomerValues
  save: (input: SentCustomer) => Promise<unknown>
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
            <TextField control={control} name="displayName" label={t('customers:name')} isRequired maxLength={160} />
            <SelectField
              control={control}
              name="kind"
              label={t('customers:kind')}
              options={customerKinds.map((kind) => ({ value: kind, label: kindText(kind) }))}
            />
            <TextField
              control={control}
              name="email"
              type="email"
              inputMode="email"
              label={t('customers:email')}
              description={t('customers:emailHint')}
              maxLength={254}
            />
            <TextField
              control={control}
              name="phone"
              type="tel"
              inputMode="tel"
              label={t('customers:phone')}
              description={t('customers:phoneHint')}
              maxLength={40}
            />
            <SelectField
              control={control}
              name="language"
              label={t('customers:language')}
              description={t('customers:languageHint')}
              options={languages.map((language) => ({ value: language, label: languageFacts[language].name }))}
            />
            <AbnField control={control} name="abn" label={t('customers:abn')} />
            <NumberField
              control={control}
              name="paymentTermsDays"
              label={t('customers:termsField')}
              description={t('customers:termsHint')}
              maxDigits={3}
            />
          </div>
        </div>
      </Card>
      <Card title={t('customers:billingAddress')}>
        <AddressFields control={control} name="billingAddress" />
      </Card>
      <Card title={t('customers:contacts.title')}>
        <ContactsField form={form} />
      </Card>
      <Card title={t('customers:sites.title')}>
        <SitesField form={form} />
      </Card>
      <Card title={t('customers:internalNotes')}>
        <TextAreaField
          control={control}
          name="internalNotes"
          label={t('customers:internalNotes')}
          description={t('customers:internalNotesHint')}
          rows={4}
          maxLength={4000}
        />
      </Card>
    </RecordForm>
  )
}
