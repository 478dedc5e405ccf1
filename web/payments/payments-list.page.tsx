import { lazy, Suspense, useState } from 'react'
import { paymentMethods, paymentsApi } from '../../contract/payments.ts'
import { pathTo, pathOf } from '../../contract/nouns.ts'
import { useCan } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { readListAhead } from '../core/ui/table/list-state.ts'
import { methodText, usePaymentColumns } from './payment-columns.tsx'

const RecordPayment = lazy(() => import('./record-payment.tsx').then((module) => ({ default: module.RecordPayment })))
const PaymentPeek = lazy(() => import('./payment-peek.tsx').then((module) => ({ default: module.PaymentPeek })))
const list = { op: paymentsApi.list, defaultSort: '-receivedOn' }

export function Page() {
  const t = useT('payments')
  const columns = usePaymentColumns()
  const mayRecord = useCan(paymentsApi.create)
  const [isRecording, setRecording] = useState(false)
  const mayCheck = useCan(paymentsApi.quarantine)
  const aside = useRead(paymentsApi.quarantine, {}, { enabled: mayCheck })
  const count = mayCheck ? (aside.data?.page.total.value ?? 0) : 0
  return (
    <>
      <PageHeader
        title={t('payments:list.title')}
        subtitle={t('payments:list.subtitle')}
        actions={
          <>
            {count > 0 ? (
              <AppLink to={pathOf('Payments', 'check')} className="button-link quiet">
                {t('payments:aside.open', { count })}
              </AppLink>
            ) : null}
            {mayRecord ? (
              <ActionButton icon="cash" onClick={() => setRecording(true)}>
                {t('payments:record.title')}
              </ActionButton>
            ) : null}
          </>
        }
      />
      <DataTable
        {...list}
        exportOp={paymentsApi.export}
        label={t('payments:list.title')}
        searchPlaceholder={t('payments:list.search')}
        columns={columns}
        rowLabel={(p) => p.number}
        rowLink={(p) => pathTo('Payments', p.guid)}
        peek={(p) => <PaymentPeek guid={p.guid} />}
        filters={[
          {
            type: 'many',
            field: 'method',
            label: t('payments:method'),
            options: paymentMethods.map((method) => ({ value: method, label: methodText(method) })),
          },
          { type: 'days', field: 'receivedOn', label: t('payments:receivedOn') },
        ]}
        empty={{ title: t('payments:empty.title'), text: t('payments:empty.text') }}
      />
      {isRecording ? (
        <Suspense>
          <RecordPayment customer={null} onClose={() => setRecording(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

Page.beginReads = ((may, search) => readListAhead(may, list, search)) satisfies BeginReads
