import { dashboardsApi } from '../../contract/dashboards.ts'
import { invoicesApi } from '../../contract/invoices.ts'
import { messagesApi } from '../../contract/messages.ts'
import { ordersApi } from '../../contract/orders.ts'
import { paymentsApi } from '../../contract/payments.ts'
import { quotesApi } from '../../contract/quotes.ts'
import { spanOf } from '../core/api/business.ts'
import { useMay } from '../core/api/can.ts'
import { readAhead, useRead } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { Card } from '../core/ui/card.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { ActivityCard } from './activity-card.tsx'
import { AgeingCard } from './ageing-card.tsx'
import type { Dashboard } from './dashboard.ts'
import { FirstSteps } from './first-steps.tsx'
import { MessagesCard } from './messages-card.tsx'
import { GstTile, MoneyTiles } from './money-tiles.tsx'
import { MonthsCard } from './months-card.tsx'
import { QuotesCard } from './quotes-card.tsx'
import { WorkCard } from './work-card.tsx'
import './dashboards.css'

const freshMs = 60_000

export function Page() {
  const t = useT('dashboards', 'quotes', 'timeline')
  const f = useFormat()
  const read = useRead(dashboardsApi.ecommerce, spanOf(dashboardsApi.ecommerce), { refetchInterval: freshMs })
  return (
    <>
      <PageHeader
        title={t('dashboards:ecommerce.title')}
        subtitle={
          read.data
            ? t('dashboards:ecommerce.subtitle', { date: f.date(read.data.today), time: f.time(read.data.at) })
            : t('dashboards:ecommerce.loading')
        }
      />
      <Loaded of={read} lines={12}>
        {(board) =>
          isNew(board) ? (
            <Card>
              <FirstSteps />
            </Card>
          ) : (
            <Board board={board} />
          )
        }
      </Loaded>
    </>
  )
}

Page.beginReads = ((may) =>
  readAhead(may, dashboardsApi.ecommerce, spanOf(dashboardsApi.ecommerce))) satisfies BeginReads

/** Nothing was ever offered, invoiced or planned. */
const isNew = ({ quotes, months, activity }: Dashboard) =>
  quotes.byStatus.length === 0 &&
  months.every((month) => month.issuedCents === 0 && month.collectedCents === 0) &&
  activity.length === 0

/** What the reader may read of; what is nobody's business of his takes no room. */
function Board({ board }: { board: Dashboard }) {
  const may = useMay()
  const [invoices, payments, quotes, orders, messages] = [
    invoicesApi.list,
    paymentsApi.list,
    quotesApi.list,
    ordersApi.list,
    messagesApi.list,
  ].map((list) => may(list))
  return (
    <div className="board">
      {invoices || payments ? <MoneyTiles board={board} /> : null}
      {invoices ? (
        <div className="board-money">
          <MonthsCard months={board.months} />
          <div className="board-rail">
            <GstTile board={board} />
            <AgeingCard ageing={board.ageing} today={board.today} />
          </div>
        </div>
      ) : null}
      {quotes || orders ? (
        <div className="board-halves">
          {quotes ? <QuotesCard quotes={board.quotes} /> : null}
          {orders ? <WorkCard work={board.work} today={board.today} /> : null}
        </div>
      ) : null}
      {messages ? <MessagesCard messages={board.messages} today={board.today} /> : null}
      <ActivityCard activity={board.activity} />
    </div>
  )
}
