import type { PaymentProviderName } from '../../../contract/core/providers.ts'
import { AppError } from '../../../contract/core/errors.ts'
import { sandboxPayments } from './payments-sandbox.ts'
import { stripePayments } from './payments-stripe.ts'
import type { PaymentProvider } from './payments.ts'

export interface PaymentSettings {
  paymentProvider: PaymentProviderName
  paymentSandboxUrl: string
  stripeSecretKey?: string | undefined
  stripePublishableKey?: string | undefined
  stripeWebhookSecret?: string | undefined
  stripeApiUrl?: string | undefined
}

const notSetUp = (): never => {
  throw new AppError('CONFLICT', 'Card payments aren’t available. Please pay by bank transfer.')
}

/** Without a provider every card call says so; bank transfers and cash need none. */
const noPayments: PaymentProvider = {
  name: 'none',
  clientConfig: notSetUp,
  charge: async () => notSetUp(),
  confirm: async () => notSetUp(),
  getCharge: async () => null,
  findCharge: async () => null,
  refund: async () => notSetUp(),
  findRefund: async () => null,
  verifyWebhook: () => {
    throw new AppError('NOT_FOUND')
  },
  listCharges: async () => [],
}

/** The provider that PAYMENT_PROVIDER names. */
export function paymentProvider(
  settings: PaymentSettings,
  keys: { webhook: string },
  now?: () => Date,
): PaymentProvider {
  const clock = now ? { now } : {}
  if (settings.paymentProvider === 'sandbox')
    return sandboxPayments({ url: settings.paymentSandboxUrl, webhookSecret: keys.webhook, ...clock })
  if (settings.paymentProvider === 'none') return noPayments
  const { stripeSecretKey, stripePublishableKey, stripeWebhookSecret, stripeApiUrl } = settings
  if (!stripeSecretKey || !stripePublishableKey || !stripeWebhookSecret)
    throw new Error('Stripe needs its secret key, publishable key and webhook secret.')
  return stripePayments({
    secretKey: stripeSecretKey,
    publishableKey: stripePublishableKey,
    webhookSecret: stripeWebhookSecret,
    apiUrl: stripeApiUrl,
    ...clock,
  })
}
