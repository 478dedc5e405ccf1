import type { ActivityEntry } from '../../contract/activity.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useFormat, type Format } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { AppLink } from '../core/ui/link.tsx'
import { Timeline } from '../core/ui/timeline.tsx'
import { timelineTitle, toneOf } from '../timeline/record-timeline.tsx'

/** The sentence of one line: that of its event, or at least readable words for what an older version wrote. */
function activityTitle({ what, values }: Pick<ActivityEntry, 'what' | 'values'>, f: Format): string {
  const readable = what.replaceAll(/[._-]/g, ' ').replace(/^\w/, (first) => first.toUpperCase())
  return timelineTitle({ what, values }, f, readable)
}

/** Which record it was, where the sentence does not say so. */
const recordOf = ({ values }: ActivityEntry, title: string) =>
  ['number', 'name', 'title', 'subject']
    .map((key) => values[key])
    .find((value) => typeof value === 'string' && value !== '' && !title.includes(value))

/** What a person did, the newest first; `names` says who did it, where that is not always the same. */
export function ActivityList({ items, hasNames = false }: { items: readonly ActivityEntry[]; hasNames?: boolean }) {
  const t = useT('timeline', 'common')
  const f = useFormat()
  return (
    <Timeline
      items={items.map((entry, index) => {
        const title = activityTitle(entry, f)
        const place = entry.guid ? pathTo(entry.noun, entry.guid) : null
        return {
          key: `${entry.at} ${index}`,
          at: entry.at,
          title: place ? <AppLink to={place}>{title}</AppLink> : title,
          by: hasNames ? (entry.by ?? t('timeline:bySystem')) : undefined,
          detail: recordOf(entry, title),
          tone: toneOf(entry.what),
        }
      })}
    />
  )
}
