import { Alert, Button, useComputedColorScheme } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import { loadCards, type CardProvider, type ProviderConfig, type Wallet } from './card-provider.ts'

interface CardFormProps {
  config: ProviderConfig
  amountCents: number
  /** What the wallet's own sheet shows; null while it is not known what to pay. */
  amount: string | null
  isBusy: boolean
  onCards: (cards: CardProvider | null) => void
  onPay: (cards: CardProvider, getToken: () => Promise<string>) => void
}

const walletNames: Record<Wallet, string> = { apple_pay: 'Apple Pay', google_pay: 'Google Pay' }

/** The provider's card form and the wallets it has. */
export function CardForm({ config, amountCents, amount, isBusy, onCards, onPay }: CardFormProps) {
  const t = useT('service')
  const locale = useLanguage()
  const theme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const place = useRef<HTMLDivElement>(null)
  const [cards, setCards] = useState<CardProvider | null>(null)
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading')
  const [attempt, setAttempt] = useState(0)
  const onSubmit = useEffectEvent((made: CardProvider) => {
    if (!isBusy) onPay(made, made.tokenize)
  })
  const mount = useEffectEvent((made: CardProvider) => {
    if (!place.current) return
    made.mount(
      place.current,
      { theme, locale, title: t('service:pay.cardFrame'), amountCents },
      { onReady: () => setState('ready'), onFailed: () => setState('failed'), onSubmit: () => onSubmit(made) },
    )
    setCards(made)
    onCards(made)
  })
  const tell = useEffectEvent(onCards)
  const { provider, clientToken, scriptUrl } = config
  useEffect(() => {
    let isGone = false
    let made: CardProvider | null = null
    loadCards({ provider, clientToken, scriptUrl }).then(
      (loaded) => {
        if (isGone) return
        made = loaded
        mount(loaded)
      },
      () => {
        if (!isGone) setState('failed')
      },
    )
    return () => {
      isGone = true
      made?.unmount()
      tell(null)
    }
  }, [provider, clientToken, scriptUrl, attempt])
  useEffect(() => cards?.update({ theme, amountCents }), [cards, theme, amountCents])
  if (state === 'failed')
    return (
      <Alert color="red" variant="light" role="alert" title={t('service:pay.notLoaded')}>
        <p>{t('service:pay.notLoadedText')}</p>
        <Button
          variant="default"
          size="compact-md"
          onClick={() => {
            setState('loading')
            setAttempt(attempt + 1)
          }}
        >
          {t('service:pay.loadAgain')}
        </Button>
      </Alert>
    )
  return (
    <div className="stack card-form" data-busy={isBusy || undefined}>
      {cards?.wallets.length ? (
        <>
          <div className="wallets">
            {cards.wallets.map((kind) => (
              <button
                key={kind}
                type="button"
                className="wallet"
                data-wallet={kind}
                disabled={isBusy}
                onClick={() => onPay(cards, () => cards.wallet(kind, amount ?? ''))}
              >
                {t('service:pay.with', { wallet: walletNames[kind] })}
              </button>
            ))}
          </div>
          <p className="card-or">
            <span>{t('service:pay.orCard')}</span>
          </p>
        </>
      ) : null}
      <div className="card-frame" data-state={state} aria-busy={state === 'loading'}>
        <div ref={place} />
      </div>
      <Button
        size="md"
        fullWidth
        loading={isBusy}
        disabled={!cards || state !== 'ready'}
        leftSection={<Icon name="lock" size={18} />}
        onClick={() => cards && onPay(cards, cards.tokenize)}
      >
        {amount === null ? t('service:pay.title') : t('service:pay.button', { amount })}
      </Button>
    </div>
  )
}
