import { customersApi } from '../../contract/customers.ts'
import { useRead } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ErrorState, LoadingLines } from '../core/ui/states.tsx'
import { Timeline } from '../core/ui/timeline.tsx'
import { timelineItems } from '../timeline/record-timeline.tsx'

/** Everything that happened with a customer and the customer's documents. */
export function CustomerTimeline({ guid }: { guid: string }) {
  const t = useT('timeline')
  const f = useFormat()
  const read = useRead(customersApi.timeline, { guid })
  if (read.error && !read.data) return <ErrorState error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return <LoadingLines lines={6} />
  return (
    <Timeline
      items={timelineItems(read.data.items, f, { guest: t('timeline:byGuest'), system: t('timeline:bySystem') })}
    />
  )
}
