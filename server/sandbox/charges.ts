import { createHash, randomBytes } from 'node:crypto'
import type { CardBehaviour } from '../../contract/payments-test-cards.ts'
import { Refusal, type Tokens } from './cards.ts'
import type { Charge, Refund, Store, WebhookEvent } from './store.ts'

const maxCents = 99_999_999
const failures: Partial<Record<CardBehaviour, string>> = {
  card_declined: 'The card was declined.',
  insufficient_funds: 'The card has insufficient funds.',
  expired_card: 'The card has expired.',
  incorrect_cvc: 'The card’s security code is incorrect.',
}

type Body = Record<string, unknown>
const id = (prefix: string) => `${prefix}_${randomBytes(18).toString('base64url')}`
const fingerprintOf = (...parts: unknown[]) => createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

function amountOf(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1 || value > maxCents)
    throw new Refusal(
      422,
      'invalid_amount',
      `The amount must be a whole number of cents from 1 to ${maxCents}.`,
      'amountCents',
    )
  return value
}

function referenceOf(value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'string' || value.length > 200)
    throw new Refusal(422, 'invalid_reference', 'The reference must be a text of 200 characters or fewer.', 'reference')
  return value
}

function metadataOf(value: unknown): Record<string, string> {
  if (value === undefined || value === null) return {}
  const isFine =
    typeof value === 'object' &&
    !Array.isArray(value) &&
    Object.keys(value).length <= 20 &&
    Object.values(value).every((v) => typeof v === 'string' && v.length <= 500)
  if (!isFine) throw new Refusal(422, 'invalid_metadata', 'The metadata must be at most 20 texts.', 'metadata')
  return { ...(value as Record<string, string>) }
}

function keyOf(value: unknown): string {
  if (typeof value !== 'string' || value.length < 1 || value.length > 255)
    throw new Refusal(400, 'idempotency_key_missing', 'The Idempotency-Key header is needed.')
  return value
}

/**
 * 1.75 % and 30 cents, 2.9 % for American Express: the order of magnitude of a real provider, so
 * that fee reports show something.
 */
const feeOf = (amountCents: number, brand: string) =>
  Math.floor((amountCents * (brand === 'amex' ? 290 : 175) + 5000) / 10_000) + 30

/** What is not over at once. */
const waits: Partial<Record<CardBehaviour, Charge['status']>> = {
  requires_action: 'requires_action',
  settles_later: 'processing',
}

const differentRequest = () =>
  new Refusal(409, 'idempotency_mismatch', 'This Idempotency-Key was already used for a different request.')

export interface Outcome {
  charge: Charge
  behaviour: CardBehaviour
  isReplay: boolean
}

