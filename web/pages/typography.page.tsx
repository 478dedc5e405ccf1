import './catalogue.css'
import { useState } from 'react'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { Money } from '../core/ui/money.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'

const weights = [300, 400, 500, 600, 700] as const
const headings = [2, 3, 4, 5, 6] as const
const inks = ['heading', 'text', 'dimmed', 'accent', 'error'] as const
const amounts = { amount: 125_000, negative: -4990, large: 999_999_999 } as const

export function Page() {
  const t = useT('catalogue')
  const format = useFormat()
  const [now] = useState(() => new Date().toISOString())
  return (
    <>
      <PageHeader title={t('catalogue:typography.title')} subtitle={t('catalogue:typography.subtitle')} />
      <div className="grid-2 catalogue">
        <Card title={t('catalogue:typography.headings')}>
          <div className="stack">
            {headings.map((level) => (
              <p key={level} className={`type-heading type-h${level}`}>
                {t('catalogue:typography.heading', { level })}
              </p>
            ))}
          </div>
        </Card>
        <Card title={t('catalogue:typography.weights')}>
          <div className="stack">
            {weights.map((weight) => (
              <p key={weight} className="type-weight" style={{ fontWeight: weight }}>
                {t('catalogue:typography.pangram')} <span className="muted small tabular">{weight}</span>
              </p>
            ))}
          </div>
        </Card>
        <Card title={t('catalogue:typography.text')}>
          <div className="stack prose type-prose">
            <p>{t('catalogue:typography.body')}</p>
            <p className="small muted">{t('catalogue:typography.small')}</p>
            <p>
              <AppLink to="/pages/icons">{t('catalogue:typography.link')}</AppLink> ·{' '}
              <strong>{t('catalogue:typography.strong')}</strong> · <em>{t('catalogue:typography.emphasis')}</em> ·{' '}
              <code>{t('catalogue:typography.code')}</code>
            </p>
            <blockquote>{t('catalogue:typography.quote')}</blockquote>
            <ul>
              <li>{t('catalogue:typography.first')}</li>
              <li>{t('catalogue:typography.second')}</li>
            </ul>
          </div>
        </Card>
        <div className="stack catalogue">
          <Card title={t('catalogue:typography.numbers')}>
            <KeyValueList
              items={[
                ...(Object.keys(amounts) as (keyof typeof amounts)[]).map((kind) => ({
                  label: t(`catalogue:typography.${kind}`),
                  value: <Money cents={amounts[kind]} />,
                })),
                { label: t('catalogue:typography.rate'), value: format.percent(1000) },
                { label: t('catalogue:typography.day'), value: format.date(now) },
                { label: t('catalogue:typography.instant'), value: format.dateTime(now) },
              ]}
            />
          </Card>
          <Card title={t('catalogue:typography.inks')}>
            <div className="stack">
              {inks.map((ink) => (
                <p key={ink} className={`no-margin ink-${ink}`}>
                  {t(`catalogue:ink.${ink}`)}
                </p>
              ))}
            </div>
          </Card>
        </div>
      </div>
    </>
  )
}
