import { Radio } from '@mantine/core'
import { useState } from 'react'
import { ordersApi, type AnyOrder } from '../../contract/orders.ts'
import { substatusesApi } from '../../contract/substatuses.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import { AskDialog } from '../record/ask-dialog.tsx'
import { SubstatusChip } from './substatus-chip.tsx'

const most = 100

/** Puts an order into one of the sub-statuses of its status, or into none. */
export function SubstatusDialog({ order, onClose }: { order: AnyOrder; onClose: () => void }) {
  const t = useT('orders')
  const read = useRead(substatusesApi.list, { core: order.status, size: most, sort: 'label' })
  const [chosen, setChosen] = useState(order.substatus?.guid ?? '')
  const save = useWrite(ordersApi.substatus, {
    onSuccess: () => {
      toast.success(t('orders:substatus.saved'))
      onClose()
    },
  })
  return (
    <AskDialog
      title={t('orders:substatus.set')}
      action={t('orders:substatus.save')}
      error={save.error}
      isBusy={save.isPending}
      isBlocked={chosen === (order.substatus?.guid ?? '')}
      onClose={onClose}
      onAsk={() => save.mutate({ guid: order.guid, version: order.version, substatusGuid: chosen || null })}
    >
      <Loaded of={read}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="muted no-margin">{t('orders:substatus.noneYet')}</p>
          ) : (
            <Radio.Group label={t('orders:substatus.one')} value={chosen} onChange={setChosen}>
              <div className="stack" style={{ '--gap': '0.75rem', marginBlockStart: '0.5rem' } as React.CSSProperties}>
                <Radio value="" label={t('orders:substatus.none')} />
                {items.map((item) => (
                  <Radio key={item.guid} value={item.guid} label={<SubstatusChip substatus={item} />} />
                ))}
              </div>
            </Radio.Group>
          )
        }
      </Loaded>
    </AskDialog>
  )
}
