import { businessesApi } from '../../contract/businesses.ts'
import { ordersApi, type Order } from '../../contract/orders.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGo, useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import type { Defaults } from '../lines/document-values.ts'
import { totalOf } from '../lines/line-state.ts'
import { useStaleEditor } from '../lines/stale-editor.tsx'
import { OrderForm, valuesOfOrder } from './order-form.tsx'

export function Page() {
  const t = useT('orders')
  const guid = useGuid()
  const business = useRead(businessesApi.current, {})
  const read = useRead(ordersApi.get, { guid }, { staleTime: Number.POSITIVE_INFINITY })
  return (
    <Loaded of={business}>
      {({ business: defaults }) => (
        <Loaded of={read}>
          {({ order }) =>
            !order.hasAmounts || order.status === 'closed' || order.status === 'cancelled' ? (
              <EmptyState
                scene="lock"
                title={order.hasAmounts ? t('orders:notEditable.title') : order.number}
                text={order.hasAmounts ? t('orders:notEditable.text') : t('orders:notEditable.noAmounts')}
                action={
                  <AppLink to={`/apps/orders/preview/${guid}`} className="button-link">
                    {t('orders:notEditable.back')}
                  </AppLink>
                }
              />
            ) : (
              <Editor key={order.guid} first={order} business={defaults} />
            )
          }
        </Loaded>
      )}
    </Loaded>
  )
}

function Editor({ first, business }: { first: Order; business: Defaults }) {
  const t = useT('orders')
  const f = useFormat()
  const go = useGo()
  const update = useWrite(ordersApi.update)
  const { base, round, dialog, noteMine } = useStaleEditor(first, update, 'order', (mine, theirs) => [
    {
      label: t('orders:scheduledOn'),
      mine: f.date(mine.scheduledOn),
      theirs: f.date(theirs.scheduledOn),
      isDifferent: mine.scheduledOn !== theirs.scheduledOn,
    },
  ])
  return (
    <>
      <PageHeader
        title={t('orders:edit.of', { name: base.number })}
        crumbs={[
          { to: '/apps/orders/list', label: t('orders:list.title') },
          { to: `/apps/orders/preview/${base.guid}`, label: base.number },
        ]}
      />
      <OrderForm
        key={round}
        defaults={valuesOfOrder(base)}
        business={business}
        customerName={base.customer.displayName}
        isCustomerFixed
        {...(base.money.invoicedCents ? { linesNote: t('orders:linesNote') } : {})}
        save={async ({ customerGuid: _customer, ...input }) => {
          noteMine({ title: input.title, totalCents: totalOf(input, base) })
          await update.mutateAsync({ guid: base.guid, version: base.version, ...input })
          toast.success(t('orders:saved', { name: base.number }))
          await go(`/apps/orders/preview/${base.guid}`)
        }}
      />
      {dialog}
    </>
  )
}
