import { appendFile, closeSync, fdatasync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface Card {
  brand: string
  last4: string
  expMonth: number
  expYear: number
  wallet?: string
}

export interface Charge {
  id: string
  amountCents: number
  currency: 'AUD'
  status: 'requires_action' | 'processing' | 'succeeded' | 'failed'
  reference: string | null
  metadata: Record<string, string>
  card: Card
  refundedCents: number
  isDisputed: boolean
  /** The card holder's, in the provider's code. */
  disputeReason?: string
  feeCents: number
  actionUrl: string | null
  failure: { code: string; message: string } | null
  idempotencyKey: string
  createdAt: string
  updatedAt: string
}

export interface Refund {
  id: string
  chargeId: string
  amountCents: number
  status: 'succeeded'
  idempotencyKey: string
  createdAt: string
}

export interface WebhookEvent {
  id: string
  type:
    | 'charge.succeeded'
    | 'charge.failed'
    | 'charge.requires_action'
    | 'charge.disputed'
    | 'charge.dispute_closed'
    | 'refund.succeeded'
  createdAt: string
  data: { charge: Charge; refund?: Refund }
}

type Entry =
  | { kind: 'charge'; charge: Charge; fingerprint?: string; event?: WebhookEvent }
  | { kind: 'refund'; refund: Refund; charge: Charge; fingerprint: string; event: WebhookEvent }
  | { kind: 'delivered'; id: string }

export interface Store {
  charges: ReadonlyMap<string, Charge>
  refunds: ReadonlyMap<string, Refund>
  chargeByKey: ReadonlyMap<string, { charge: Charge; fingerprint: string }>
  refundByKey: ReadonlyMap<string, { refund: Refund; fingerprint: string }>
  /** Events no receiver has taken yet. */
  undelivered: ReadonlyMap<string, WebhookEvent>
  /** Holds at once in memory; resolves when it would survive a power cut. */
  append(entry: Entry): Promise<void>
  /** Resolves when everything appended so far would survive. */
  saved(): Promise<void>
  close(): Promise<void>
}

const appendTo = promisify(appendFile)
const syncData = promisify(fdatasync)

function readEntries(path: string, file: number): Entry[] {
  const bytes = readFileSync(path)
  // A killed process may leave half a line: it was never answered for, so it goes.
  const whole = bytes.lastIndexOf(10) + 1
  if (whole < bytes.length) ftruncateSync(file, whole)
  return bytes
    .subarray(0, whole)
    .toString('utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Entry)
}

/** Everything that happened as lines in one file, and the present state in memory. No card number is ever among it. */
export function openStore(dataDir: string): Store {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, 'payments.jsonl')
  const file = openSync(path, 'a+', 0o600)
  const folder = openSync(dataDir, 'r')
  fsyncSync(folder)
  closeSync(folder)
  const charges = new Map<string, Charge>()
  const refunds = new Map<string, Refund>()
  const chargeByKey = new Map<string, { charge: Charge; fingerprint: string }>()
  const refundByKey = new Map<string, { refund: Refund; fingerprint: string }>()
  const undelivered = new Map<string, WebhookEvent>()

  const keepCharge = (charge: Charge, fingerprint?: string) => {
    charges.set(charge.id, charge)
    chargeByKey.set(charge.idempotencyKey, {
      charge,
      fingerprint: fingerprint ?? chargeByKey.get(charge.idempotencyKey)?.fingerprint ?? '',
    })
  }
  const apply = (entry: Entry) => {
    if (entry.kind === 'delivered') undelivered.delete(entry.id)
    else keepCharge(entry.charge, entry.kind === 'charge' ? entry.fingerprint : undefined)
    if (entry.kind === 'refund') {
      refunds.set(entry.refund.id, entry.refund)
      refundByKey.set(entry.refund.idempotencyKey, { refund: entry.refund, fingerprint: entry.fingerprint })
    }
    if (entry.kind !== 'delivered' && entry.event) undelivered.set(entry.event.id, entry.event)
  }
  for (const entry of readEntries(path, file)) apply(entry)

  let waiting: string[] = []
  let current: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null
  const flush = async () => {
    const lines = waiting.join('')
    waiting = []
    next = null
    await appendTo(file, lines)
    await syncData(file)
  }
  /** One write and one sync serve everybody who asked while the one before was under way. */
  const saved = () => {
    if (waiting.length === 0) return next ?? current
    if (!next) {
      next = current.then(flush)
      current = next
      current.catch(() => {})
    }
    return next
  }
  return {
    charges,
    refunds,
    chargeByKey,
    refundByKey,
    undelivered,
    append: (entry) => {
      apply(entry)
      waiting.push(`${JSON.stringify(entry)}\n`)
      return saved()
    },
    saved,
    close: async () => {
      await saved()
      closeSync(file)
    },
  }
}
