import { useState } from 'react'
import { formatAbn } from '../../contract/core/abn.ts'
import { customersApi, type Customer } from '../../contract/customers.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGo, useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import { addressText } from '../record/address-fields.tsx'
import { useStaleBase } from '../record/stale-base.ts'
import { StaleChoice } from '../record/stale-choice.tsx'
import { kindText } from './customer-columns.tsx'
import { CustomerForm, valuesOfCustomer, type SentCustomer } from './customer-form.tsx'

export function Page() {
  const guid = useGuid()
  // What is being typed must not change under the fingers: the record is read once.
  const read = useRead(customersApi.get, { guid }, { staleTime: Number.POSITIVE_INFINITY })
  return <Loaded of={read}>{({ customer }) => <Editor key={customer.guid} first={customer} />}</Loaded>
}

function Editor({ first }: { first: Customer }) {
  const t = useT('customers')
  const go = useGo()
  const [mine, setMine] = useState<SentCustomer | null>(null)
  const update = useWrite(customersApi.update)
  const { base, round, answers } = useStaleBase(first, update)
  const preview = `/apps/customers/preview/${base.guid}`
  return (
    <>
      <PageHeader
        title={t('customers:edit.of', { name: base.displayName })}
        crumbs={[
          { to: '/apps/customers/list', label: t('customers:list.title') },
          { to: preview, label: base.displayName },
        ]}
      />
      <CustomerForm
        key={round}
        defaults={valuesOfCustomer(base)}
        saveLabel={t('customers:save')}
        save={async (input) => {
          setMine(input)
          await update.mutateAsync({ guid: base.guid, version: base.version, ...input })
          toast.success(t('customers:saved', { name: input.displayName }))
          await go(preview)
        }}
      />
      <StaleChoice<Customer>
        error={update.error}
        noun="customer"
        mine={mine as Partial<Customer> | null}
        fields={[
          { label: t('customers:name'), show: (c) => c.displayName },
          { label: t('customers:kind'), show: (c) => kindText(c.kind ?? '') },
          { label: t('customers:abn'), show: (c) => formatAbn(c.abn ?? '') },
          { label: t('customers:email'), show: (c) => c.email ?? '' },
          { label: t('customers:phone'), show: (c) => c.phone ?? '' },
          {
            label: t('customers:billingAddress'),
            show: (c) => (c.billingAddress ? addressText(c.billingAddress) : ''),
          },
          {
            label: t('customers:contacts.title'),
            show: (c) => c.contacts?.map((contact) => contact.name).join(', ') ?? '',
          },
          { label: t('customers:sites.title'), show: (c) => c.sites?.map((site) => site.name).join(', ') ?? '' },
          { label: t('customers:internalNotes'), show: (c) => c.internalNotes ?? '' },
        ]}
        {...answers}
      />
    </>
  )
}