export function makeCharges(
  store: Store,
  tokens: Tokens,
  options: { baseUrl: () => string; now: () => Date; announce: (event: WebhookEvent) => void; settleAfterMs: number },
) {
  const now = () => options.now().toISOString()
  const timers = new Set<NodeJS.Timeout>()

  async function save(charge: Charge, type: WebhookEvent['type'] | null, fingerprint?: string): Promise<Charge> {
    const event: WebhookEvent | undefined = type
      ? { id: id('evt'), type, createdAt: now(), data: { charge } }
      : undefined
    await store.append({
      kind: 'charge',
      charge,
      ...(fingerprint === undefined ? {} : { fingerprint }),
      ...(event ? { event } : {}),
    })
    if (event) options.announce(event)
    return charge
  }

  const existing = (chargeId: string): Charge => {
    const charge = store.charges.get(chargeId)
    if (!charge) throw new Refusal(404, 'not_found', 'There is no such charge.')
    return charge
  }

  function settle(chargeId: string): void {
    const charge = store.charges.get(chargeId)
    if (charge?.status === 'processing')
      save({ ...charge, status: 'succeeded', updatedAt: now() }, 'charge.succeeded').catch(() => {})
  }

  function settleLater(chargeId: string): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      settle(chargeId)
    }, options.settleAfterMs)
    timer.unref()
    timers.add(timer)
  }
  for (const charge of store.charges.values()) if (charge.status === 'processing') settleLater(charge.id)

  function newCharge(
    body: Body,
    key: string,
  ): { charge: Charge; behaviour: CardBehaviour; type: WebhookEvent['type'] | null } {
    if (body.currency !== 'AUD') throw new Refusal(422, 'invalid_currency', 'The currency must be AUD.', 'currency')
    const amountCents = amountOf(body.amountCents)
    const { card, behaviour } = tokens.open(body.token)
    const message = failures[behaviour]
    const status = message ? 'failed' : (waits[behaviour] ?? 'succeeded')
    const charge: Charge = {
      id: id('ch'),
      amountCents,
      currency: 'AUD',
      status,
      reference: referenceOf(body.reference),
      metadata: metadataOf(body.metadata),
      card,
      refundedCents: 0,
      isDisputed: false,
      feeCents: status === 'failed' ? 0 : feeOf(amountCents, card.brand),
      actionUrl: null,
      failure: message ? { code: behaviour, message } : null,
      idempotencyKey: key,
      createdAt: now(),
      updatedAt: now(),
    }
    // The identifier of the page is a secret of its own: who knows it may answer for the payer.
    if (status === 'requires_action')
      charge.actionUrl = `${options.baseUrl()}/v1/3ds/${charge.id}.${randomBytes(16).toString('base64url')}`
    const type = status === 'processing' ? null : (`charge.${status}` as const)
    return { charge, behaviour, type }
  }

  async function create(body: Body, idempotencyKey: unknown): Promise<Outcome> {
    const key = keyOf(idempotencyKey)
    const fingerprint = fingerprintOf(
      body.amountCents,
      body.currency,
      body.token,
      body.reference ?? null,
      body.metadata ?? null,
    )
    const before = store.chargeByKey.get(key)
    if (before) {
      if (before.fingerprint !== fingerprint) throw differentRequest()
      await store.saved()
      return { charge: before.charge, behaviour: 'succeeds', isReplay: true }
    }
    const { charge, behaviour, type } = newCharge(body, key)
    await save(charge, type, fingerprint)
    if (charge.status === 'processing') settleLater(charge.id)
    return { charge, behaviour, isReplay: false }
  }

  /** The payer's answer on the 3-D Secure page; a second answer changes nothing. */
  async function answerAction(actionId: string, isApproved: boolean): Promise<Charge> {
    const charge = byAction(actionId)
    if (charge.status !== 'requires_action') return charge
    if (isApproved) return save({ ...charge, status: 'succeeded', updatedAt: now() }, 'charge.succeeded')
    return save(
      {
        ...charge,
        status: 'failed',
        feeCents: 0,
        failure: { code: 'authentication_failed', message: 'The payment wasn’t approved.' },
        updatedAt: now(),
      },
      'charge.failed',
    )
  }

  function byAction(actionId: string): Charge {
    const charge = store.charges.get(actionId.split('.', 1)[0] ?? '')
    if (!charge?.actionUrl?.endsWith(`/v1/3ds/${actionId}`))
      throw new Refusal(404, 'not_found', 'There is nothing to approve here.')
    return charge
  }

  async function refund(body: Body, idempotencyKey: unknown): Promise<Refund> {
    const key = keyOf(idempotencyKey)
    const fingerprint = fingerprintOf(body.chargeId, body.amountCents)
    const before = store.refundByKey.get(key)
    if (before) {
      if (before.fingerprint !== fingerprint) throw differentRequest()
      await store.saved()
      return before.refund
    }
    const amountCents = amountOf(body.amountCents)
    const charge = existing(typeof body.chargeId === 'string' ? body.chargeId : '')
    if (charge.status !== 'succeeded')
      throw new Refusal(409, 'not_refundable', 'Only a payment that succeeded can be refunded.')
    if (charge.refundedCents + amountCents > charge.amountCents)
      throw new Refusal(
        409,
        'refund_exceeds_charge',
        'This is more than can be refunded. Enter a smaller amount.',
        'amountCents',
      )
    const made: Refund = {
      id: id('re'),
      chargeId: charge.id,
      amountCents,
      status: 'succeeded',
      idempotencyKey: key,
      createdAt: now(),
    }
    const changed: Charge = { ...charge, refundedCents: charge.refundedCents + amountCents, updatedAt: now() }
    const event: WebhookEvent = {
      id: id('evt'),
      type: 'refund.succeeded',
      createdAt: now(),
      data: { charge: changed, refund: made },
    }
    await store.append({ kind: 'refund', refund: made, charge: changed, fingerprint, event })
    options.announce(event)
    return made
  }

  /** The card holder disputes a payment, or the business has won the dispute. */
  async function dispute(chargeId: string, isWon = false, disputeReason = 'general'): Promise<Charge> {
    const charge = existing(chargeId)
    return charge.isDisputed === !isWon
      ? charge
      : save(
          { ...charge, isDisputed: !isWon, disputeReason, updatedAt: now() },
          isWon ? 'charge.dispute_closed' : 'charge.disputed',
        )
  }

  function list(from: string | null, after: string | null, limit: number): { items: Charge[]; next: string | null } {
    const since = from === null ? 0 : Date.parse(from)
    if (Number.isNaN(since))
      throw new Refusal(
        400,
        'invalid_from',
        'The parameter from must be an instant such as 2026-07-01T00:00:00Z.',
        'from',
      )
    const found = [...store.charges.values()].filter((c) => Date.parse(c.createdAt) >= since)
    const start = after === null ? 0 : found.findIndex((c) => c.id === after) + 1
    const items = found.slice(start, start + limit)
    return { items, next: start + limit < found.length ? (items.at(-1)?.id ?? null) : null }
  }

  return { create, existing, answerAction, byAction, refund, dispute, list, stop: () => timers.forEach(clearTimeout) }
}
export type Charges = ReturnType<typeof makeCharges>
