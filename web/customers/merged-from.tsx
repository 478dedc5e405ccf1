import { Button } from '@mantine/core'
import type { Customer } from '../../contract/customers.ts'
import { mergesApi } from '../../contract/merges.ts'
import { Can } from '../core/api/can-show.tsx'
import { useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { toast } from '../core/ui/toast.tsx'

/** Who was merged into a customer: each merge can be undone, the latest first. */
export function MergedFrom({ customer }: { customer: Customer }) {
  const t = useT('customers')
  const errorText = useErrorText()
  const undo = useWrite(mergesApi.undo)
  if (!customer.mergedFrom.length) return null
  const take = async (guid: string) => {
    try {
      const { leftAsIs } = await undo.mutateAsync({ guid, version: 1 })
      toast.success(
        leftAsIs.length ? t('customers:merge.left', { count: leftAsIs.length }) : t('customers:merge.undone'),
      )
    } catch (error) {
      toast.error(errorText(error))
    }
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
                loading={undo.isPending}
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
