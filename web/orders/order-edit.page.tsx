import { useState } from 'react'
import { businessesApi } from '../../contract/businesses.ts'
import { ordersApi, type Order } from '../../contract/orders.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { Money } from '../core/ui/money.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGo, useGuid } from '../core/ui/params.ts'
import { StaleDialog, staleRecord } from '../core/ui/stale-dialog.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import { OrderForm, valuesOfOrder, type Defaults } from './order-form.tsx'

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
            order.status === 'closed' || order.status === 'cancelled' ? (
              <EmptyState
                scene="lock"
                title={t('orders:notEditable.title')}
                text={t('orders:notEditable.text')}
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
  const [base, setBase] = useState(first)
  const [title, setTitle] = useState(first.title)
  const [round, setRound] = useState(0)
  const update = useWrite(ordersApi.update)
  const theirs = staleRecord<Order>(update.error, 'order')
  return (
    <>
      <PageHeader title={t('orders:edit.of', { name: base.number })} crumbs={[{ to: '/apps/orders/list', label: t('orders:list.title') }, { to: `/apps/orders/preview/${base.guid}`, label: base.number }]} />
      <OrderForm
        key={round}
        defaults={valuesOfOrder(base)}
        business={business}
        customerName={base.customer.displayName}
        isCustomerFixed
        {...(base.money.invoicedCents ? { linesNote: t('orders:linesNote') } : {})}
        save={async ({ customerGuid: _customer, ...input }) => {
          setTitle(input.title)
          await update.mutateAsync({ guid: base.guid, version: base.version, ...input })
          toast.success(t('orders:saved'))
          await go(`/apps/orders/preview/${base.guid}`)
        }}
      />
      {theirs ? (
        <StaleDialog
          isOpen
          rows={[
            { label: t('orders:name'), mine: title, theirs: theirs.title, isDifferent: title !== theirs.title },
            { label: t('orders:total'), mine: <Money cents={base.totals.totalCents} />, theirs: <Money cents={theirs.totals.totalCents} />, isDifferent: base.totals.totalCents !== theirs.totals.totalCents },
            { label: t('orders:scheduledOn'), mine: f.date(base.scheduledOn), theirs: f.date(theirs.scheduledOn), isDifferent: base.scheduledOn !== theirs.scheduledOn },
          ]}
          onKeepMine={() => {
            setBase({ ...base, version: theirs.version })
            update.reset()
          }}
          onTakeTheirs={() => {
            setBase(theirs)
            setRound(round + 1)
            update.reset()
          }}
          onClose={() => update.reset()}
        />
      ) : null}
    </>
  )
}
