import type { z } from 'zod'
import { formatAcn } from '../../contract/core/abn.ts'
import { languageFacts, type Language } from '../../contract/core/languages.ts'
import { contactWrite } from '../../contract/contacts.ts'
import { contactInput, customerInput, siteInput, type Customer, type CustomerInput } from '../../contract/customers.ts'
import { phraseOr, type T } from '../core/i18n/i18n.ts'
import type { Fields } from '../record/record-facts.tsx'

export const kindText = (kind: string) => phraseOr(`customers:kinds.${kind}`, kind)

export const statusText = (status: string) => phraseOr(`customers:status.${status}`, status)
export const roleText = (role: string) => phraseOr(`customers:contacts.roles.${role}`, role)

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
      show: (terms, { t, f }, whole) =>
        [
          typeof terms?.limitCents === 'number' ? `${t('customers:terms.limit')} ${f.money(terms.limitCents)}` : '',
          terms?.discountBp ? `${t('customers:terms.discount')} ${f.percent(terms.discountBp)}` : '',
          listText(whole, t),
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

/** The price list of a customer as it was answered; a form knows its guid alone. */
function listText(whole: Readonly<Record<string, unknown>>, t: T): string {
  const { priceList } = whole['terms'] as Partial<Customer['terms']>
  if (!priceList) return ''
  const name = priceList.isActive ? priceList.label : t('customers:terms.listOff', { name: priceList.label })
  return `${t('customers:terms.priceList')} ${name}`
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

/** A person by themselves, and what they are to each customer and site. */
export const personFields: Fields<z.output<typeof contactWrite>> = {
  schema: contactWrite,
  rows: {
    name: contactFields.rows.name,
    position: contactFields.rows.position,
    email: contactFields.rows.email,
    phone: contactFields.rows.phone,
    links: { label: 'customers:contacts.belongsTo', show: (links) => String(links?.length ?? 0) },
  },
}
const link = contactInput.pick({
  role: true,
  isPrimary: true,
  receivesQuotes: true,
  receivesInvoices: true,
  receivesReminders: true,
})
export const linkFields: Fields<z.output<typeof link>> = {
  schema: link,
  rows: {
    role: contactFields.rows.role,
    isPrimary: contactFields.rows.isPrimary,
    receivesQuotes: contactFields.rows.receivesQuotes,
    receivesInvoices: contactFields.rows.receivesInvoices,
    receivesReminders: contactFields.rows.receivesReminders,
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
