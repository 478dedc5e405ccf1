import { isEverywhere } from '../core/api/business.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { Timeline } from '../core/ui/timeline.tsx'
import { timelineItems } from '../timeline/record-timeline.tsx'
import { RecordLink } from '../record/record-link.tsx'
import type { Dashboard } from './dashboard.ts'

/** Mails go out in batches: of many alike in a row the newest are shown. */
const maxAlike = 2

function thinned(activity: Dashboard['activity']): { entry: Dashboard['activity'][number]; more: number }[] {
  const shown: { entry: Dashboard['activity'][number]; more: number; run: number }[] = []
  for (const entry of activity) {
    const last = shown.at(-1)
    const isAlike = last?.entry.what === entry.what
    if (last && isAlike && last.run >= maxAlike) last.more += 1
    else shown.push({ entry, more: 0, run: isAlike && last ? last.run + 1 : 1 })
  }
  return shown
}

/** What happened last, each opening its record. */
export function ActivityCard({ activity }: { activity: Dashboard['activity'] }) {
  const t = useT('dashboards', 'timeline')
  const f = useFormat()
  const entries = thinned(activity)
  const words = { guest: t('timeline:byGuest'), system: t('timeline:bySystem') }
  const items = timelineItems(
    entries.map(({ entry }) => entry),
    f,
    words,
  ).map((item, index) => {
    const { entry, more } = entries[index] ?? {}
    // Refunds are shown with their payments, whose guid is not known here.
    return {
      ...item,
      title: entry?.guid ? (
        <RecordLink noun={entry.noun} guid={entry.guid} className="activity-link">
          {item.title}
        </RecordLink>
      ) : (
        item.title
      ),
      detail: (
        <>
          {more ? t('dashboards:activity.more', { count: more }) : item.detail}
          {isEverywhere() && entry?.businessName ? <span className="cell-sub">{entry.businessName}</span> : null}
        </>
      ),
    }
  })
  return (
    <Card title={t('dashboards:activity.title')}>
      <Timeline items={items} />
    </Card>
  )
}
