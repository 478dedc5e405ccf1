import { customersApi } from '../../contract/customers.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGo } from '../core/ui/params.ts'
import { toast } from '../core/ui/toast.tsx'
import { CustomerForm, emptyCustomer } from './customer-form.tsx'

export function Page() {
  const t = useT('customers')
  const go = useGo()
  const create = useWrite(customersApi.create)
  return (
    <>
      <PageHeader
        title={t('customers:add.title')}
        crumbs={[{ to: pathTo('Customers'), label: t('customers:list.title') }]}
      />
      <CustomerForm
        isNew
        defaults={emptyCustomer}
        saveLabel={t('customers:create')}
        save={async (input) => {
          const { customer } = await create.mutateAsync(input)
          toast.success(t('customers:made', { name: customer.displayName }))
          await go(pathTo('Customers', customer.guid))
        }}
      />
    </>
  )
}
