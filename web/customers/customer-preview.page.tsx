import { lazy, Suspense } from 'react'
import { customersApi, type Customer } from '../../contract/customers.ts'
import { mergesApi } from '../../contract/merges.ts'
import { invoicesApi } from '../../contract/invoices.ts'
import { ordersApi } from '../../contract/orders.ts'
import { messageWritesApi } from '../../contract/message-writes.ts'
import { paymentsApi } from '../../contract/payments.ts'
import { remindersApi } from '../../contract/reminders.ts'
import { quotesApi } from '../../contract/quotes.ts'
import { pathOf } from '../../contract/nouns.ts'
import { spanOf } from '../core/api/business.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { useGo, useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { whenOpen } from '../core/ui/when-open.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { kindText } from './customer-fields.ts'
import { CustomerTabs } from './customer-tabs.tsx'
import { archivingActions } from '../record/archiving.ts'
import { RecordFrame } from '../record/record-frame.tsx'
import './customers.css'

const MergeWith = whenOpen(() => import('./merge-with.tsx').then((module) => module.MergeWith))
const ComposeDialog = whenOpen(() => import('../messages/compose-dialog.tsx').then((module) => module.ComposeDialog))
const HoldDialog = whenOpen(() => import('../reminders/hold-dialog.tsx').then((module) => module.HoldDialog))
const ApplyCredit = whenOpen(() => import('../payments/apply-credit.tsx').then((module) => module.ApplyCredit))
const RecordPayment = lazy(() =>
  import('../payments/record-payment.tsx').then((module) => ({ default: module.RecordPayment })),
)

export function Page() {
  const guid = useGuid()
  const read = useRead(customersApi.get, { guid, ...spanOf(customersApi.get) })
  return <Loaded of={read}>{({ customer }) => <Preview customer={customer} />}</Loaded>
}

/** What is to be known before anything is done. */
function Badge({ customer: { archivedAt, status, terms } }: { customer: Customer }) {
  if (archivedAt) return <StatusChip status="archived" />
  if (status !== 'blocked' && terms.isOnHold) return <StatusChip status="on_hold" ns="customers" />
  return status === 'active' ? null : <StatusChip status={status} ns="customers" />
}

function Preview({ customer }: { customer: Customer }) {
  const t = useT('customers', 'payments', 'record', 'common', 'compose')
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
      tags={{ of: customer.tags, ops: customersApi }}
      listLabel={t('customers:list.title')}
      actions={[
        { key: 'order', op: ordersApi.create, label: t('customers:newOrder'), icon: 'order', refusal },
        { key: 'invoice', op: invoicesApi.create, label: t('customers:newInvoice'), icon: 'invoice', refusal },
        { key: 'message', op: messageWritesApi.write, label: t('compose:action'), icon: 'mail' },
        { key: 'payment', op: paymentsApi.create, label: t('payments:record.title'), icon: 'cash' },
        {
          key: 'credit',
          op: paymentsApi.applyCredit,
          label: t('payments:applyCredit.menu'),
          icon: 'cash',
          isHidden: !customer.money?.unallocatedCents,
        },
        {
          key: 'hold',
          op: remindersApi.hold,
          label: t('record:holdReminders'),
          icon: 'pause',
          isHidden: customer.archivedAt !== null,
        },
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
          place: 'main',
          isHidden: !isBlocked || customer.archivedAt !== null,
          said: t('customers:unblock.done', { name: customer.displayName }),
        },
        ...archivingActions(t, 'customers', customersApi, {
          name: customer.displayName,
          archivedAt: customer.archivedAt,
        }).map((action) => (action.key === 'restore' ? { ...action, place: 'main' as const } : action)),
        {
          key: 'merge',
          op: mergesApi.merge,
          label: t('customers:merge.open'),
          icon: 'customers',
          isHidden: customer.archivedAt !== null,
        },
        { key: 'edit', op: customersApi.update, label: t('common:edit'), icon: 'edit', place: 'head' },
        {
          key: 'quote',
          op: quotesApi.create,
          label: t('customers:newQuote'),
          icon: 'quote',
          place: refusal ? 'more' : 'main',
          refusal,
        },
      ]}
      record={customer}
      isInParts
      deeds={{
        order: begin('Orders'),
        invoice: begin('Invoices'),
        quote: begin('Quotes'),
        message: { dialog: (close) => <ComposeDialog about={{ by: 'customerGuid', guid }} onClose={close} /> },
        payment: {
          dialog: (close) => (
            <Suspense>
              <RecordPayment customer={{ guid, name: customer.displayName }} onClose={close} />
            </Suspense>
          ),
        },
        credit: {
          dialog: (close) => <ApplyCredit customer={{ guid, name: customer.displayName }} onClose={close} />,
        },
        hold: {
          dialog: (close) => <HoldDialog about={{ customerGuid: guid }} name={customer.displayName} onClose={close} />,
        },
        merge: {
          dialog: (close) => <MergeWith customer={{ guid, displayName: customer.displayName }} onClose={close} />,
        },
        edit: { run: () => go(pathOf('Customers', 'edit', guid)) },
      }}
    >
      <CustomerTabs customer={customer} />
    </RecordFrame>
  )
}
