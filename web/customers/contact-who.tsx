import type { Customer } from '../../contract/customers.ts'
import { useT } from '../core/i18n/i18n.ts'
import { NameCell } from '../core/ui/name-cell.tsx'
import { Reach } from '../record/record-facts.tsx'

/** Who a contact is, and how to reach them. */
export function ContactWho({ contact }: { contact: Customer['contacts'][number] }) {
  const t = useT('customers')
  return (
    <>
      <NameCell name={contact.name} sub={contact.position}>
        {contact.name}
        {contact.isPrimary ? <span className="person-badge">{t('customers:contacts.primary')}</span> : null}
      </NameCell>
      <span className="person-reach">
        {contact.email ? <Reach address={contact.email} /> : null}
        {contact.phone ? <Reach address={contact.phone} isPhone /> : null}
      </span>
    </>
  )
}
