import { useSearch } from '@tanstack/react-router'
import { businessesApi } from '../../contract/businesses.ts'
import { ordersApi } from '../../contract/orders.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGo } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import { emptyOrder, OrderForm } from './order-form.tsx'

export function Page() {
  const t = useT('orders')
  const go = useGo()
  const { customerGuid } = useSearch({ strict: false }) as { customerGuid?: string }
  const business = useRead(businessesApi.current, {})
  const create = useWrite(ordersApi.create)
  return (
    <>
      <PageHeader title={t('orders:add.title')} crumbs={[{ to: pathTo('Orders'), label: t('orders:list.title') }]} />
      <Loaded of={business}>
        {({ business: defaults }) => (
          <OrderForm
            isNew
            defaults={emptyOrder(defaults, customerGuid ?? null)}
            business={defaults}
            save={async (input) => {
              const { order } = await create.mutateAsync(input)
              toast.success(t('orders:saved', { name: order.number }))
              await go(pathTo('Orders', order.guid))
            }}
          />
        )}
      </Loaded>
    </>
  )
}
