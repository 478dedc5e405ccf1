export type Wallet = 'apple_pay' | 'google_pay'

export interface ProviderConfig {
  provider: string
  clientToken: string
  scriptUrl: string
}
interface CardLook {
  theme: 'light' | 'dark'
  locale: string
  /** What the frame is called for screen readers. */
  title: string
  amountCents: number
}
interface CardEvents {
  onReady: () => void
  onFailed: () => void
  /** Enter inside the card form. */
  onSubmit: () => void
}

/**
 * What the pay panel needs of a payment provider. Card numbers stay inside the provider's frame; only tokens come out.
 */
export interface CardProvider {
  /** Wallets with a button of ours; a provider that shows them in its own form has none here. */
  wallets: readonly Wallet[]
  mount: (place: HTMLElement, look: CardLook, events: CardEvents) => void
  tokenize: () => Promise<string>
  wallet: (kind: Wallet, amount: string) => Promise<string>
  /** Takes the payer to his bank (3-D Secure). How it ended is asked of the server, never of the browser. */
  approve: (url: string) => Promise<void>
  update: (look: Pick<CardLook, 'theme' | 'amountCents'>) => void
  unmount: () => void
}

/** Why there is no token: `cancelled` is the payer's own wish, `field` is shown by the form itself. */
export class CardProblem extends Error {
  readonly reason: 'cancelled' | 'field' | 'failed'

  constructor(reason: 'cancelled' | 'field' | 'failed', message: string) {
    super(message)
    this.reason = reason
  }
}

const scripts = new Map<string, Promise<void>>()

function loadScript(url: string): Promise<void> {
  const known = scripts.get(url)
  if (known) return known
  const loading = new Promise<void>((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { src: url, async: true })
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => {
      // The next try starts afresh.
      scripts.delete(url)
      script.remove()
      reject(new CardProblem('failed', 'The card form could not be loaded.'))
    })
    document.head.append(script)
  })
  scripts.set(url, loading)
  return loading
}

interface SandboxPay {
  mountCard: (
    place: HTMLElement,
    options: { theme: string; locale: string; title: string; onReady: () => void; onSubmit: () => void },
  ) => void
  tokenize: () => Promise<{ token: string }>
  wallet: (kind: Wallet, options: { amount: string }) => Promise<{ token: string }>
  handleAction: (url: string) => Promise<string>
  update: (options: { theme: string }) => void
  unmount: () => void
}

const fieldCodes = [
  'incorrect_number',
  'not_a_test_card',
  'invalid_expiry_month',
  'invalid_expiry_year',
  'expired_card',
  'incorrect_cvc',
]

async function tokenOf(asked: Promise<{ token: string }>): Promise<string> {
  try {
    return (await asked).token
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    throw new CardProblem(
      code === 'cancelled' ? 'cancelled' : fieldCodes.includes(code) ? 'field' : 'failed',
      error instanceof Error ? error.message : '',
    )
  }
}

function sandboxCards(key: string): CardProvider {
  const { BrolgaPay } = globalThis as unknown as { BrolgaPay: (key: string) => SandboxPay }
  const pay = BrolgaPay(key)
  return {
    wallets: ['apple_pay', 'google_pay'],
    mount: (place, { theme, locale, title }, { onReady, onSubmit }) =>
      pay.mountCard(place, { theme, locale, title, onReady, onSubmit }),
    tokenize: () => tokenOf(pay.tokenize()),
    wallet: (kind, amount) => tokenOf(pay.wallet(kind, { amount })),
    approve: async (url) => void (await pay.handleAction(url)),
    update: ({ theme }) => pay.update({ theme }),
    unmount: pay.unmount,
  }
}

interface StripeFailure {
  type: string
  message?: string
}
interface StripeElement {
  mount: (place: HTMLElement) => void
  unmount: () => void
  on: (event: 'ready' | 'loaderror', listen: () => void) => void
}
interface StripeElements {
  create: (kind: 'payment', options: object) => StripeElement
  submit: () => Promise<{ error?: StripeFailure }>
  update: (options: object) => void
}
interface StripePay {
  elements: (options: object) => StripeElements
  createPaymentMethod: (options: {
    elements: StripeElements
  }) => Promise<{ error?: StripeFailure; paymentMethod?: { id: string } }>
}

const appearance = (theme: 'light' | 'dark') => ({
  theme: theme === 'dark' ? 'night' : 'stripe',
  variables: { borderRadius: '6px' },
})
const stripeProblem = ({ type, message }: StripeFailure) =>
  new CardProblem(type === 'validation_error' ? 'field' : 'failed', message ?? '')

function stripeCards(key: string): CardProvider {
  const { Stripe } = globalThis as unknown as { Stripe: (key: string) => StripePay }
  const stripe = Stripe(key)
  let form: { elements: StripeElements; card: StripeElement } | null = null
  return {
    // The payment element offers Apple Pay and Google Pay by itself where the device has them.
    wallets: [],
    mount: (place, look, { onReady, onFailed }) => {
      const elements = stripe.elements({
        mode: 'payment',
        amount: look.amountCents,
        currency: 'aud',
        paymentMethodTypes: ['card'],
        paymentMethodCreation: 'manual',
        locale: look.locale,
        appearance: appearance(look.theme),
      })
      const card = elements.create('payment', { layout: 'tabs' })
      card.on('ready', onReady)
      card.on('loaderror', onFailed)
      card.mount(place)
      form = { elements, card }
    },
    tokenize: async () => {
      if (!form) throw new CardProblem('failed', '')
      const { error: wrong } = await form.elements.submit()
      if (wrong) throw stripeProblem(wrong)
      const { error, paymentMethod } = await stripe.createPaymentMethod({ elements: form.elements })
      if (error || !paymentMethod) throw stripeProblem(error ?? { type: 'api_error' })
      return paymentMethod.id
    },
    wallet: () => Promise.reject(new CardProblem('failed', '')),
    // The bank's page takes the place of ours and sends the payer back; the page then finds the
    // open payment and settles it.
    approve: (url) => {
      location.assign(url)
      return new Promise(() => undefined)
    },
    update: ({ theme, amountCents }) => form?.elements.update({ amount: amountCents, appearance: appearance(theme) }),
    unmount: () => {
      form?.card.unmount()
      form = null
    },
  }
}

/** Loads the provider's script, once a page, and gives its card form. */
export async function loadCards({ provider, clientToken, scriptUrl }: ProviderConfig): Promise<CardProvider> {
  await loadScript(scriptUrl)
  return provider === 'stripe' ? stripeCards(clientToken) : sandboxCards(clientToken)
}
