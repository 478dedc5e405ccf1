import { lazy, Suspense } from 'react'
import { customersApi, type Customer } from '../../contract/customers.ts'
import { invoicesApi } from '../../contract/invoices.ts'
import { ordersApi } from '../../contract/orders.ts'
import { paymentsApi } from '../../contract/payments.ts'
import { quotesApi } from '../../contract/quotes.ts'
import { pathOf } from '../../contract/nouns.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { useGo, useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { CustomerTimeline } from './customer-timeline.tsx'
import { kindText } from './customer-fields.ts'
import { CustomerCards } from './customer-details.tsx'
import { MoneyCard } from './customer-money.tsx'
import { MergedFrom } from './merged-from.tsx'
import { CustomerRecords } from './customer-records.tsx'
import { archivingActions } from '../record/archiving.ts'
import { RecordFrame } from '../record/record-frame.tsx'
import './customers.css'

const RecordPayment = lazy(() =>
  import('../payments/record-payment.tsx').then((module) => ({ default: module.RecordPayment })),
)

export function Page() {
  const guid = useGuid()
  const read = useRead(customersApi.get, { guid })
  return <Loaded of={read}>{({ customer }) => <Preview customer={customer} />}</Loaded>
}

/** What is to be known before anything is done. */
function Badge({ customer: { archivedAt, status, terms } }: { customer: Customer }) {
  if (archivedAt) return <StatusChip status="archived" />
  if (status !== 'blocked' && terms.isOnHold) return <StatusChip status="on_hold" ns="customers" />
  return status === 'active' ? null : <StatusChip status={status} ns="customers" />
}

function Preview({ customer }: { customer: Customer }) {
  const t = useT('customers', 'payments', 'record', 'common')
  const go = useGo()
  const { guid } = customer
  const isBlocked = customer.status === 'blocked'
  const refusal = customer.archivedAt
    ? t('customers:why.archived')
    : isBlocked
      ? t('customers:why.blocked', { name: customer.displayName })
      : null
  const begin = (noun: 'Quotes' | 'Orders' | 'Invoices') => ({
    run: () => go(`${pathOf(noun, 'add')}?customerGuid=${guid}`),
  })
  return (
    <RecordFrame
      noun="Customers"
      title={customer.displayName}
      subtitle={[kindText(customer.kind), customer.billingAddress?.suburb].filter(Boolean).join(' · ')}
      badge={<Badge customer={customer} />}
      listLabel={t('customers:list.title')}
      actions={[
        { key: 'order', op: ordersApi.create, label: t('customers:newOrder'), icon: 'order', refusal },
        { key: 'invoice', op: invoicesApi.create, label: t('customers:newInvoice'), icon: 'invoice', refusal },
        { key: 'payment', op: paymentsApi.create, label: t('payments:record.title'), icon: 'cash' },
        {
          key: 'block',
          op: customersApi.block,
          label: t('customers:block.action'),
          icon: 'lock',
          isHidden: isBlocked || customer.archivedAt !== null,
          confirm: {
            title: t('customers:block.title', { name: customer.displayName }),
            text: t('customers:block.text'),
          },
          said: t('customers:block.done', { name: customer.displayName }),
        },
        {
          key: 'unblock',
          op: customersApi.unblock,
          label: t('customers:unblock.action'),
          icon: 'undo',
          place: 'head',
          isHidden: !isBlocked,
          said: t('customers:unblock.done', { name: customer.displayName }),
        },
        ...archivingActions(t, 'customers', customersApi, {
          name: customer.displayName,
          archivedAt: customer.archivedAt,
        }),
        { key: 'edit', op: customersApi.update, label: t('common:edit'), icon: 'edit', place: 'head' },
        { key: 'quote', op: quotesApi.create, label: t('customers:newQuote'), icon: 'quote', place: 'main', refusal },
      ]}
      record={customer}
      deeds={{
        order: begin('Orders'),
        invoice: begin('Invoices'),
        quote: begin('Quotes'),
        payment: {
          dialog: (close) => (
            <Suspense>
              <RecordPayment customer={{ guid, name: customer.displayName }} onClose={close} />
            </Suspense>
          ),
        },
        edit: { run: () => go(pathOf('Customers', 'edit', guid)) },
      }}
    >
      <div className="stack cards">
        <div className="customer-cards">
          <MoneyCard customer={customer} />
          <CustomerCards customer={customer} />
        </div>
        <MergedFrom customer={customer} />
        <CustomerRecords guid={guid} timeline={<CustomerTimeline guid={guid} />} />
      </div>
    </RecordFrame>
  )
}
