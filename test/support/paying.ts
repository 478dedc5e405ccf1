import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import { sandboxPayments } from '../../server/core/adapters/payments-sandbox.ts'
import { openCtx, systemRun } from '../../server/core/run.ts'
import type { OpenCtx } from '../../server/core/ctx.ts'
import { verifyLedger } from '../../server/ledger/verify.ts'
import { tellQueue } from '../../server/payments/payments.booking.ts'
import { tell, type Told } from '../../server/payments/payments.jobs.ts'
import { handleWebhook } from '../../server/payments/webhooks.ts'
import { startSandbox } from '../../server/sandbox/sandbox.ts'
import { seedActors } from './actors.ts'
import { aBusiness, aCustomer, ok, shaOf } from './factories.ts'
import { composeMessages } from './messages.ts'
import { type Answer, type Caller, startApp } from './start.ts'

export const cards = {
  good: '4242424242424242',
  mastercard: '5555555555554444',
  declined: '4000000000000002',
  noFunds: '4000000000009995',
  secure: '4000000000003220',
  neverAnswers: '4000000000000341',
  fails: '4000000000000119',
  hangsUp: '4000000000006975',
  answersNothing: '4000000000009235',
  settlesLater: '4000000000000077',
} as const

export interface PaidAnswer {
  payment: {
    guid: string
    status: string
    amountCents: number
    actionUrl: string | null
    failure: { code: string; message: string } | null
    receiptNumber: string | null
  }
  invoice: { paymentStatus: string; balanceCents: number }
}
export interface InvoiceFacts {
  guid: string
  version: number
  number: string
  link: string
  totalCents: number
  documentSha256: string | null
}
export interface PaymentFacts {
  guid: string
  number: string
  status: string
  method: string
  amountCents: number
  refundedCents: number
  unallocatedCents: number
  reversedOn: string | null
  allocations: {
    guid: string
    effectiveOn: string
    invoiceGuid: string
    invoiceNumber: string
    cents: number
    refundableCents: number
  }[]
  refunds: {
    guid: string
    number: string
    amountCents: number
    effect: string | null
    adjustmentNote: { guid: string; label: string } | null
    reopens: { guid: string; label: string } | null
    payee: { accountName: string; bsb: string; accountNumber: string } | null
  }[]
}
interface StandingFacts {
  status: string
  paymentStatus: string
  totalCents: number
  paidCents: number
  creditedCents: number
  refundedCents: number
  balanceCents: number
}

/** How long the product waits for the provider: so long that a machine that stalls does not fail a charge. */
const patienceMs = 20_000
/** The same where a test has the provider be silent, and waits that long. */
export const shortPatienceMs = 1500

export type Paying = Awaited<ReturnType<typeof startPaying>>

