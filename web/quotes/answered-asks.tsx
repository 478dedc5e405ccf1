import { isCounterOffer, type Ask } from '../../contract/negotiation.ts'
import type { Quote } from '../../contract/quotes.ts'
import { trimQuantity } from '../../contract/lines.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { useAskText } from './ask-text.tsx'
import { Delta } from './delta.tsx'

type Answered = Ask & { answer: NonNullable<Ask['answer']> }
const isAnswered = (ask: Ask): ask is Answered => ask.answer !== null
/** Requests of earlier revisions that were answered by sending the next one, or that nobody answered. */
const isPast = (ask: Ask, quote: Quote, open: readonly Ask[]) => !open.includes(ask) && !isAnswered(ask)

/** What was asked before and what was answered, the newest first. */
export function AnsweredAsks({ quote, open }: { quote: Quote; open: readonly Ask[] }) {
  const t = useT('quotes')
  const f = useFormat()
  const textOf = useAskText()
  const before = quote.asks.filter((ask) => isAnswered(ask) || isPast(ask, quote, open)).toReversed()
  if (before.length === 0) return null
  const outcomeOf = (ask: Ask) =>
    ask.answer === null
      ? t('quotes:asks.outcomes.none')
      : !isCounterOffer(ask) && ask.answer.outcome === 'agreed'
        ? t('quotes:asks.outcomes.answered')
        : t(`quotes:asks.outcomes.${ask.answer.outcome}`)
  const offerOf = ({ answer }: Ask) =>
    [
      answer?.quantity ? t('quotes:asks.quantityTo', { to: f.quantity(trimQuantity(answer.quantity)) }) : null,
      typeof answer?.unitPriceCents === 'number' ? f.money(answer.unitPriceCents) : null,
    ]
      .filter(Boolean)
      .join(' · ')
  return (
    <Card title={t('quotes:asks.before')}>
      <ul className="asks">
        {before.map((ask) => (
          <li key={ask.guid} className="ask">
            <div className="ask-top">
              <div className="ask-what">
                <span className="strong">{unbroken(ask.lineName ?? t('quotes:asks.whole'))}</span>
                <span>{textOf(ask, ask.revision === quote.revision ? quote.lines : [])}</span>
                {ask.text ? <q className="ask-said prose">{ask.text}</q> : null}
              </div>
              {ask.effectCents === null ? null : <Delta cents={ask.effectCents} className="ask-effect" />}
            </div>
            <div className="ask-answer">
              <span className="status-text" data-outcome={ask.answer?.outcome ?? 'none'}>
                {outcomeOf(ask)}
              </span>
              {offerOf(ask) ? <span>{offerOf(ask)}</span> : null}
              {ask.answer?.text ? <span className="prose">{ask.answer.text}</span> : null}
              <span className="muted small">
                {[`R${ask.revision}`, ask.answer?.by].filter(Boolean).join(' · ')}{' '}
                <DateText value={ask.answer?.at ?? ask.at} as="dateTime" />
              </span>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}
