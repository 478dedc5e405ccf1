import { Radio } from '@mantine/core'
import { useState } from 'react'
import { isText } from '../../contract/core/money.ts'
import { ordersApi, type Order } from '../../contract/orders.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { PercentInput } from '../core/ui/inputs.tsx'
import { Money } from '../core/ui/money.tsx'
import { useGo } from '../core/ui/params.ts'
import { toast } from '../core/ui/toast.tsx'
import { AskDialog } from '../record/ask-dialog.tsx'

/** The largest share of the contract that every line still has, in basis points. */
function leftOf({ lines }: Order): number {
  const parts = lines
    .filter((line) => !isText(line) && line.parentLineGuid === null && Number(line.quantity) > 0)
    .map((line) => 1 - Number(line.quantityInvoiced) / Number(line.quantity))
  return Math.floor(Math.max(Math.min(...parts), 0) * 10_000 + 0.001)
}

/** Drafts the final invoice of an order, or a progress invoice over a share of the contract. */
export function InvoiceDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const t = useT('orders')
  const go = useGo()
  const [kind, setKind] = useState<'final' | 'progress'>('final')
  const maxBp = leftOf(order)
  const [share, setShare] = useState<number | null>(Math.min(5000, maxBp))
  const invoice = useWrite(ordersApi.invoice, {
    onSuccess: ({ invoice: made }) => {
      toast.success(t('orders:drafted'))
      return go(pathTo('Invoices', made.guid))
    },
  })
  return (
    <AskDialog
      title={t('orders:invoiceDialog.title')}
      action={t('orders:invoiceDialog.draft')}
      error={invoice.error}
      isBusy={invoice.isPending}
      isBlocked={kind === 'progress' && !share}
      onClose={onClose}
      onAsk={() =>
        invoice.mutate({
          guid: order.guid,
          version: order.version,
          kind,
          ...(kind === 'progress' && share ? { shareBp: share } : {}),
        })
      }
    >
      <p className="row spread no-margin">
        <span className="muted">{t('orders:toInvoice')}</span>
        <strong>
          <Money cents={order.money.toInvoiceCents} />
        </strong>
      </p>
      {order.money.depositCreditCents ? (
        <p className="row spread no-margin">
          <span className="muted">{t('orders:depositCredit')}</span>
          <Money cents={order.money.depositCreditCents} />
        </p>
      ) : null}
      <Radio.Group
        label={t('orders:invoiceDialog.what')}
        value={kind}
        onChange={(value) => setKind(value === 'progress' ? 'progress' : 'final')}
      >
        <div className="stack" style={{ '--gap': '0.75rem', marginBlockStart: '0.5rem' } as React.CSSProperties}>
          <Radio
            value="final"
            label={t('orders:invoiceDialog.final')}
            description={t('orders:invoiceDialog.finalText')}
          />
          <Radio
            value="progress"
            label={t('orders:invoiceDialog.share')}
            description={t('orders:invoiceDialog.shareText')}
          />
        </div>
      </Radio.Group>
      {kind === 'progress' ? (
        <PercentInput
          label={t('orders:invoiceDialog.percent')}
          description={t('orders:invoiceDialog.left', { percent: maxBp / 100 })}
          value={share}
          onChange={setShare}
        />
      ) : null}
    </AskDialog>
  )
}
