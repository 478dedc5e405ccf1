import { lazy, Suspense, useState } from 'react'
import { customersApi, type Customer } from '../../contract/customers.ts'
import { invoicesApi } from '../../contract/invoices.ts'
import { ordersApi } from '../../contract/orders.ts'
import { paymentsApi } from '../../contract/payments.ts'
import { quotesApi } from '../../contract/quotes.ts'
import { useMay } from '../core/api/can.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGo, useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { toast, toastWithAction } from '../core/ui/toast.tsx'
import { MoreMenu } from '../record/more-menu.tsx'
import { CustomerTimeline } from './customer-timeline.tsx'
import { kindText } from './customer-columns.tsx'
import { CustomerCards } from './customer-details.tsx'
import { MoneyCard } from './customer-money.tsx'
import { CustomerRecords } from './customer-records.tsx'
import './customers.css'

const RecordPayment = lazy(() =>
  import('../payments/record-payment.tsx').then((module) => ({ default: module.RecordPayment })),
)

export function Page() {
  const guid = useGuid()
  const read = useRead(customersApi.get, { guid })
  return <Loaded of={read}>{({ customer }) => <Preview customer={customer} />}</Loaded>
}

function Preview({ customer }: { customer: Customer }) {
  const t = useT('customers', 'record', 'common')
  const { guid } = customer
  return (
    <>
      <PageHeader
        title={customer.displayName}
        subtitle={[kindText(customer.kind), customer.billingAddress?.suburb].filter(Boolean).join(' · ')}
        badge={customer.archivedAt ? <StatusChip status="archived" /> : null}
        crumbs={[{ to: '/apps/customers/list', label: t('customers:list.title') }]}
        actions={<Actions customer={customer} />}
      />
      <div className="stack cards">
        <div className="customer-cards">
          <MoneyCard customer={customer} />
          <CustomerCards customer={customer} />
        </div>
        <CustomerRecords guid={guid} timeline={<CustomerTimeline guid={guid} />} />
      </div>
    </>
  )
}

function Actions({ customer }: { customer: Customer }) {
  const t = useT('customers', 'payments', 'record', 'common')
  const go = useGo()
  const may = useMay()
  const text = useErrorText()
  const { guid } = customer
  const failed = { onError: (error: unknown) => toast.error(text(error)) }
  const restore = useWrite(customersApi.restore, {
    ...failed,
    onSuccess: () => toast.success(t('customers:restored', { name: customer.displayName })),
  })
  const archive = useWrite(customersApi.remove, {
    ...failed,
    onSuccess: () =>
      void toastWithAction(t('customers:archived', { name: customer.displayName }), t('common:undo'), () =>
        restore.mutate({ guid }),
      ),
  })
  const isArchived = customer.archivedAt !== null
  const [isRecording, setRecording] = useState(false)
  const why = isArchived ? t('customers:why.archived') : null
  return (
    <>
      <MoreMenu
        items={[
          {
            key: 'order',
            label: t('customers:newOrder'),
            icon: 'order',
            disabledReason: why,
            isHidden: !may(ordersApi.create),
            onClick: () => void go(`/apps/orders/add?customer=${guid}`),
          },
          {
            key: 'invoice',
            label: t('customers:newInvoice'),
            icon: 'invoice',
            disabledReason: why,
            isHidden: !may(invoicesApi.create),
            onClick: () => void go(`/apps/invoices/add?customer=${guid}`),
          },
          {
            key: 'payment',
            label: t('payments:record.title'),
            icon: 'cash',
            isHidden: !may(paymentsApi.create),
            onClick: () => setRecording(true),
          },
          {
            key: 'archive',
            label: t('customers:archive'),
            icon: 'archive',
            isHidden: isArchived || !may(customersApi.remove),
            onClick: () => archive.mutate({ guid }),
          },
          {
            key: 'restore',
            label: t('customers:restore'),
            icon: 'undo',
            isHidden: !isArchived || !may(customersApi.restore),
            onClick: () => restore.mutate({ guid }),
          },
        ]}
      />
      {may(customersApi.update) ? (
        <ActionButton variant="default" icon="edit" onClick={() => void go(`/apps/customers/edit/${guid}`)}>
          {t('common:edit')}
        </ActionButton>
      ) : null}
      {may(quotesApi.create) ? (
        <ActionButton icon="quote" disabledReason={why} onClick={() => void go(`/apps/quotes/add?customer=${guid}`)}>
          {t('customers:newQuote')}
        </ActionButton>
      ) : null}
      {isRecording ? (
        <Suspense>
          <RecordPayment customer={{ guid, name: customer.displayName }} onClose={() => setRecording(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
