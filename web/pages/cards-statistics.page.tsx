import { pathTo } from '../../contract/nouns.ts'
import './catalogue.css'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { Money } from '../core/ui/money.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { Sparkline, Stat } from '../core/ui/stat.tsx'
import type { Tone } from '../core/ui/status-chip.tsx'
import { CardsNav } from './cards-nav.tsx'

// Samples of how figures look; the real ones stand on the dashboard.
const rising = [4, 6, 5, 9, 8, 12, 11, 15]
const falling = [14, 12, 13, 9, 10, 7, 6, 5]
const tones = ['primary', 'info', 'success', 'warning', 'error', 'neutral'] as const satisfies readonly Tone[]

export function Page() {
  const t = useT('catalogue')
  const format = useFormat()
  return (
    <>
      <PageHeader title={t('catalogue:cards.statistics')} subtitle={t('catalogue:cards.statisticsText')} />
      <CardsNav />
      <div className="stack catalogue">
        <div className="grid-4">
          <Stat
            label={t('catalogue:stat.collected')}
            value={<Money cents={4_821_500} isWhole />}
            icon="cash"
            tone="success"
            series={rising}
          />
          <Stat
            label={t('catalogue:stat.overdue')}
            value={<Money cents={612_050} isWhole />}
            icon="warning"
            tone="error"
            hint={t('catalogue:stat.overdueHint')}
            series={falling}
          />
          <Stat
            label={t('catalogue:stat.quotes')}
            value={format.number(38)}
            icon="quote"
            tone="primary"
            to={pathTo('Quotes')}
          />
          <Stat label={t('catalogue:stat.accepted')} value={format.percent(6420)} icon="check" tone="info" />
        </div>
        <div className="grid-3">
          {tones.map((tone) => (
            <Stat
              key={tone}
              label={t(`catalogue:tone.${tone}`)}
              value={format.number(1284)}
              icon="statistics"
              tone={tone}
            />
          ))}
        </div>
        <Card title={t('catalogue:stat.series')}>
          <div className="row">
            {tones.map((tone, i) => (
              <span key={tone} data-tone={tone}>
                <Sparkline values={i % 2 ? falling : rising} width={120} height={40} />
              </span>
            ))}
          </div>
        </Card>
      </div>
    </>
  )
}