/** The product with one customer and the payment sandbox, both real, on loopback. */
export async function startPaying(env: Record<string, string> = {}, timeoutMs = patienceMs) {
  const webhookSecret = randomBytes(32).toString('hex')
  const sandbox = await startSandbox({
    dataDir: mkdtempSync(join(tmpdir(), 'brolga-sandbox-')),
    webhookSecret,
    settleAfterMs: 200,
  })
  const clock = { aheadMs: 0 }
  const now = () => new Date(Date.now() + clock.aheadMs)
  const provider = sandboxPayments({ url: sandbox.url, webhookSecret, timeoutMs })
  const app = await startApp({ payments: provider, now, env: { DB_POOL_SIZE: '20', ...env } })
  const actors = await seedActors(app)
  await aBusiness(app)
  const customer = await aCustomer(app, actors.office)
  // One connection for all of it, however slow the machine is: a setting of the session holds for what follows.
  const owner = new pg.Pool({ ...app.database.owner, max: 1, idleTimeoutMillis: 0 })
  // Large refunds need nobody else, where no test is about that.
  await owner.query('update businesses set refund_limit_cents = 100000000')

  const post = async (path: string, body: unknown, key: string = sandbox.publicKey) => {
    const response = await fetch(sandbox.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    })
    return (await response.json()) as Record<string, unknown>
  }
  /** A card in the payer's browser, as a token. */
  const token = async (number: string): Promise<string> =>
    String((await post('/v1/tokens', { number, expMonth: 12, expYear: 2031, cvc: '123' })).token)

  const system = (): OpenCtx => openCtx(systemRun(app.deps, 'test'))
  const rows = async <R extends object>(text: string, values: unknown[] = []): Promise<R[]> =>
    (await owner.query(text, values)).rows as R[]

  /** The frozen document behind a link, as the payer's page names it. */
  const shownAt = async (link: string) => {
    const [row] = await rows<{ sha: string }>(
      `select i.snapshot_sha256 as sha
        from service_links l join invoices i on i.guid = l.record_guid where l.guid = $1`,
      [link],
    )
    return row?.sha ?? null
  }

  return {
    app,
    actors,
    customer,
    sandbox,
    provider,
    webhookSecret,
    clock,
    rows,
    token,
    system,
    /**
     * The switches of the sandbox: `webhooks { mode }`, `latency { ms, isFailing }`, `flush`,
     * `disputes { chargeId, isWon }`.
     */
    tell: (what: string, body: unknown = {}) => post(`/v1/test/${what}`, body),
    /** The day it is for the business. */
    today: async (): Promise<string> => {
      const [row] = await rows<{ day: string }>(
        `select (now() at time zone time_zone)::date::text as day from businesses
          order by parent_guid nulls first limit 1`,
      )
      return row?.day ?? ''
    },
    /** An issued invoice of one line; the amount includes GST. */
    invoice: async (totalCents: number, customerGuid = customer.guid): Promise<InvoiceFacts> => {
      const body = {
        customerGuid,
        title: 'Hoarding',
        priceMode: 'inclusive',
        lines: [{ name: 'Hoarding', unitPriceCents: totalCents }],
      }
      const draft = ok(
        await app.call<{ invoice: { guid: string; version: number } }>(actors.office, 'POST', '/Invoices', body),
        201,
      ).invoice
      const issued = ok(
        await app.call<{ invoice: { guid: string; version: number; number: string; serviceGuid: string } }>(
          actors.office,
          'POST',
          `/Invoices/Issue/${draft.guid}`,
          { version: draft.version },
        ),
      ).invoice
      return {
        guid: issued.guid,
        version: issued.version,
        number: issued.number,
        link: issued.serviceGuid,
        totalCents,
        documentSha256: await shaOf(app, 'invoices', issued.guid),
      }
    },
    pay: async (
      link: string,
      amountCents: number,
      card: string = cards.good,
      key: string = randomUUID(),
      who: Caller = actors.guest,
    ): Promise<Answer<PaidAnswer>> =>
      app.call<PaidAnswer>(
        who,
        'POST',
        `/Service/Invoices/Pay/${link}`,
        { documentSha256: await shownAt(link), paymentMethodToken: await token(card), amountCents },
        { 'idempotency-key': key },
      ),
    settle: (link: string, paymentGuid: string) =>
      app.call<PaidAnswer>(actors.guest, 'POST', `/Service/Payments/Settle/${link}`, { paymentGuid }),
    byHand: (body: Record<string, unknown>, headers: Record<string, string> = {}) =>
      app.call<{ payment: PaymentFacts }>(
        actors.accountant,
        'POST',
        '/Payments',
        { method: 'bank_transfer', receivedOn: '2026-01-15', ...body },
        { 'idempotency-key': randomUUID(), ...headers },
      ),
    refund: (body: Record<string, unknown>, headers: Record<string, string> = {}) =>
      app.call<{
        refund: {
          guid: string
          number: string | null
          status: string
          effect: string | null
          amountCents: number
          gstCents: number
        }
        adjustmentNote: { guid: string; label: string } | null
        payment: PaymentFacts
      }>(
        actors.accountant,
        'POST',
        '/Payments/Refunds',
        { reasonCode: 'goodwill', ...body },
        { 'idempotency-key': randomUUID(), ...headers },
      ),
    payments: async () =>
      ok(
        await app.call<{ items: { guid: string; number: string; amountCents: number }[] }>(
          actors.accountant,
          'GET',
          '/Payments?size=100',
        ),
      ).items,
    payment: async (guid: string) =>
      ok(await app.call<{ payment: PaymentFacts }>(actors.accountant, 'GET', `/Payments/${guid}`)).payment,
    standing: async (guid: string): Promise<StandingFacts> => {
      const [row] = await rows<StandingFacts>(
        `select status, payment_status as "paymentStatus",
          total_cents::int as "totalCents", paid_cents::int as "paidCents", credited_cents::int as "creditedCents",
          refunded_cents::int as "refundedCents", balance_cents::int as "balanceCents" from invoices where guid = $1`,
        [guid],
      )
      if (!row) throw new Error('there is no such invoice')
      return row
    },
    /** Leaves the use of a key as a process does that dies before it could keep the answer, some time ago. */
    forsake: (key: string) =>
      rows(
        `update idempotency_keys set status = null, answer = null, claimed_at = now() - interval '1 hour'
          where key = $1`,
        [key],
      ),
    /** An attempt that was committed by a process that died before it heard from the provider. */
    attempt: async (invoiceGuid: string, amountCents: number): Promise<string> => {
      const guid = randomUUID()
      await rows(
        `insert into payment_attempts (guid, business_guid, invoice_guid, amount_cents, provider,
            provider_key, next_check_at)
          select $1::uuid, business_guid, guid, $3, 'sandbox', $1::text, now() from invoices where guid = $2`,
        [guid, invoiceGuid, amountCents],
      )
      return guid
    },
    /** What the provider has taken for an invoice, by its number. */
    charges: async (number: string) =>
      (await provider.listCharges('2020-01-01T00:00:00Z')).filter((c) => c.reference === number),
    /** A notice of the provider as it comes in. */
    deliver: (text: string, headers: Record<string, string>, providerName = 'sandbox') =>
      app.fastify.inject({
        method: 'POST',
        url: `/api/v2/Payments/Webhooks/${providerName}`,
        headers: { 'content-type': 'application/json', ...headers },
        payload: text,
      }),
    /** Works off every notice that was kept and has led to nothing yet. */
    workOff: async () => {
      const open = await rows<{ guid: string }>(
        `select guid from webhook_events e
          where not exists (select 1 from webhook_outcomes o where o.event_guid = e.guid) order by received_at`,
      )
      await Promise.all(open.map(({ guid }) => handleWebhook(system(), guid)))
    },
    /** Works off the letters to customers. */
    tellAll: async () => {
      for (const job of await app.deps.boss.fetch<Told>(tellQueue, { batchSize: 500 })) {
        await system().tx((tx) => tell(tx, job.data))
        await app.deps.boss.complete(tellQueue, job.id)
      }
      await composeMessages(app)
    },
    /** The proof over the whole database; empty when everything agrees. */
    problems: async () => (await verifyLedger(app.deps.db)).problems,
    stop: async () => {
      await owner.end()
      await app.stop()
      await sandbox.close()
    },
  }
}

/** How often each outcome came, for calls made at the same time. */
export const tally = (answers: readonly Answer<unknown>[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { status, error } of answers) {
    const name = `${status}${error ? ` ${error}` : ''}`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

export const times = <T>(count: number, make: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => make(i)))
