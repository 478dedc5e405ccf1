import { SegmentedControl } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { invoicesApi } from '../../contract/invoices.ts'
import { messagesApi } from '../../contract/messages.ts'
import { ordersApi } from '../../contract/orders.ts'
import { paymentsApi } from '../../contract/payments.ts'
import { quotesApi } from '../../contract/quotes.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useMay } from '../core/api/can.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import type { Column } from '../core/ui/table/types.ts'
import { useInvoiceColumns } from '../invoices/invoice-columns.tsx'
import { InvoicePeek } from '../invoices/invoice-peek.tsx'
import { useMessageColumns } from '../messages/message-columns.tsx'
import { useOrderColumns } from '../orders/order-columns.tsx'
import { OrderPeek } from '../orders/order-peek.tsx'
import { usePaymentColumns } from '../payments/payment-columns.tsx'
import { PaymentPeek } from '../payments/payment-peek.tsx'
import { useQuoteColumns } from '../quotes/quote-columns.tsx'
import { QuotePeek } from '../quotes/quote-peek.tsx'

const withoutCustomer = <T,>(columns: Column<T>[]) => columns.filter((column) => column.id !== 'customer')
const pageSize = 10

function Quotes({ guid }: { guid: string }) {
  const t = useT('customers', 'quotes', 'lines')
  return (
    <DataTable
      op={quotesApi.list}
      isEmbedded
      fixed={{ customerGuid: guid }}
      label={t('quotes:list.title')}
      defaultSort="-createdAt"
      defaultSize={pageSize}
      columns={withoutCustomer(useQuoteColumns())}
      rowLabel={(q) => q.number ?? q.title}
      rowLink={(q) => pathTo('Quotes', q.guid)}
      peek={(q) => <QuotePeek guid={q.guid} />}
      empty={{ title: t('customers:records.noQuotes') }}
    />
  )
}

function Orders({ guid }: { guid: string }) {
  const t = useT('customers', 'orders', 'lines')
  return (
    <DataTable
      op={ordersApi.list}
      isEmbedded
      fixed={{ customerGuid: guid }}
      label={t('orders:list.title')}
      defaultSort="-createdAt"
      defaultSize={pageSize}
      columns={withoutCustomer(useOrderColumns())}
      rowLabel={(o) => o.number}
      rowLink={(o) => pathTo('Orders', o.guid)}
      peek={(o) => <OrderPeek guid={o.guid} />}
      empty={{ title: t('customers:records.noOrders') }}
    />
  )
}

function Invoices({ guid }: { guid: string }) {
  const t = useT('customers', 'invoices', 'lines')
  return (
    <DataTable
      op={invoicesApi.list}
      isEmbedded
      fixed={{ customerGuid: guid }}
      label={t('invoices:list.title')}
      defaultSort="-createdAt"
      defaultSize={pageSize}
      columns={withoutCustomer(useInvoiceColumns())}
      rowLabel={(i) => i.number ?? i.title}
      rowLink={(i) => pathTo('Invoices', i.guid)}
      peek={(i) => <InvoicePeek guid={i.guid} />}
      empty={{ title: t('customers:records.noInvoices') }}
    />
  )
}

function Payments({ guid }: { guid: string }) {
  const t = useT('customers', 'payments')
  return (
    <DataTable
      op={paymentsApi.list}
      isEmbedded
      fixed={{ customerGuid: guid }}
      label={t('payments:list.title')}
      defaultSort="-receivedOn"
      defaultSize={pageSize}
      columns={withoutCustomer(usePaymentColumns())}
      rowLabel={(p) => p.number}
      rowLink={(p) => pathTo('Payments', p.guid)}
      peek={(p) => <PaymentPeek guid={p.guid} />}
      empty={{ title: t('customers:records.noPayments') }}
    />
  )
}

function Messages({ guid }: { guid: string }) {
  const t = useT('customers', 'messages')
  return (
    <DataTable
      op={messagesApi.list}
      isEmbedded
      fixed={{ customerGuid: guid }}
      label={t('messages:list.title')}
      defaultSort="-createdAt"
      defaultSize={pageSize}
      columns={withoutCustomer(useMessageColumns())}
      rowLabel={(m) => m.subject}
      rowLink={(m) => pathTo('Messages', m.guid)}
      empty={{ title: t('customers:records.noMessages') }}
    />
  )
}

/** Documents of a customer, one kind at a time; only what the role may list. */
export function CustomerDocuments({ guid, chosen }: { guid: string; chosen: string | null }) {
  const t = useT('customers', 'quotes', 'orders', 'invoices', 'messages')
  const may = useMay()
  const navigate = useNavigate()
  const { list } = useSearch({ strict: false }) as { list?: string }
  const kinds = [
    { key: 'invoices', label: t('invoices:list.title'), op: invoicesApi.list, body: () => <Invoices guid={guid} /> },
    { key: 'quotes', label: t('quotes:list.title'), op: quotesApi.list, body: () => <Quotes guid={guid} /> },
    { key: 'orders', label: t('orders:list.title'), op: ordersApi.list, body: () => <Orders guid={guid} /> },
    { key: 'messages', label: t('messages:list.title'), op: messagesApi.list, body: () => <Messages guid={guid} /> },
  ].filter(({ op }) => may(op))
  const shown = kinds.find(({ key }) => key === (list ?? chosen)) ?? kinds[0]
  if (!shown) return <Card>{t('customers:records.noRights')}</Card>
  return (
    <Card>
      <div className="stack">
        <SegmentedControl
          className="document-kinds"
          aria-label={t('customers:records.title')}
          value={shown.key}
          onChange={(key) =>
            void navigate({ to: '.', search: { tab: 'documents', list: key }, replace: true, resetScroll: false })
          }
          data={kinds.map(({ key, label }) => ({ value: key, label }))}
        />
        <div key={shown.key}>{shown.body()}</div>
      </div>
    </Card>
  )
}

/** What a customer paid, for those who may list it. */
export function CustomerPayments({ guid }: { guid: string }) {
  const t = useT('customers', 'payments')
  const may = useMay()
  if (!may(paymentsApi.list)) return null
  return (
    <Card title={t('payments:list.title')}>
      <Payments guid={guid} />
    </Card>
  )
}
