import { Radio } from '@mantine/core'
import { useState } from 'react'
import { isText } from '../../contract/core/money.ts'
import { securityDoubtedBp } from '../../contract/deposit-natures.ts'
import { ordersApi, type Order } from '../../contract/orders.ts'
import { pathTo } from '../../contract/nouns.ts'
import { asApiError } from '../core/api/error.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { MoneyInput, PercentInput } from '../core/ui/inputs.tsx'
import { Money } from '../core/ui/money.tsx'
import { useGo } from '../core/ui/params.ts'
import { toast } from '../core/ui/toast.tsx'
import { type Nature, NatureFields } from '../lines/nature-fields.tsx'
import { AskDialog } from '../record/ask-dialog.tsx'

/** The largest share of the contract that every line still has, in basis points. */
function leftOf({ lines }: Order): number {
  const parts = lines
    .filter((line) => !isText(line) && line.parentLineGuid === null && Number(line.quantity) > 0)
    .map((line) => 1 - Number(line.quantityInvoiced) / Number(line.quantity))
  return Math.floor(Math.max(Math.min(...parts), 0) * 10_000 + 0.001)
}

/** Drafts the final invoice of an order, a progress invoice over a share of the contract, or a deposit. */
export function InvoiceDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const t = useT('orders')
  const go = useGo()
  const [kind, setKind] = useState<'final' | 'progress' | 'deposit'>('final')
  const maxBp = leftOf(order)
  const { toInvoiceCents, depositCreditCents } = order.money
  const [share, setShare] = useState<number | null>(Math.min(5000, maxBp))
  const [cents, setCents] = useState<number | null>(null)
  const [deposit, setDeposit] = useState<Nature>({ nature: 'part_payment', clause: '' })
  const isHeld = deposit.nature === 'security'
  const isLarge = (cents ?? 0) * 10_000 > order.totals.totalCents * securityDoubtedBp
  const blocks = {
    final: false,
    progress: !share,
    deposit: !cents || (isHeld && !deposit.clause.trim()),
  }
  const wishes = {
    final: {},
    progress: share ? { shareBp: share } : {},
    deposit: {
      ...(cents ? { cents } : {}),
      depositNature: deposit.nature,
      ...(isHeld ? { forfeitureClause: deposit.clause.trim() } : {}),
    },
  }
  const invoice = useWrite(ordersApi.invoice, {
    onSuccess: ({ invoice: made }) => {
      toast.success(t('orders:drafted'))
      return go(pathTo('Invoices', made.guid))
    },
  })
  const errorOf = (path: string) =>
    invoice.error ? asApiError(invoice.error).errors.find((error) => error.path === path)?.message : undefined
  return (
    <AskDialog
      title={t('orders:invoiceDialog.title')}
      action={t('orders:invoiceDialog.draft')}
      error={invoice.error}
      isBusy={invoice.isPending}
      isBlocked={blocks[kind]}
      onClose={onClose}
      onAsk={() =>
        invoice.mutate({
          guid: order.guid,
          version: order.version,
          kind,
          ...wishes[kind],
        })
      }
    >
      <div className="stack" style={{ '--gap': '0.25rem' } as React.CSSProperties}>
        {depositCreditCents && toInvoiceCents > 0 ? (
          <>
            <p className="row spread no-margin">
              <span className="muted">{t('orders:invoiceDialog.before')}</span>
              <Money cents={toInvoiceCents + depositCreditCents} />
            </p>
            <p className="row spread no-margin">
              <span className="muted">{t('orders:invoiceDialog.lessDeposit')}</span>
              <Money cents={-depositCreditCents} />
            </p>
          </>
        ) : null}
        <p className="row spread no-margin">
          <span className="muted">{t('orders:toInvoice')}</span>
          <strong>
            <Money cents={toInvoiceCents} />
          </strong>
        </p>
      </div>
      <Radio.Group
        label={t('orders:invoiceDialog.what')}
        value={kind}
        onChange={(value) => setKind(value === 'progress' || value === 'deposit' ? value : 'final')}
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
          <Radio
            value="deposit"
            label={t('orders:invoiceDialog.deposit')}
            description={t('orders:invoiceDialog.depositText')}
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
      {kind === 'deposit' ? (
        <>
          <MoneyInput
            label={t('orders:invoiceDialog.amount')}
            value={cents}
            onChange={setCents}
            error={errorOf('cents')}
          />
          <NatureFields value={deposit} onChange={setDeposit} error={errorOf('forfeitureClause')} isLarge={isLarge} />
        </>
      ) : null}
    </AskDialog>
  )
}
