import './catalogue.css'
import { useState } from 'react'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { NameCell } from '../core/ui/name-cell.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { StatusChip, type Tone } from '../core/ui/status-chip.tsx'
import { Timeline } from '../core/ui/timeline.tsx'
import { CardsNav } from './cards-nav.tsx'

const elevations = Array.from({ length: 25 }, (_, level) => level)
const tones = ['primary', 'info', 'success', 'warning', 'error', 'neutral'] as const satisfies readonly Tone[]
const hour = 3_600_000

export function Page() {
  const t = useT('catalogue')
  const [opened] = useState(() => Date.now())
  const ago = (hours: number) => new Date(opened - hours * hour).toISOString()
  return (
    <>
      <PageHeader title={t('catalogue:cards.basic')} subtitle={t('catalogue:cards.basicText')} />
      <CardsNav />
      <div className="grid-2 catalogue">
        <Card title={t('catalogue:cards.titled')}>
          <p className="no-margin">{t('catalogue:cards.titledText')}</p>
        </Card>
        <Card title={t('catalogue:cards.values')}>
          <KeyValueList
            items={[
              { label: t('catalogue:cards.font'), value: <bdi>{t('catalogue:cards.fontName')}</bdi> },
              { label: t('catalogue:cards.radius'), value: <bdi>{t('catalogue:cards.radiusValue')}</bdi> },
              {
                label: t('catalogue:cards.tones'),
                value: (
                  <span className="row">
                    {tones.map((tone) => (
                      <StatusChip key={tone} status={tone} tone={tone} label={t(`catalogue:tone.${tone}`)} />
                    ))}
                  </span>
                ),
              },
            ]}
          />
        </Card>
        <Card title={t('catalogue:cards.people')} isFlush>
          <ul className="plain-rows">
            {(['office', 'crew', 'accountant'] as const).map((who) => (
              <li key={who}>
                <NameCell name={t(`catalogue:person.${who}`)} sub={t(`catalogue:role.${who}`)} />
              </li>
            ))}
          </ul>
        </Card>
        <Card title={t('catalogue:cards.history')}>
          <Timeline
            items={[
              {
                key: 'paid',
                at: ago(2),
                title: t('catalogue:event.paid'),
                by: t('catalogue:person.accountant'),
                tone: 'success',
              },
              { key: 'viewed', at: ago(26), title: t('catalogue:event.viewed'), tone: 'info' },
              {
                key: 'sent',
                at: ago(50),
                title: t('catalogue:event.sent'),
                by: t('catalogue:person.office'),
                tone: 'primary',
              },
            ]}
          />
        </Card>
        <Card>
          <EmptyState title={t('catalogue:cards.empty')} text={t('catalogue:cards.emptyText')} />
        </Card>
        <Card title={t('catalogue:cards.elevation')}>
          <ol className="elevations" start={0}>
            {elevations.map((level) => (
              <li key={level} className="tabular" style={{ boxShadow: `var(--elevation-${level})` }}>
                {level}
              </li>
            ))}
          </ol>
        </Card>
      </div>
    </>
  )
}
