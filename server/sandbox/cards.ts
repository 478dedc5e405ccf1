import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { testCards, testWallets, type CardBehaviour, type TestCard } from '../../contract/payments-test-cards.ts'
import type { Card } from './store.ts'

/** A refusal with a stable code and a sentence for people. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly field: string | null
  constructor(status: number, code: string, message: string, field: string | null = null) {
    super(message)
    this.status = status
    this.code = code
    this.field = field
  }
}

const tokenLivesMs = 24 * 60 * 60 * 1000
const walletsAt = 200

export const passesLuhn = (digits: string): boolean =>
  [...digits].reverse().reduce((sum, c, i) => {
    const d = Number(c) * (i % 2 === 0 ? 1 : 2)
    return sum + (d > 9 ? d - 9 : d)
  }, 0) %
    10 ===
  0

const digitsOf = (value: unknown, most: number): string | null => {
  const text =
    typeof value === 'number' && Number.isSafeInteger(value)
      ? String(value)
      : typeof value === 'string'
        ? value.replace(/[\s-]/g, '')
        : ''
  return text.length <= most && /^\d+$/.test(text) ? text : null
}

function cardByNumber(value: unknown): number {
  const number = digitsOf(value, 19)
  if (number === null || number.length < 12)
    throw new Refusal(422, 'incorrect_number', 'The card number is not complete.', 'number')
  if (!passesLuhn(number)) throw new Refusal(422, 'incorrect_number', 'The card number is incorrect.', 'number')
  const index = testCards.findIndex((c) => c.number === number)
  if (index < 0)
    throw new Refusal(
      422,
      'not_a_test_card',
      'This is a sandbox: please use one of the test cards, never a real one.',
      'number',
    )
  return index
}

function expiry(month: unknown, year: unknown, now: Date): { expMonth: number; expYear: number } {
  const expMonth = Number(digitsOf(month, 2) ?? 0)
  const yearText = digitsOf(year, 4)
  const expYear = yearText === null ? 0 : yearText.length <= 2 ? 2000 + Number(yearText) : Number(yearText)
  if (expMonth < 1 || expMonth > 12)
    throw new Refusal(422, 'invalid_expiry_month', 'The month of expiry is not right.', 'expMonth')
  const thisYear = now.getUTCFullYear()
  if (expYear < 2000 || expYear > thisYear + 30)
    throw new Refusal(422, 'invalid_expiry_year', 'The year of expiry is not right.', 'expYear')
  // A card is good to the end of its month, everywhere on earth.
  if (now.getTime() > Date.UTC(expYear, expMonth, 1) + 12 * 3_600_000)
    throw new Refusal(422, 'expired_card', 'The card has expired.', 'expMonth')
  return { expMonth, expYear }
}

function checkCvc(value: unknown, card: TestCard): void {
  const length = card.brand === 'amex' ? 4 : 3
  // A number would lose the zeros it begins with.
  if (typeof value !== 'string' || !/^\d+$/.test(value) || value.length !== length)
    throw new Refusal(422, 'incorrect_cvc', `The security code must have ${length} digits.`, 'cvc')
}

const brandOf = (card: TestCard): string => card.brand
const first = testCards[0] as TestCard

function toCard(index: number, expMonth: number, expYear: number): { card: Card; behaviour: CardBehaviour } | null {
  const wallet = testWallets[index - walletsAt]
  const source = wallet ? first : testCards[index]
  if (!source) return null
  const card: Card = { brand: brandOf(source), last4: source.number.slice(-4), expMonth, expYear }
  return { card: wallet ? { ...card, wallet } : card, behaviour: source.behaviour }
}

/**
 * Tokens carry what is needed, signed, instead of being stored: which test card, its expiry and the time it was made.
 * They hold for a day and may be used more than once. Card numbers are forgotten with the request.
 */
export function makeTokens(secret: string, now: () => Date) {
  const sign = (payload: Buffer) => createHmac('sha256', `${secret} tokens`).update(payload).digest().subarray(0, 16)
  const seal = (index: number, expMonth: number, expYear: number) => {
    const payload = Buffer.alloc(15)
    payload.writeUInt8(index, 0)
    payload.writeUInt8(expMonth, 1)
    payload.writeUInt8(expYear - 2000, 2)
    payload.writeUInt32BE(Math.floor(now().getTime() / 1000), 3)
    randomBytes(8).copy(payload, 7)
    return `tok_${Buffer.concat([payload, sign(payload)]).toString('base64url')}`
  }

  const make = (body: Record<string, unknown>): { token: string; card: Card } => {
    const wallet = testWallets.findIndex((w) => w === body.wallet)
    if (body.wallet !== undefined && wallet < 0)
      throw new Refusal(422, 'unknown_wallet', `The wallet must be one of ${testWallets.join(', ')}.`, 'wallet')
    const index = wallet >= 0 ? walletsAt + wallet : cardByNumber(body.number)
    const { expMonth, expYear } =
      wallet >= 0 ? { expMonth: 12, expYear: now().getUTCFullYear() + 3 } : expiry(body.expMonth, body.expYear, now())
    if (wallet < 0) checkCvc(body.cvc, testCards[index] ?? first)
    const made = toCard(index, expMonth, expYear)
    if (!made) throw new Refusal(422, 'incorrect_number', 'The card number is incorrect.', 'number')
    return { token: seal(index, expMonth, expYear), card: made.card }
  }

  const open = (token: unknown): { card: Card; behaviour: CardBehaviour } => {
    const unknown = new Refusal(422, 'invalid_token', 'This payment token is not known.', 'token')
    if (typeof token !== 'string' || !/^tok_[\w-]{42}$/.test(token)) throw unknown
    const bytes = Buffer.from(token.slice(4), 'base64url')
    if (bytes.length !== 31) throw unknown
    const payload = bytes.subarray(0, 15)
    if (!timingSafeEqual(sign(payload), bytes.subarray(15))) throw unknown
    if (now().getTime() - payload.readUInt32BE(3) * 1000 > tokenLivesMs)
      throw new Refusal(422, 'token_expired', 'This payment token has expired.', 'token')
    const opened = toCard(payload.readUInt8(0), payload.readUInt8(1), 2000 + payload.readUInt8(2))
    if (!opened) throw unknown
    return opened
  }
  return { make, open }
}
export type Tokens = ReturnType<typeof makeTokens>
