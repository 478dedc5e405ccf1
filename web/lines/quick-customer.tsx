import { z } from 'zod'
import { contactInput, customerInput, customersApi, siteInput, type Customer } from '../../contract/customers.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { useBusinesses } from '../core/layout/use-businesses.ts'
import { AddressFields, emptyAddress, type AddressValues } from '../record/address-fields.tsx'
import { FormDialog } from '../record/form-dialog.tsx'
import type { Fields } from '../record/record-facts.tsx'
import { RecordField } from '../record/record-fields.tsx'
import { useSchemaForm } from '../record/schema-form.ts'

const firstContact = contactInput.pick({ name: true, email: true, phone: true })
const firstSite = siteInput.pick({ address: true })

const details = customerInput.pick({ displayName: true, email: true, phone: true, abn: true })
const detailFields: Fields<z.output<typeof details>> = {
  schema: details,
  rows: {
    displayName: { label: 'lines:customerName' },
    email: { label: 'lines:customerEmail', hint: 'lines:customerEmailHint' },
    phone: { label: 'lines:customerPhone' },
    abn: { label: 'lines:customerAbn' },
  },
}
const contactFields: Fields<z.output<typeof firstContact>> = {
  schema: firstContact,
  rows: {
    name: { label: 'lines:contactName' },
    email: { label: 'lines:contactEmail' },
    phone: { label: 'lines:contactPhone' },
  },
}

/** A contact or a site that was left empty is null: the customer has none yet. */
const quickCustomer = details.extend({
  contacts: z.array(firstContact.nullable()),
  sites: z.array(firstSite.nullable()),
})

interface QuickCustomerValues {
  displayName: string
  email: string
  phone: string
  abn: string
  contacts: { name: string; email: string; phone: string }[]
  sites: { address: AddressValues }[]
}

const emptyQuickCustomer: QuickCustomerValues = {
  displayName: '',
  email: '',
  phone: '',
  abn: '',
  contacts: [{ name: '', email: '', phone: '' }],
  sites: [{ address: emptyAddress }],
}

const isGiven = <T,>(value: T | null): value is T => value !== null

const longestSiteName = 120

/** The first site is called like the customer: `Brand New Builders, 12 Wharf Road`. */
const customerOf = ({ contacts, sites, ...details }: z.output<typeof quickCustomer>) => ({
  ...details,
  contacts: contacts.filter(isGiven),
  sites: sites.filter(isGiven).map(({ address }) => ({ name: details.displayName.slice(0, longestSiteName), address })),
})

export interface QuickCustomerProps {
  /** What was typed before there was such a customer. */
  name: string
  /** Where it is known already: an email of the customer's leads here. */
  email?: string | undefined
  onClose: () => void
  onCreated: (customer: Customer) => void
}

/** Makes a customer with a first contact and a first site without leaving the document. Only the name is required. */
export function QuickCustomer({ name, email = '', onClose, onCreated }: QuickCustomerProps) {
  const t = useT('lines', 'common')
  const create = useWrite(customersApi.create, { onSuccess: ({ customer }) => onCreated(customer) })
  const form = useSchemaForm<QuickCustomerValues, z.output<typeof quickCustomer>>(quickCustomer, {
    ...emptyQuickCustomer,
    displayName: name,
    email,
  })
  const { control } = form
  const several = useBusinesses()
  return (
    <FormDialog
      form={form}
      title={t('lines:newCustomer')}
      action={t('common:create')}
      onSave={(values) => create.mutateAsync(customerOf(values))}
      onClose={onClose}
    >
      {several ? (
        <p className="muted no-margin">{t('lines:newCustomerIn', { business: several.business.name })}</p>
      ) : null}
      <div className="grid-2 form-grid">
        <RecordField of={detailFields} control={control} name="displayName" autoFocus />
        <RecordField of={detailFields} control={control} name="email" />
        <RecordField of={detailFields} control={control} name="phone" />
        <RecordField of={detailFields} control={control} name="abn" />
      </div>
      <fieldset className="plain-fieldset stack">
        <legend className="strong">{t('lines:contact')}</legend>
        <RecordField of={contactFields} control={control} at="contacts.0" name="name" isRequired={false} />
        <div className="grid-2 form-grid">
          <RecordField of={contactFields} control={control} at="contacts.0" name="email" />
          <RecordField of={contactFields} control={control} at="contacts.0" name="phone" />
        </div>
      </fieldset>
      <fieldset className="plain-fieldset stack">
        <legend className="strong">{t('lines:site')}</legend>
        <AddressFields control={control} name="sites.0.address" />
      </fieldset>
    </FormDialog>
  )
}
