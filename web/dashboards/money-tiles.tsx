import { basApi } from '../../contract/bas.ts'
import { businessesApi } from '../../contract/businesses.ts'
import { addDays, addMonths } from '../../contract/core/dates.ts'
import { invoicesApi } from '../../contract/invoices.ts'
import { paymentsApi } from '../../contract/payments.ts'
import { pathTo } from '../../contract/nouns.ts'
import { accounting } from '../../contract/places.ts'
import { useMay } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useBusinesses } from '../core/layout/use-businesses.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Stat } from '../core/ui/stat.tsx'
import { listAt, owingStatuses, type Dashboard } from './dashboard.ts'

const invoices = pathTo('Invoices')
const firstOfMonth = (today: string) => `${today.slice(0, 8)}01`

function firstOfQuarter(today: string): string {
  const month = Number(today.slice(5, 7))
  return `${today.slice(0, 5)}${String(month - ((month - 1) % 3)).padStart(2, '0')}-01`
}

/** A line in the colours of the ages; decoration beside the figures of the ageing card. */
function Aged({ text, ageing }: { text: string; ageing: Dashboard['ageing'] }) {
  const owing = ageing.filter(({ cents }) => cents > 0)
  return (
    <>
      {text}
      {owing.length ? (
        <span className="meter" aria-hidden="true">
          {owing.map(({ bucket, cents }) => (
            <span key={bucket} data-bucket={bucket} style={{ '--share': cents } as React.CSSProperties} />
          ))}
        </span>
      ) : null}
    </>
  )
}

/** What was issued and collected this month, and what is owing now; each opens its list. */
export function MoneyTiles({ board }: { board: Dashboard }) {
  const t = useT('dashboards')
  const f = useFormat()
  const may = useMay()
  const { money, months, today, ageing } = board
  const at = (path: string, filters: Record<string, string>) => ({ to: listAt(path, filters) })
  const mayInvoices = may(invoicesApi.list)
  const mayPayments = may(paymentsApi.list)
  const own = useBusinesses()
  /** Where one works in several: whose figures these are. The report of aged receivables is a legal entity's. */
  const scope = own
    ? own.isEverywhere
      ? t('dashboards:money.everywhere')
      : t('dashboards:money.scope', { name: own.business.name })
    : null
  const told = (invoices: string) => [invoices, scope].filter(Boolean).join(' · ')
  const count = (buckets: Dashboard['ageing']) => buckets.reduce((sum, bucket) => sum + bucket.count, 0)
  const late = ageing.filter(({ bucket }) => bucket !== 'current')
  return (
    <div className="board-tiles">
      {mayInvoices ? (
        <Stat
          label={t('dashboards:money.issued')}
          value={f.money(money.issuedCents, true)}
          icon="invoice"
          tone="primary"
          hint={t('dashboards:money.before', { amount: f.money(money.issuedBeforeCents, true) })}
          series={months.map((month) => month.issuedCents)}
          {...at(invoices, { 'issueOn.gte': firstOfMonth(today), 'issueOn.lte': today })}
        />
      ) : null}
      {mayPayments ? (
        <Stat
          label={t('dashboards:money.collected')}
          value={f.money(money.collectedCents, true)}
          icon="cash"
          tone="success"
          hint={t('dashboards:money.before', { amount: f.money(money.collectedBeforeCents, true) })}
          series={months.map((month) => month.collectedCents)}
          {...at(pathTo('Payments'), { 'receivedOn.gte': firstOfMonth(today), 'receivedOn.lte': today })}
        />
      ) : null}
      {mayInvoices ? (
        <Stat
          label={t('dashboards:money.outstanding')}
          value={f.money(money.outstandingCents, true)}
          icon="clock"
          tone="info"
          hint={<Aged text={told(t('dashboards:money.invoices', { count: count(ageing) }))} ageing={ageing} />}
          {...at(invoices, { status: owingStatuses, sort: 'dueOn' })}
        />
      ) : null}
      {mayInvoices ? (
        <Stat
          label={t('dashboards:money.overdue')}
          value={f.money(money.overdueCents, true)}
          icon="warning"
          tone={money.overdueCents ? 'error' : 'success'}
          hint={
            money.overdueCents ? (
              <Aged text={told(t('dashboards:money.invoices', { count: count(late) }))} ageing={late} />
            ) : (
              t('dashboards:money.nothingOverdue')
            )
          }
          {...at(invoices, { status: 'overdue', sort: 'dueOn' })}
        />
      ) : null}
    </div>
  )
}

/** The GST of this quarter, which belongs to the tax office. */
export function GstTile({ board }: { board: Dashboard }) {
  const t = useT('dashboards')
  const f = useFormat()
  const may = useMay()
  const own = useBusinesses()
  const from = firstOfQuarter(board.today)
  const current = useRead(businessesApi.current, {}, { enabled: may(businessesApi.current) }).data?.business
  const said = current?.gstBasis === 'cash' ? 'dashboards:money.gstReceived' : 'dashboards:money.gstSince'
  const since = t(said, { date: f.date(from) })
  const { length } = board.gstByEntity
  const entities = board.gstByEntity.filter(({ cents }) => length === 1 || cents !== 0)
  // A brand's GST is its company's, which its list of invoices does not show alone.
  const isListed = may(invoicesApi.list) && (own === null || own.isEverywhere)
  const ofQuarter = new URLSearchParams({ from, to: addDays(addMonths(from, 3), -1) }).toString()
  const listed = isListed ? listAt(invoices, { 'issueOn.gte': from, 'issueOn.lte': board.today }) : null
  const to = may(basApi.bas) && !own?.isEverywhere ? `${accounting.bas.path}?${ofQuarter}` : listed
  const each = entities.map(({ name, cents }) => (entities.length > 1 ? `${name} ${f.money(cents, true)}` : name))
  return (
    <Stat
      label={t('dashboards:money.gst')}
      value={f.money(board.money.gstToSetAsideCents, true)}
      icon="receipt"
      tone="warning"
      hint={own ? [since, ...each].join(' · ') : since}
      {...(to ? { to } : {})}
    />
  )
}
