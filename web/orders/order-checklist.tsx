import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { ordersApi, type AnyOrder } from '../../contract/orders.ts'
import { useCan } from '../core/api/can.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { toast } from '../core/ui/toast.tsx'
import './order-parts.css'

/** What is checked on site: ticked with a thumb, one after the other, without waiting for an answer. */
export function OrderChecklist({ order }: { order: AnyOrder }) {
  const t = useT('orders')
  const f = useFormat()
  const text = useErrorText()
  const mayCheck = useCan(ordersApi.check)
  const [ticked, setTicked] = useState<Readonly<Record<string, boolean>>>({})
  const settle = (code: string) =>
    setTicked((before) => Object.fromEntries(Object.entries(before).filter(([key]) => key !== code)))
  const check = useWrite(ordersApi.check, { onError: (error) => toast.error(text(error)) })
  const isOver = order.archivedAt !== null || order.status === 'closed' || order.status === 'cancelled'
  if (order.checks.length === 0)
    return (
      <Card title={t('orders:tabs.checklist')}>
        <p className="muted no-margin">{t('orders:checklist.empty')}</p>
      </Card>
    )
  return (
    <Card title={t('orders:tabs.checklist')} isFlush>
      <ul className="check-list">
        {order.checks.map(({ code, label, isRequired, isDone, doneAt, doneBy }) => (
          <li key={code}>
            <Checkbox
              classNames={{ root: 'check-row', body: 'check-body', labelWrapper: 'check-words', label: 'check-label' }}
              label={<bdi>{label}</bdi>}
              description={
                isDone && doneAt
                  ? t('orders:checklist.by', { name: doneBy ?? '', at: f.dateTime(doneAt) })
                  : isRequired
                    ? t('orders:checklist.required')
                    : undefined
              }
              disabled={!mayCheck || isOver}
              checked={ticked[code] ?? isDone}
              onChange={({ currentTarget: { checked } }) => {
                setTicked((before) => ({ ...before, [code]: checked }))
                check.mutate(
                  { guid: order.guid, version: order.version, code, isDone: checked },
                  { onSettled: () => settle(code) },
                )
              }}
            />
          </li>
        ))}
      </ul>
    </Card>
  )
}
