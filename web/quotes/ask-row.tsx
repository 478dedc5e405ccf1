import { Button, Textarea } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { isCounterOffer, type Ask } from '../../contract/negotiation.ts'
import type { Quote } from '../../contract/quotes.ts'
import { useT } from '../core/i18n/i18n.ts'
import { isWriting, letterKeys, letterOf } from '../core/palette/keys.ts'
import { MoneyInput, QuantityInput } from '../core/ui/inputs.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import type { Mark } from './answer-state.ts'
import { useAskText } from './ask-text.tsx'
import { Delta } from './delta.tsx'

export interface AskRowProps {
  ask: Ask
  lines: Quote['lines']
  mark: Mark
  problems: Readonly<Record<string, string>> | undefined
  /** What its answer alone would change; undefined while it is not known. */
  effectCents: number | undefined
  onChange: (change: Partial<Mark>) => void
  /** Decided: the next one is looked at. */
  onNext: () => void
  /** Up and down. */
  onStep: (by: -1 | 1) => void
}

const outcomes = [
  { outcome: 'agreed', key: 'a', phrase: 'quotes:asks.agree' },
  { outcome: 'countered', key: 'c', phrase: 'quotes:asks.counter' },
  { outcome: 'declined', key: 'd', phrase: 'quotes:asks.decline' },
] as const

/** One request and what is answered to it: A agrees, C offers something else, D declines. */
export function AskRow({ ask, lines, mark, problems = {}, effectCents, onChange, onNext, onStep }: AskRowProps) {
  const t = useT('quotes')
  const textOf = useAskText()
  const isDecided = isCounterOffer(ask)
  const about = ask.lineName ?? t('quotes:asks.whole')
  const decide = (outcome: Mark['outcome']) => {
    onChange({ outcome: mark.outcome === outcome ? null : outcome })
    if (outcome !== 'countered') onNext()
  }
  const keys = (event: KeyboardEvent<HTMLLIElement>) => {
    if (isWriting(event.target) || event.ctrlKey || event.metaKey) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      return onStep(event.key === 'ArrowDown' ? 1 : -1)
    }
    if (!letterKeys.get() && !event.altKey) return
    const letter = letterOf(event.nativeEvent)
    const meant = outcomes.find(({ key }) => key === letter)
    if (!meant || !isDecided) return
    event.preventDefault()
    event.stopPropagation()
    if (mark.outcome === meant.outcome) return
    decide(meant.outcome)
  }
  return (
    // The keys are those of the buttons inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li className="ask" data-ask={ask.guid} onKeyDown={keys}>
      <div role="group" aria-label={`${about}: ${textOf(ask, lines)}`} className="stack ask-body">
        <div className="ask-top">
          <div className="ask-what">
            <span className="strong">{unbroken(about)}</span>
            <span>{textOf(ask, lines)}</span>
            {ask.text ? <q className="ask-said prose">{ask.text}</q> : null}
          </div>
          {ask.effectCents === null ? null : (
            <span className="ask-effect">
              <span className="visually-hidden">{t('quotes:asks.effect')} </span>
              <Delta cents={ask.effectCents} className="strong" />
            </span>
          )}
        </div>
        {isDecided ? (
          <div className="row ask-choices">
            {outcomes.map(({ outcome, key, phrase }) => (
              <Button
                key={outcome}
                size="sm"
                variant={mark.outcome === outcome ? 'filled' : 'default'}
                aria-pressed={mark.outcome === outcome}
                aria-keyshortcuts={key.toUpperCase()}
                onClick={() => decide(outcome)}
              >
                {t(phrase)}
                <kbd className="ask-key" aria-hidden="true">
                  {key.toUpperCase()}
                </kbd>
              </Button>
            ))}
            {mark.outcome === 'countered' && effectCents !== undefined ? (
              <span className="ask-offer">
                {t('quotes:asks.offer')} <Delta cents={effectCents} />
              </span>
            ) : null}
          </div>
        ) : null}
        {mark.outcome === 'countered' ? (
          <div className="ask-offered">
            <QuantityInput
              label={t('quotes:asks.offerQuantity')}
              autoFocus
              value={mark.quantity}
              error={problems['quantity']}
              onChange={(quantity) => onChange({ quantity })}
            />
            <MoneyInput
              label={t('quotes:asks.offerPrice')}
              value={mark.unitPriceCents}
              error={problems['unitPriceCents']}
              onChange={(unitPriceCents) => onChange({ unitPriceCents })}
            />
          </div>
        ) : null}
        {isDecided && mark.outcome === null ? null : (
          <Textarea
            label={t(isDecided ? 'quotes:asks.text' : 'quotes:asks.reply')}
            autosize
            minRows={1}
            maxRows={8}
            maxLength={2000}
            value={mark.text}
            error={problems['text']}
            onChange={(event) => onChange({ text: event.currentTarget.value })}
          />
        )}
        {(problems['askGuid'] ?? problems['outcome']) ? (
          <p className="field-error no-margin" role="alert">
            {problems['askGuid'] ?? problems['outcome']}
          </p>
        ) : null}
      </div>
    </li>
  )
}
