import { Skeleton } from '@mantine/core'
import type { CSSProperties } from 'react'
import { lostStatuses, messageMetricsApi, waitingStatuses } from '../../contract/message-metrics.ts'
import { messagesApi } from '../../contract/messages.ts'
import { spanOf } from '../core/api/business.ts'
import { useRead } from '../core/api/hooks.ts'
import type { Answer } from '../core/api/types.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { Tone } from '../core/ui/status-chip.tsx'
import { useListState } from '../core/ui/table/list-state.ts'
import { narrowTo, shows } from './narrowed.ts'

type Standing = Answer<typeof messageMetricsApi.standing>

/** How many wait, went, did not arrive and are not filed; each opens its list, a second press shows everything. */
export function MessageTiles() {
  const t = useT('mailing')
  const { number } = useFormat()
  const state = useListState(messagesApi.list)
  const { data } = useRead(messageMetricsApi.standing, spanOf(messageMetricsApi.standing))
  const tiles: { key: keyof Standing; label: string; tone: Tone; filters: Record<string, string> }[] = [
    { key: 'waiting', label: t('mailing:tiles.waiting'), tone: 'primary', filters: { status: waitingStatuses.join() } },
    {
      key: 'sentThisWeek',
      label: t('mailing:tiles.sent'),
      tone: 'success',
      filters: data ? { counted: 'sent', 'countedOn.gte': data.week.from, 'countedOn.lte': data.week.to } : {},
    },
    { key: 'failed', label: t('mailing:tiles.failed'), tone: 'error', filters: { status: lostStatuses.join() } },
    { key: 'unmatched', label: t('mailing:tiles.unmatched'), tone: 'warning', filters: { isUnmatched: 'true' } },
  ]
  return (
    <div
      className="status-tiles no-print"
      role="group"
      aria-label={t('mailing:tiles.label')}
      style={{ '--tiles': tiles.length, '--half': tiles.length / 2 } as CSSProperties}
    >
      {tiles.map(({ key, label, tone, filters }) => {
        const isOn = shows(state, filters)
        return (
          <button
            key={key}
            type="button"
            className="status-tile card"
            data-tone={tone}
            aria-pressed={isOn}
            onClick={() => narrowTo(state, isOn ? {} : filters)}
          >
            <span className="status-tile-label">{label}</span>
            {data ? (
              <span className="status-tile-count tabular">{number(Number(data[key]))}</span>
            ) : (
              <Skeleton height={26} width="50%" mt={6} />
            )}
          </button>
        )
      })}
    </div>
  )
}
