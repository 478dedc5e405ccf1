import { customersApi, type Customer } from '../../contract/customers.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGo, useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import { useSaving } from '../record/saving.tsx'
import { TagList } from '../record/tag-list.tsx'
import { customerFields } from './customer-fields.ts'
import { CustomerForm, formable, valuesOfCustomer } from './customer-form.tsx'

export function Page() {
  const guid = useGuid()
  // What is being typed must not change under the fingers: the record is read once.
  const read = useRead(customersApi.get, { guid }, { staleTime: Number.POSITIVE_INFINITY })
  return <Loaded of={read}>{({ customer }) => <Editor key={customer.guid} first={customer} />}</Loaded>
}

function Editor({ first }: { first: Customer }) {
  const t = useT('customers')
  const go = useGo()
  const update = useWrite(customersApi.update)
  const { base, round, save, dialog } = useSaving({
    first: formable(first),
    of: formable,
    noun: 'customer',
    fields: customerFields,
    send: async (version, changes) => {
      const { customer } = await update.mutateAsync({ guid: first.guid, version, ...changes })
      return formable(customer)
    },
  })
  const preview = pathTo('Customers', base.guid)
  return (
    <>
      <PageHeader
        title={t('customers:edit.of', { name: base.displayName })}
        below={<TagList guid={base.guid} tags={base.tags} ops={customersApi} />}
        crumbs={[
          { to: pathTo('Customers'), label: t('customers:list.title') },
          { to: preview, label: base.displayName },
        ]}
      />
      <CustomerForm
        key={round}
        defaults={valuesOfCustomer(base)}
        priceList={first.terms.priceList}
        saveLabel={t('customers:save')}
        save={async (_input, changes) => {
          const saved = await save(changes)
          toast.success(t('customers:saved', { name: saved.displayName }))
          await go(preview)
        }}
      />
      {dialog}
    </>
  )
}
