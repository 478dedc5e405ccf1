import type { Customer } from '../../contract/customers.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { addressText } from '../record/address-text.ts'
import { useFacts } from '../record/record-facts.tsx'
import { ContactWho } from './contact-who.tsx'
import { customerFields } from './customer-fields.ts'

/** Who the customer is and how to reach them. */
export function CustomerFacts({ customer }: { customer: Customer }) {
  const t = useT('customers')
  const facts = useFacts(customerFields, 'details')
  const terms = useFacts(customerFields, 'terms')
  return (
    <KeyValueList
      items={[
        ...facts(customer),
        ...terms(customer),
        {
          label: t('customers:billingAddress'),
          value: customer.billingAddress ? addressText(customer.billingAddress) : null,
        },
        { label: t('customers:created'), value: <DateText value={customer.createdAt} /> },
      ]}
    />
  )
}

export function ContactList({ contacts }: { contacts: Customer['contacts'] }) {
  const t = useT('customers')
  if (!contacts.length) return <p className="muted no-margin">{t('customers:contacts.none')}</p>
  return (
    <ul className="people">
      {contacts.map((contact) => (
        <li key={contact.guid}>
          <ContactWho contact={contact} />
        </li>
      ))}
    </ul>
  )
}

export function SiteList({ sites }: { sites: Customer['sites'] }) {
  const t = useT('customers')
  if (!sites.length) return <p className="muted no-margin">{t('customers:sites.none')}</p>
  return (
    <ul className="people">
      {sites.map((site) => (
        <li key={site.guid}>
          <span>
            <span className="strong">{site.name}</span>
            <span className="cell-sub">{addressText(site.address)}</span>
            {site.accessNotes ? (
              <span className="cell-sub">{t('customers:sites.access', { notes: site.accessNotes })}</span>
            ) : null}
          </span>
        </li>
      ))}
    </ul>
  )
}
