import type { z } from 'zod'
import { formatAcn } from '../../contract/core/abn.ts'
import { languageFacts, type Language } from '../../contract/core/languages.ts'
import { contactInput, customerInput, siteInput, type CustomerInput } from '../../contract/customers.ts'
import { phraseOr } from '../core/i18n/i18n.ts'
import type { Fields } from '../record/record-facts.tsx'

export const kindText = (kind: string) => phraseOr(`customers:kinds.${kind}`, kind)

export const statusText = (status: string) => phraseOr(`customers:status.${status}`, status)
const roleText = (role: string) => phraseOr(`customers:contacts.roles.${role}`, role)

/** What is known of a customer, in the order of the form. `details` stand in the form and among the facts. */
export const customerFields: Fields<CustomerInput> = {
  schema: customerInput,
  rows: {
    displayName: { label: 'customers:name', place: 'name' },
    kind: { label: 'customers:kind', words: kindText, place: 'details' },
    email: { label: 'customers:email', hint: 'customers:emailHint', place: 'details' },
    phone: { label: 'customers:phone', hint: 'customers:phoneHint', place: 'details' },
    language: {
      label: 'customers:language',
      hint: 'customers:languageHint',
      words: (language) => languageFacts[language as Language].name,
      place: 'details',
    },
    abn: { label: 'customers:abn', place: 'details' },
    acn: {
      label: 'customers:acn',
      show: (acn) => (acn ? formatAcn(acn) : null),
      place: 'details',
    },
    status: { label: 'customers:statusLabel', words: statusText, place: 'details' },
    externalRef: { label: 'customers:externalRef', hint: 'customers:externalRefHint', place: 'details' },
    paymentTermsDays: {
      label: 'customers:termsField',
      hint: 'customers:termsHint',
      show: (days, { t }) =>
        days === null ? t('customers:termsOfBusiness') : t('customers:termsDays', { count: days }),
      place: 'terms',
    },
    terms: {
      label: 'customers:terms.title',
      show: (terms, { t, f }) =>
        [
          typeof terms?.limitCents === 'number' ? `${t('customers:terms.limit')} ${f.money(terms.limitCents)}` : '',
          terms?.discountBp ? `${t('customers:terms.discount')} ${f.percent(terms.discountBp)}` : '',
          terms?.isOnHold ? [t('customers:terms.hold'), terms.holdReason].filter(Boolean).join(': ') : '',
        ]
          .filter(Boolean)
          .join(' · ') || null,
      place: 'terms',
    },
    billingAddress: { label: 'customers:billingAddress' },
    contacts: {
      label: 'customers:contacts.title',
      show: (contacts) => contacts?.map(({ name }) => name).join(', '),
    },
    sites: { label: 'customers:sites.title', show: (sites) => sites?.map(({ name }) => name).join(', ') },
    internalNotes: { label: 'customers:internalNotes', hint: 'customers:internalNotesHint', place: 'notes' },
  },
}

const contact = contactInput.omit({ guid: true })
export const contactFields: Fields<z.output<typeof contact>> = {
  schema: contact,
  rows: {
    name: { label: 'customers:name' },
    position: { label: 'customers:contacts.position' },
    email: { label: 'customers:email' },
    phone: { label: 'customers:phone' },
    role: { label: 'customers:contacts.role', words: roleText },
    isPrimary: { label: 'customers:contacts.isPrimary' },
    receivesQuotes: { label: 'customers:contacts.receivesQuotes' },
    receivesInvoices: { label: 'customers:contacts.receivesInvoices' },
    receivesReminders: { label: 'customers:contacts.receivesReminders' },
  },
}

const site = siteInput.omit({ guid: true })
export const siteFields: Fields<z.output<typeof site>> = {
  schema: site,
  rows: {
    name: { label: 'customers:sites.name' },
    address: { label: 'customers:billingAddress' },
    accessNotes: { label: 'customers:sites.accessNotes' },
  },
}
