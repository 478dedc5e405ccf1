import type { PaymentProviderName } from '../../../contract/core/providers.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { AppError } from '../../../contract/core/errors.ts'

export interface CardSummary {
  brand: string
  last4: string
  expMonth: number
  expYear: number
  wallet?: 'apple_pay' | 'google_pay'
}

export interface ChargeResult {
  /** Null when the provider refused the request before making a payment of it. */
  providerPaymentId: string | null
  status: 'succeeded' | 'requires_action' | 'failed' | 'processing'
  amountCents: number
  refundedCents: number
  currency: string
  reference: string | null
  /** Our own key of the attempt, as the provider has kept it. */
  idempotencyKey: string | null
  /** ISO 8601, UTC. */
  createdAt: string
  /** Where the payer proves who he is (3-D Secure). */
  actionUrl?: string
  failure?: { code: string; message: string }
  card?: CardSummary
  /** What the provider keeps, when it says so already. */
  feeCents?: number
}

export interface RefundResult {
  providerRefundId: string | null
  providerPaymentId: string | null
  status: 'succeeded' | 'pending' | 'failed'
  amountCents: number
  idempotencyKey: string | null
  failure?: { code: string; message: string }
}

export type ProviderEventType =
  | 'charge.succeeded'
  | 'charge.failed'
  | 'charge.requires_action'
  | 'charge.disputed'
  | 'charge.dispute_closed'
  | 'refund.succeeded'
  | 'refund.failed'
  | 'other'

/** What a webhook tells. It is a hint to look: the present state is asked for with `getCharge`. */
export interface ProviderEvent {
  id: string
  type: ProviderEventType
  providerPaymentId: string | null
  providerRefundId: string | null
  /** Why the card holder disputes a payment, in the provider's own code. */
  disputeReason: string | null
  occurredAt: string
  raw: unknown
}

interface ChargeRequest {
  amountCents: number
  token: string
  reference: string
  /** One per attempt, committed to the database before the call: the same key never charges twice. */
  idempotencyKey: string
  returnUrl: string
}

interface RefundRequest {
  providerPaymentId: string
  amountCents: number
  idempotencyKey: string
}

/**
 * Every call may throw `ProviderUncertain` (outcome unknown: keep the attempt as processing and settle it with
 * the same key) and an `AppError` when the circuit is open or the account is set up wrongly (nothing
 * happened). A decline is a result.
 */
