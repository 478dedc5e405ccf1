import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { useQuantityText } from './line-quantity.tsx'
import type { Request, ServiceAsk } from './requests.ts'

/** Kept as it is written also where words go from right to left. */
const fromLeft = (text: string) => `\u2066${text}\u2069`

/** `+$1,452.00`: what something adds or takes off. */
export function useDelta() {
  const f = useFormat()
  return (cents: number) => fromLeft(`${cents > 0 ? '+' : ''}${f.money(cents)}`)
}

/** What is asked for; of a comment its text says it all. */
function What({ of, unit }: { of: Pick<ServiceAsk, 'kind'> & { quantity?: string | null }; unit: string }) {
  const t = useT('service')
  const quantityText = useQuantityText()
  if (of.kind === 'comment') return null
  return (
    <span className="strong">
      {of.kind === 'drop'
        ? t('service:asks.kinds.drop')
        : t('service:asks.toQuantity', { quantity: quantityText(of.quantity ?? '', unit) })}
    </span>
  )
}

function Item({ children, isDraft = false }: { children: ReactNode; isDraft?: boolean }) {
  return (
    <li className="line-request" data-draft={isDraft || undefined}>
      {children}
    </li>
  )
}

/** What was pressed goes away: the reader stays at its line. */
const stayAtLine = (pressed: HTMLElement) =>
  pressed.closest('.line-talk')?.querySelector<HTMLElement>('.line-ask button')?.focus()

/** A request that waits to be sent. */
export function DraftRequest({
  request,
  unit,
  name,
  onRemove,
}: {
  request: Request
  unit: string
  name: string
  onRemove: () => void
}) {
  const t = useT('service')
  return (
    <Item isDraft>
      <div className="line-request-head">
        <What of={request} unit={unit} />
        <StatusChip status="draft" tone="neutral" label={t('service:asks.draft')} />
        <Button
          size="compact-sm"
          variant="subtle"
          aria-label={t('service:asks.removeOf', { name })}
          onClick={(event) => {
            stayAtLine(event.currentTarget)
            onRemove()
          }}
        >
          {t('service:asks.remove')}
        </Button>
      </div>
      {request.text ? <p className="line-request-text">{request.text}</p> : null}
    </Item>
  )
}

const tones = { agreed: 'success', declined: 'error', countered: 'info', withdrawn: 'neutral' } as const

/** What staff offered instead. */
function useOffer() {
  const t = useT('service')
  const f = useFormat()
  const quantityText = useQuantityText()
  return ({ quantity, unitPriceCents }: NonNullable<ServiceAsk['answer']>, unit: string): string => {
    const price = unitPriceCents === null ? null : f.money(unitPriceCents)
    if (quantity === null) return t('service:asks.offerPrice', { price: price ?? '' })
    const shown = quantityText(quantity, unit)
    return price === null ? shown : t('service:asks.offer', { quantity: shown, price })
  }
}

/** A request that was sent, with what became of it. */
export function SentRequest({
  ask,
  unit,
  hasGst,
  revision,
  about = null,
  isBusy,
  onWithdraw,
}: {
  ask: ServiceAsk
  unit: string
  hasGst: boolean
  /** The one that is shown: what was said of others is told so. */
  revision: number
  /** What it was about, where it doesn't stand below it. */
  about?: string | null
  isBusy: boolean
  /** Null where nothing can be taken back any more. */
  onWithdraw: (() => void) | null
}) {
  const t = useT('service')
  const delta = useDelta()
  const offer = useOffer()
  const { answer, kind, effectCents } = ask
  const outcome =
    answer === null
      ? null
      : answer.outcome === 'countered'
        ? t('service:asks.countered', { offer: offer(answer, unit) })
        : kind === 'comment'
          ? t('service:asks.outcomes.answered')
          : t(`service:asks.outcomes.${answer.outcome}`)
  return (
    <Item>
      <div className="line-request-head">
        {about ? <span className="muted">{about}</span> : null}
        <What of={ask} unit={unit} />
        {ask.revision === revision ? null : (
          <span className="line-badge quiet">{t('service:revisions.name', { revision: ask.revision })}</span>
        )}
        {effectCents === null ? null : (
          <span className="muted nowrap">
            {hasGst ? t('service:asks.effect', { amount: delta(effectCents) }) : delta(effectCents)}
          </span>
        )}
      </div>
      {ask.text ? <p className="line-request-text">{ask.text}</p> : null}
      <div className="line-request-head">
        <StatusChip
          status="sent"
          tone={answer ? tones[answer.outcome] : 'warning'}
          label={outcome ?? t('service:asks.waiting')}
        />
        {answer === null && onWithdraw ? (
          <Button
            size="compact-sm"
            variant="subtle"
            loading={isBusy}
            aria-label={t('service:asks.withdrawOf', { what: ask.lineName ?? ask.text ?? '' })}
            onClick={(event) => {
              stayAtLine(event.currentTarget)
              onWithdraw()
            }}
          >
            {t('service:asks.withdraw')}
          </Button>
        ) : null}
      </div>
      {answer?.text ? <blockquote className="line-request-answer">{answer.text}</blockquote> : null}
    </Item>
  )
}
