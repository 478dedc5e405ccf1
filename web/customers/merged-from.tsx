import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Customer } from '../../contract/customers.ts'
import { mergesApi } from '../../contract/merges.ts'
import { Can } from '../core/api/can-show.tsx'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { useUndoMerge } from './undo-merge.ts'

/** Who was merged into a customer: each merge can be undone, the latest first. */
export function MergedFrom({ customer }: { customer: Customer }) {
  const t = useT('customers')
  const undo = useUndoMerge()
  const [isBusy, setBusy] = useState(false)
  if (!customer.mergedFrom.length) return null
  const take = async (guid: string) => {
    setBusy(true)
    await undo(guid)
    setBusy(false)
  }
  return (
    <Card title={t('customers:merge.from')}>
      <ul className="people">
        {customer.mergedFrom.map(({ guid, displayName, mergedAt, mergeGuid }) => (
          <li key={guid} className="merged-one">
            <span>
              <span className="strong">{displayName}</span>
              <span className="cell-sub">
                <DateText value={mergedAt} />
              </span>
            </span>
            <Can op={mergesApi.undo}>
              <Button
                variant="default"
                size="xs"
                loading={isBusy}
                aria-label={t('customers:merge.undoOf', { name: displayName })}
                onClick={() => void take(mergeGuid)}
              >
                {t('customers:merge.undo')}
              </Button>
            </Can>
          </li>
        ))}
      </ul>
    </Card>
  )
}