export interface PaymentProvider {
  name: PaymentProviderName
  clientConfig(): { provider: string; clientToken: string; scriptUrl: string; currency: 'AUD' }
  charge(request: ChargeRequest): Promise<ChargeResult>
  /** After 3-D Secure: takes the payment if the payer approved, and tells where it stands. */
  confirm(providerPaymentId: string): Promise<ChargeResult>
  getCharge(providerPaymentId: string): Promise<ChargeResult | null>
  findCharge(idempotencyKey: string): Promise<ChargeResult | null>
  refund(request: RefundRequest): Promise<RefundResult>
  /** The payment narrows the search where the provider cannot look up a key. */
  findRefund(idempotencyKey: string, providerPaymentId?: string): Promise<RefundResult | null>
  /** Throws an AppError unless the raw bytes carry a fresh signature of ours. */
  verifyWebhook(rawBody: Buffer, headers: Headers): ProviderEvent
  /** Every charge made since an instant (ISO 8601), oldest first. */
  listCharges(from: string): Promise<ChargeResult[]>
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The provider may or may not have done what was asked. */
export class ProviderUncertain extends Error {
  /** True when the request cannot have reached the provider. */
  readonly isUnsent: boolean
  constructor(message: string, more: { isUnsent?: boolean; cause?: unknown } = {}) {
    super(message, { cause: more.cause })
    this.isUnsent = more.isUnsent ?? false
  }
}

const callTimeoutMs = 8000
const maxAnswerBytes = 4 * 1024 * 1024
const failuresToOpen = 5
const openForMs = 30_000

export interface ProviderAnswer {
  status: number
  body: unknown
}

async function readLimited(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  if (!response.body) return ''
  for await (const chunk of response.body) {
    bytes += chunk.byteLength
    if (bytes > maxAnswerBytes) throw new Error('the answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const unsentCodes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']
const isUnsent = (error: unknown) =>
  error instanceof Error &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  unsentCodes.includes(String(error.cause.code))

/**
 * One request to the provider: at most 8 seconds, no redirects. Timeouts, resets, 5xx and
 * unreadable answers are uncertain.
 */
export async function askProvider(
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string },
  timeoutMs = callTimeoutMs,
): Promise<ProviderAnswer> {
  let status: number
  let text: string
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
    status = response.status
    text = await readLimited(response)
  } catch (error) {
    throw new ProviderUncertain('The payment provider did not answer.', { isUnsent: isUnsent(error), cause: error })
  }
  if (status >= 500 || status === 429) throw new ProviderUncertain(`The payment provider answered ${status}.`)
  try {
    return { status, body: JSON.parse(text) }
  } catch (error) {
    throw new ProviderUncertain('The payment provider answered something unreadable.', { cause: error })
  }
}

/** The account or its keys are wrong: nothing was done and trying again does not help. */
export const providerMisconfigured = (status: number) =>
  new AppError('INTERNAL', 'Card payments aren’t set up correctly. You haven’t been charged.', {
    cause: new Error(`The payment provider answered ${status}`),
  })

/**
 * After five calls in a row without a usable answer, calls fail at once for 30 seconds; then one is let through to try.
 * What fails here was never sent.
 */
export function makeBreaker(now: () => number = () => performance.now()) {
  let failures = 0
  let openUntil = 0
  let isTrying = false
  return async function guarded<T>(call: () => Promise<T>): Promise<T> {
    const isOpen = failures >= failuresToOpen
    if (isOpen && (isTrying || now() < openUntil))
      throw new AppError(
        'OVERLOADED',
        'Card payments aren’t responding right now. You haven’t been charged. Please try again in a minute.',
      )
    if (isOpen) isTrying = true
    try {
      const result = await call()
      failures = 0
      return result
    } catch (error) {
      if (error instanceof ProviderUncertain) {
        failures++
        if (failures >= failuresToOpen) openUntil = now() + openForMs
      } else {
        failures = 0
      }
      throw error
    } finally {
      if (isOpen) isTrying = false
    }
  }
}

/** Older deliveries may be recordings played back. */
const freshForSeconds = 300

const signatureProblem = (message: string) => new AppError('NOT_AUTHENTICATED', message)

function isSignedBy(secret: string, time: string, rawBody: Buffer, signatures: readonly string[]): boolean {
  const expected = createHmac('sha256', secret).update(`${time}.`).update(rawBody).digest()
  let found = false
  for (const signature of signatures) {
    const given = Buffer.from(signature, 'hex')
    if (given.length === expected.length && timingSafeEqual(given, expected)) found = true
  }
  return found
}

/**
 * Checks `t=<unix>,v1=<hex>` over the raw bytes; several signatures and several secrets are fine, so
 * that secrets can be changed.
 */
export function verifySignature(
  rawBody: Buffer,
  header: string | string[] | undefined,
  secrets: readonly string[],
  nowMs = Date.now(),
): unknown {
  if (typeof header !== 'string' || header.length > 2000) throw signatureProblem('The webhook isn’t signed.')
  const parts = header.split(',').map((p) => p.trim().split('=', 2))
  const time = parts.find(([k]) => k === 't')?.[1] ?? ''
  const signatures = parts.flatMap(([k, v]) => (k === 'v1' && v && /^[0-9a-f]{64}$/.test(v) ? [v] : [])).slice(0, 8)
  if (!/^\d{1,12}$/.test(time) || signatures.length === 0) throw signatureProblem('The webhook isn’t signed.')
  const isGenuine = secrets.map((secret) => isSignedBy(secret, time, rawBody, signatures)).some(Boolean)
  if (!isGenuine) throw signatureProblem('The webhook signature isn’t valid.')
  if (Math.abs(nowMs / 1000 - Number(time)) > freshForSeconds) throw signatureProblem('The webhook is too old.')
  try {
    return JSON.parse(rawBody.toString('utf8'))
  } catch {
    throw new AppError('MALFORMED', 'The webhook isn’t valid JSON.')
  }
}
