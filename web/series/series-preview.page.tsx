import { pathOf, pathTo } from '../../contract/nouns.ts'
import { type Series, seriesApi, type SeriesDeed } from '../../contract/series.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { useGo, useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { toast } from '../core/ui/toast.tsx'
import { DocumentBanner } from '../lines/document-banner.tsx'
import { DocumentLines } from '../lines/document-lines.tsx'
import { TotalsBlock } from '../lines/totals-block.tsx'
import { RecordFrame } from '../record/record-frame.tsx'
import { RecordTimeline } from '../timeline/record-timeline.tsx'
import { seriesActions } from './series-actions.ts'
import { Cycles, Rises, SeriesRail } from './series-parts.tsx'

export function Page() {
  const guid = useGuid()
  const read = useRead(seriesApi.get, { guid })
  return <Loaded of={read}>{({ series }) => <Preview series={series} />}</Loaded>
}

function Preview({ series }: { series: Series }) {
  const t = useT('series', 'record', 'common', 'quotes', 'lines')
  const f = useFormat()
  const go = useGo()
  const { guid, version } = series
  const status = useWrite(seriesApi.status)
  const run = useWrite(seriesApi.run)
  const does = (deed: SeriesDeed) => ({
    run: async (reason: string) => {
      await status.mutateAsync({ guid, version, deed, ...(reason ? { reason } : {}) })
      toast.success(t(`series:done.${deed}`, { name: series.title }))
    },
  })
  return (
    <RecordFrame
      noun="Series"
      title={series.title}
      subtitle={series.customer.displayName}
      badge={<StatusChip status={series.status} ns="series" />}
      listLabel={t('series:list.title')}
      actions={seriesActions(series, t, f)}
      record={series}
      deeds={{
        edit: { run: () => go(pathOf('Series', 'edit', guid)) },
        rise: { run: () => go(`${pathOf('Series', 'rise')}?series=${guid}`) },
        start: does('start'),
        pause: does('pause'),
        resume: does('resume'),
        cancel: does('cancel'),
        run: {
          run: async () => {
            const { quotes } = await run.mutateAsync({ guid, version })
            const [made] = quotes
            toast.success(t('series:ran', { name: made?.label ?? '' }))
            if (made && quotes.length === 1) await go(pathTo('Quotes', made.guid))
          },
        },
      }}
      timeline={<RecordTimeline op={seriesApi.timeline} guid={guid} />}
      rail={<SeriesRail series={series} />}
    >
      <div className="stack series-cards" style={{ '--gap': '1.5rem' } as React.CSSProperties}>
        {series.reason ? (
          <DocumentBanner tone={series.status === 'failed' ? 'error' : 'warning'}>
            <strong>{t(series.status === 'failed' ? 'series:failedBecause' : 'series:reason')}</strong>
            <span>{series.reason}</span>
          </DocumentBanner>
        ) : null}
        <Card title={t('series:content')}>
          <div className="stack">
            <DocumentLines lines={series.lines} priceMode={series.priceMode} />
            <TotalsBlock totals={series.totals} />
          </div>
        </Card>
        <Cycles series={series} />
        <Rises series={series} />
      </div>
    </RecordFrame>
  )
}
