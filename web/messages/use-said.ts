import { formatPattern } from '../../contract/core/dates.ts'
import type { Composed } from '../../contract/message-writes.ts'
import { preferencesOf, useAuth } from '../core/api/auth-state.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import { localeOf } from '../core/i18n/languages.ts'
import { toast } from '../core/ui/toast.tsx'
import { type ComposeValues, type Intent, wallOf } from './compose-values.ts'
import { sayOnItsWay } from './sending.ts'

/** A time on a clock, as people write times. */
export function useWallText(): (wall: string) => string {
  const locale = localeOf(useLanguage())
  const { displayDateTimeFormat } = preferencesOf(useAuth())
  return (wall) => formatPattern(`${wall}:00Z`, displayDateTimeFormat, { zone: 'UTC', locale })
}

/** Says what became of a message. */
export function useSaid({ offered }: Pick<Composed, 'offered'>): (values: ComposeValues, intent: Intent) => void {
  const t = useT('compose')
  const wallText = useWallText()
  const { zone: own } = useFormat()
  return (values, intent) => {
    const { to, timeZone: zone } = values
    if (intent === 'note') return toast.success(t('compose:noteSaved'))
    if (intent === 'draft') return toast.success(t('compose:draftSaved'))
    if (intent === 'schedule') {
      const when = wallText(wallOf(values) ?? '')
      return toast.success(t(zone === own ? 'compose:scheduled' : 'compose:scheduledIn', { when, zone }))
    }
    const [address = ''] = to
    const name = offered.find((one) => one.address === address)?.name ?? address
    const others = to.length - 1
    return sayOnItsWay(t('compose:queued', { name, others, count: to.length }), t('compose:waits'))
  }
}
