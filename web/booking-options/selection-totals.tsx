import type { bookingSelectionsApi } from '../../contract/booking-selections.ts'
import { inLanguage } from '../../contract/booking-options.ts'
import { maxTotalled } from '../../contract/booking-selections.ts'
import type { Answer } from '../core/api/types.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { Money } from '../core/ui/money.tsx'
import './selections.css'

type Totals = Answer<typeof bookingSelectionsApi.totals>

/** How often each choice was made and what it added: a bar each, as long as its share of the question's answers. */
export function SelectionTotals({ totals }: { totals: Totals }) {
  const t = useT('options', 'common')
  const f = useFormat()
  const language = useLanguage()
  if (totals.items.length === 0) return null
  const nameOf = ({ code, wording }: Totals['items'][number]['choices'][number], isChoice: boolean) => {
    if (code === 'yes') return t('common:yes')
    if (code === 'each') return t('options:selections.answered')
    if (wording) return inLanguage(wording, language)
    return isChoice ? t('common:no') : t('options:selections.answered')
  }
  return (
    <Card title={t('options:selections.totals')} className="selection-totals-card">
      <div className="selection-totals">
        {totals.items.map((option) => {
          const most = Math.max(...option.choices.map(({ count }) => count))
          const hasChoices = option.choices.some(({ code }) => code !== null)
          // Two questions may be worded alike: their codes tell them apart.
          const isAlone = totals.items.every((other) => other === option || other.label !== option.label)
          const label = inLanguage(option.wording, language)
          const name = isAlone ? label : `${label} (${option.optionCode})`
          return (
            <div key={option.optionCode} role="group" aria-label={name}>
              <h3>{name}</h3>
              <ul>
                {option.choices.map((choice) => (
                  <li key={choice.code ?? ''}>
                    <span className="selection-name">{nameOf(choice, hasChoices)}</span>
                    <span className="selection-figures tabular">
                      {f.number(choice.count)}
                      {choice.cents ? (
                        <span className="muted">
                          {' · '}
                          <Money cents={choice.cents} />
                        </span>
                      ) : null}
                    </span>
                    <span className="selection-bar" aria-hidden="true">
                      <span style={{ inlineSize: `${(choice.count / most) * 100}%` }} />
                    </span>
                  </li>
                ))}
              </ul>
            </div>
          )
        })}
      </div>
      {totals.hasMore ? (
        <p className="muted small no-margin">{t('options:selections.newest', { number: f.number(maxTotalled) })}</p>
      ) : null}
    </Card>
  )
}
