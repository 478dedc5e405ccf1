import { customersApi } from '../../contract/customers.ts'
import { spanOf } from '../core/api/business.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Loaded } from '../core/ui/states.tsx'
import { ContactList, CustomerFacts, SiteList } from './customer-details.tsx'
import { CustomerMoney } from './customer-money.tsx'
import './customers.css'

/** A customer at a glance, without leaving the list. */
export function CustomerPeek({ guid }: { guid: string }) {
  const t = useT('customers', 'record')
  const read = useRead(customersApi.get, { guid, ...spanOf(customersApi.get) })
  return (
    <Loaded of={read}>
      {({ customer }) => (
        <div className="stack peek-sections">
          {customer.money ? <CustomerMoney money={customer.money} /> : null}
          <CustomerFacts customer={customer} />
          <h3>{t('customers:contacts.title')}</h3>
          <ContactList contacts={customer.contacts} />
          <h3>{t('customers:sites.title')}</h3>
          <SiteList sites={customer.sites} />
          {customer.internalNotes ? (
            <>
              <h3>{t('customers:internalNotes')}</h3>
              <p className="no-margin pre-line">{customer.internalNotes}</p>
            </>
          ) : null}
        </div>
      )}
    </Loaded>
  )
}
