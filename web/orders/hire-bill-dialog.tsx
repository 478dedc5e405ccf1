import { useState } from 'react'
import { localDay } from '../../contract/core/dates.ts'
import type { HireBill } from '../../contract/hire-runs.ts'
import { pathTo } from '../../contract/nouns.ts'
import { ordersApi, type Order } from '../../contract/orders.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DateInput } from '../core/ui/date-input.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { Money } from '../core/ui/money.tsx'
import { useGo } from '../core/ui/params.ts'
import { toast } from '../core/ui/toast.tsx'
import { AskDialog } from '../record/ask-dialog.tsx'

/** What one line comes to through the day, part by part. */
function Bill({ bill }: { bill: HireBill }) {
  const t = useT('orders')
  const f = useFormat()
  const { parts, discountCents, billedCents } = bill.why
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={2}>
          <bdi>{bill.name}</bdi>
          <span className="muted small block">
            <DateText value={bill.from} /> – <DateText value={bill.to} />
          </span>
        </th>
      </tr>
      {parts.map(({ units, days, unitCents, cents }, i) => (
        <tr key={`${days}:${i}`}>
          <td>
            {t('orders:hire.part', { units: f.quantity(units), days: f.number(days), price: f.money(unitCents) })}
          </td>
          <td className="end">
            <Money cents={cents} />
          </td>
        </tr>
      ))}
      {discountCents === 0 ? null : (
        <tr>
          <td>{t('orders:hire.discount')}</td>
          <td className="end">
            <Money cents={-discountCents} />
          </td>
        </tr>
      )}
      {billedCents === 0 ? null : (
        <tr>
          <td>{t('orders:hire.billedBefore')}</td>
          <td className="end">
            <Money cents={-billedCents} />
          </td>
        </tr>
      )}
      <tr>
        <td>{t('orders:hire.due')}</td>
        <td className="end strong">
          <Money cents={bill.cents} />
        </td>
      </tr>
    </tbody>
  )
}

/** What a bill through a day would come to and why; then makes it. */
export function HireBillDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const t = useT('orders')
  const f = useFormat()
  const go = useGo()
  const [through, setThrough] = useState(() => localDay(new Date().toISOString(), f.zone))
  const { guid, version } = order
  const preview = useRead(
    ordersApi.hireBill,
    { guid, version, through, dryRun: true },
    { enabled: through !== '', keep: true },
  )
  const bill = useWrite(ordersApi.hireBill, {
    onSuccess: ({ invoice, note }) => {
      const made = invoice ?? note
      toast.success(t(invoice ? 'orders:drafted' : note ? 'orders:hire.noteDrafted' : 'orders:hire.noInvoice'))
      return made ? go(pathTo('Invoices', made.guid)) : onClose()
    },
  })
  const bills = preview.data?.bills ?? []
  const { creditCents = 0, refundCents = 0, replacesDraft = false } = preview.data ?? {}
  const isNoteOnly = creditCents > 0 && bills.every(({ cents }) => cents <= 0)
  return (
    <AskDialog
      title={t('orders:hire.bill')}
      action={t(isNoteOnly ? 'orders:hire.draftNote' : 'orders:hire.bill')}
      error={bill.error ?? preview.error}
      isBusy={bill.isPending}
      isBlocked={through === '' || preview.isFetching || preview.isError || bills.length === 0}
      onClose={onClose}
      onAsk={() => bill.mutate({ guid, version, through })}
    >
      <DateInput label={t('orders:hire.through')} value={through} onChange={setThrough} required />
      {bills.length > 0 ? (
        <table className="cost-table hire-bill" aria-label={t('orders:hire.preview')}>
          {bills.map((one) => (
            <Bill key={one.lineGuid} bill={one} />
          ))}
        </table>
      ) : preview.isSuccess ? (
        <p className="muted no-margin">{t('orders:hire.nothingDue')}</p>
      ) : null}
      {replacesDraft ? <p className="no-margin">{t('orders:hire.replaces')}</p> : null}
      {creditCents > 0 ? (
        <p className="no-margin">{t('orders:hire.credit', { amount: f.money(creditCents) })}</p>
      ) : null}
      {refundCents > 0 ? (
        <p className="no-margin">{t('orders:hire.refund', { amount: f.money(refundCents) })}</p>
      ) : null}
      <p className="muted small no-margin">{t('orders:hire.beforeGst')}</p>
    </AskDialog>
  )
}
