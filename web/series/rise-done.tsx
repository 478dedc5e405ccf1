import { useState } from 'react'
import { pathTo } from '../../contract/nouns.ts'
import { type PlannedRise, seriesApi } from '../../contract/series.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useWholeErrorText } from '../core/i18n/errors.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { toast } from '../core/ui/toast.tsx'

/** What was planned, which can be taken back at once. */
export function DoneStep({ rise }: { rise: PlannedRise }) {
  const t = useT('series', 'common')
  const f = useFormat()
  const text = useWholeErrorText()
  const undo = useWrite(seriesApi.undoRise)
  const [isUndone, setUndone] = useState(false)
  const takeBack = async () => {
    try {
      await undo.mutateAsync({ guid: rise.guid })
      setUndone(true)
      toast.success(t('series:rise.undone'))
    } catch (error) {
      toast.error(text(error))
    }
  }
  const values = { count: rise.count, percent: f.percent(rise.bp), day: f.date(rise.fromOn) }
  return (
    <EmptyState
      scene={isUndone ? 'list' : 'done'}
      title={isUndone ? t('series:rise.undone') : t('series:rise.done', values)}
      text={isUndone ? t('series:rise.undoneText') : t('series:rise.doneText', values)}
      action={
        <div className="row">
          {isUndone ? null : (
            <ActionButton variant="default" icon="undo" loading={undo.isPending} onClick={() => void takeBack()}>
              {t('common:undo')}
            </ActionButton>
          )}
          <AppLink to={pathTo('Series')} className="button-link">
            {t('series:rise.toList')}
          </AppLink>
        </div>
      }
    />
  )
}
