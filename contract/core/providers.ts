/** Who takes card payments: the sandbox that comes with the product, Stripe, or nobody. */
export const paymentProviders = ['sandbox', 'stripe', 'none'] as const
export type PaymentProviderName = (typeof paymentProviders)[number]
