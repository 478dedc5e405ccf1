import { Radio } from '@mantine/core'
import { useState } from 'react'
import { type Order, ordersApi } from '../../contract/orders.ts'
import { type SupplyBasis, supplyBases } from '../../contract/supplies.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { toast } from '../core/ui/toast.tsx'
import { AskDialog } from '../record/ask-dialog.tsx'

/** Decides whether all GST of an order counts with its first invoice or payment, while nothing of it is invoiced. */
export function SupplyDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const t = useT('orders')
  const [chosen, setChosen] = useState<SupplyBasis>(order.supplyBasis)
  const save = useWrite(ordersApi.update, {
    onSuccess: () => {
      toast.success(t('orders:supply.saved'))
      onClose()
    },
  })
  return (
    <AskDialog
      title={t('orders:supply.title')}
      action={t('orders:supply.action')}
      error={save.error}
      isBusy={save.isPending}
      isBlocked={chosen === order.supplyBasis}
      onClose={onClose}
      onAsk={() => save.mutate({ guid: order.guid, version: order.version, supplyBasis: chosen })}
    >
      <p className="muted no-margin">{t('orders:supply.text')}</p>
      <Radio.Group
        aria-label={t('orders:supply.title')}
        value={chosen}
        onChange={(value) => setChosen(supplyBases.find((known) => known === value) ?? order.supplyBasis)}
      >
        <div className="stack" style={{ '--gap': '0.75rem' } as React.CSSProperties}>
          {supplyBases.map((basis) => (
            <Radio
              key={basis}
              value={basis}
              label={t(`orders:supply.bases.${basis}`)}
              description={t(`orders:supply.hints.${basis}`)}
            />
          ))}
        </div>
      </Radio.Group>
    </AskDialog>
  )
}
