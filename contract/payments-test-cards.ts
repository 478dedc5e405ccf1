export type CardBehaviour =
  | 'succeeds'
  | 'card_declined'
  | 'insufficient_funds'
  | 'expired_card'
  | 'incorrect_cvc'
  | 'requires_action'
  | 'captures_and_never_answers'
  | 'captures_and_fails'
  | 'captures_and_hangs_up'
  | 'captures_and_answers_nothing'
  | 'settles_later'
  | 'answers_late'

export interface TestCard {
  number: string
  brand: 'visa' | 'mastercard' | 'amex'
  behaviour: CardBehaviour
}

/**
 * The cards the payment sandbox knows; it refuses every other. Any future expiry date and any security code will do.
 */
export const testCards: readonly TestCard[] = [
  { number: '4242424242424242', brand: 'visa', behaviour: 'succeeds' },
  { number: '5555555555554444', brand: 'mastercard', behaviour: 'succeeds' },
  { number: '378282246310005', brand: 'amex', behaviour: 'succeeds' },
  { number: '4000000000000002', brand: 'visa', behaviour: 'card_declined' },
  { number: '4000000000009995', brand: 'visa', behaviour: 'insufficient_funds' },
  { number: '4000000000000069', brand: 'visa', behaviour: 'expired_card' },
  { number: '4000000000000127', brand: 'visa', behaviour: 'incorrect_cvc' },
  { number: '4000000000003220', brand: 'visa', behaviour: 'requires_action' },
  { number: '4000000000000341', brand: 'visa', behaviour: 'captures_and_never_answers' },
  { number: '4000000000000119', brand: 'visa', behaviour: 'captures_and_fails' },
  { number: '4000000000006975', brand: 'visa', behaviour: 'captures_and_hangs_up' },
  { number: '4000000000009235', brand: 'visa', behaviour: 'captures_and_answers_nothing' },
  { number: '4000000000000077', brand: 'visa', behaviour: 'settles_later' },
  { number: '4000000000005126', brand: 'visa', behaviour: 'answers_late' },
]

/** Wallets of the sandbox; both succeed and pay with the first test card. */
export const testWallets = ['apple_pay', 'google_pay'] as const
