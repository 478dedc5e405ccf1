import { mergesApi } from '../../contract/merges.ts'
import { useRun } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { toast } from '../core/ui/toast.tsx'

/** Undoes a merge and says what it left, also when what asked for it is no longer there. */
export function useUndoMerge() {
  const t = useT('customers')
  const errorText = useErrorText()
  const run = useRun()
  return async (guid: string) => {
    try {
      const { leftAsIs } = await run(mergesApi.undo, { guid, version: 1 })
      toast.success(
        leftAsIs.length ? t('customers:merge.left', { count: leftAsIs.length }) : t('customers:merge.undone'),
      )
    } catch (error) {
      toast.error(errorText(error))
    }
  }
}
