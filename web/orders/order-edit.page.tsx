import { leadsFrom } from '../../contract/core/transitions.ts'
import { ordersApi, orderTransitions, type Order } from '../../contract/orders.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGo, useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import type { Defaults } from '../lines/document-values.ts'
import { documentGroups } from '../lines/document-fields.tsx'
import { OwnTerms } from '../lines/own-terms.tsx'
import { useSaving } from '../record/saving.tsx'
import { TagList } from '../record/tag-list.tsx'
import { OrderForm, orderFields, valuesOfOrder } from './order-form.tsx'

export function Page() {
  const t = useT('orders')
  const guid = useGuid()
  const read = useRead(ordersApi.get, { guid }, { staleTime: Number.POSITIVE_INFINITY })
  return (
    <Loaded of={read}>
      {({ order }) =>
        !order.hasAmounts || !leadsFrom(orderTransitions, 'update', order.status) ? (
          <EmptyState
            scene="lock"
            title={order.hasAmounts ? t('orders:notEditable.title') : order.number}
            text={order.hasAmounts ? t('orders:notEditable.text') : t('orders:notEditable.noAmounts')}
            action={
              <AppLink to={pathTo('Orders', guid)} className="button-link">
                {t('orders:notEditable.back')}
              </AppLink>
            }
          />
        ) : (
          <OwnTerms noun="Orders" of={order}>
            {(business) => <Editor key={order.guid} first={order} business={business} />}
          </OwnTerms>
        )
      }
    </Loaded>
  )
}

function Editor({ first, business }: { first: Order; business: Defaults }) {
  const t = useT('orders')
  const go = useGo()
  const update = useWrite(ordersApi.update)
  const { base, round, save, dialog } = useSaving({
    first,
    noun: 'order',
    fields: orderFields,
    together: documentGroups,
    send: async (version, { customerGuid: _fixed, ...changes }) => {
      const { order } = await update.mutateAsync({ guid: first.guid, version, ...changes })
      // Whoever lost the amounts meanwhile goes on with those that are here.
      return order.hasAmounts ? order : { ...first, version: order.version }
    },
  })
  return (
    <>
      <PageHeader
        title={t('orders:edit.of', { name: base.number })}
        below={<TagList guid={base.guid} tags={base.tags} ops={ordersApi} />}
        crumbs={[
          { to: pathTo('Orders'), label: t('orders:list.title') },
          { to: pathTo('Orders', base.guid), label: base.number },
        ]}
      />
      <OrderForm
        key={round}
        defaults={valuesOfOrder(base)}
        business={business}
        customerName={base.customer.displayName}
        jobType={base.jobType}
        assigned={base.assigned}
        isCustomerFixed
        {...(base.money.invoicedCents ? { linesNote: t('orders:linesNote') } : {})}
        save={async (_input, changes) => {
          const saved = await save(changes)
          toast.success(t('orders:saved', { name: saved.number }))
          await go(pathTo('Orders', saved.guid))
        }}
      />
      {dialog}
    </>
  )
}
