import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { sandboxPayments } from '../../server/core/adapters/payments-sandbox.ts'
import { connect } from '../../server/core/db/connect.ts'
import { lastAnchors } from '../../server/core/jobs/anchor.ts'
import { loadKeys } from '../../server/core/keys.ts'
import { verifyLedger } from '../../server/ledger/verify.ts'
import type { Deed, Journal } from './history.ts'
import { postmasterOf, type Product } from './process.ts'

/** A look into the product's database beside the product. */
export async function inDatabase<T>(
  dataDir: string,
  look: (rows: <R extends object>(text: string, values?: unknown[]) => Promise<R[]>) => Promise<T>,
): Promise<T> {
  const db = new pg.Client(databaseOf(dataDir))
  await db.connect()
  try {
    return await look(async (text, values = []) => (await db.query(text, values)).rows)
  } finally {
    await db.end()
  }
}

export const databaseOf = (dataDir: string): pg.ClientConfig => {
  const server = postmasterOf(dataDir)
  if (!server) throw new Error('the database does not run')
  return { host: server.socket, port: server.port, user: 'postgres', database: 'brolga' }
}

/** Every problem of the ledger, in words. */
export async function ledgerProblems(dataDir: string): Promise<string[]> {
  const db = connect(databaseOf(dataDir), { poolSize: 1 })
  try {
    const keys = loadKeys({ appKey: undefined, cronKey: undefined, dataDir })
    const { problems } = await verifyLedger(db, { key: keys.seal, anchors: lastAnchors(dataDir) })
    return problems.map(({ code, entity, number, message }) => `${code} ${entity} ${number ?? ''} ${message}`)
  } finally {
    await db.destroy()
  }
}

/** How often what a deed makes is in the database, with what says that it is whole. */
const counts: Record<Deed['what'], string> = {
  customer: `select count(*)::int as n, bool_and(email is not null) as whole from customers where display_name = $1`,
  quote: `select count(*)::int as n,
    bool_and((select count(*) from quote_lines l where l.quote_guid = q.guid) = 2 and total_cents = 71500) as whole
    from quotes q where title = $1`,
  send: `select count(*)::int as n, bool_and(q.number is not null and q.sent_at is not null) as whole
    from messages m join quotes q on q.guid = m.owner_guid where m.template = 'quote' and q.title = $1`,
  accept: `select count(*)::int as n,
    bool_and((select count(*) from order_lines l where l.order_guid = o.guid) = 2
      and (select count(*) from invoices i
        where i.order_guid = o.guid and i.kind = 'deposit' and i.status = 'issued') = 1) as whole
    from orders o where title = $1`,
  deposit: `select count(*)::int as n,
    bool_and(p.amount_cents = 5000
      and (select sum(a.cents) from payment_allocations a where a.payment_guid = p.guid) = 5000) as whole
    from payments p join payment_attempts t on t.guid = p.attempt_guid
    join invoices i on i.guid = t.invoice_guid join quotes q on q.guid = i.quote_guid where q.title = $1`,
  invoice: `select count(*)::int as n,
    bool_and((select count(*) from invoice_lines l where l.invoice_guid = i.guid) = 2) as whole
    from invoices i where i.title = $1 and kind = 'standard'`,
  issue: `select count(*)::int as n, bool_and(number is not null and snapshot is not null) as whole
    from invoices where title = $1 and kind = 'standard' and status = 'issued'`,
  transfer: `select count(*)::int as n,
    bool_and((select sum(a.cents) from payment_allocations a where a.payment_guid = p.guid) = p.amount_cents) as whole
    from payments p where reference = $1`,
}

/** What a success told the client, and where it must stand now. */
const told: Partial<Record<Deed['what'], { of: string; query: string }>> = {
  customer: { of: 'customer.guid', query: `select guid::text as value from customers where display_name = $1` },
  quote: { of: 'quote.guid', query: `select guid::text as value from quotes where title = $1` },
  send: { of: 'quote.number', query: `select number as value from quotes where title = $1` },
  accept: { of: 'order.number', query: `select number as value from orders where title = $1` },
  issue: { of: 'invoice.number', query: `select number as value from invoices where title = $1 and kind = 'standard'` },
  transfer: { of: 'payment.number', query: `select number as value from payments where reference = $1` },
}

const pick = (answer: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], answer)

/**
 * Holds what clients remember against the database: what was acknowledged is there once, and
 * the rest is whole or absent.
 */
export const compare = (dataDir: string, { deeds }: Journal): Promise<string[]> =>
  inDatabase(dataDir, async (rows) => {
    const problems: string[] = []
    for (const { what, mark, answer } of deeds) {
      const [found] = await rows<{ n: number; whole: boolean | null }>(counts[what], [mark])
      const n = found?.n ?? 0
      if (n > 1) problems.push(`${what} ${mark} is there ${n} times`)
      if (n > 0 && found?.whole === false) problems.push(`${what} ${mark} is there in part`)
      // A card payment may be acknowledged as being processed; it is waited for elsewhere.
      if (answer && n === 0 && what !== 'deposit') problems.push(`${what} ${mark} was acknowledged and is lost`)
      const expected = told[what]
      if (!answer || !expected) continue
      const [row] = await rows<{ value: string }>(expected.query, [mark])
      if (row?.value !== pick(answer, expected.of))
        problems.push(`${what} ${mark} was told ${String(pick(answer, expected.of))} and is ${row?.value}`)
    }
    return problems
  })

/** Every charge the provider was asked for, whatever became of it. */
export const chargesOf = (product: Product, dataDir: string) =>
  sandboxPayments({
    url: product.sandboxUrl,
    webhookSecret: loadKeys({ appKey: undefined, cronKey: undefined, dataDir }).webhook,
  }).listCharges('2020-01-01T00:00:00Z')

/** What the provider has taken, against what is booked: to the cent, and each charge once. */
export async function compareMoney(product: Product, dataDir: string): Promise<string[]> {
  const charges = (await chargesOf(product, dataDir)).filter((c) => c.status === 'succeeded')
  const booked = await inDatabase(dataDir, (rows) =>
    rows<{ key: string; cents: number }>(
      `select p.provider_payment_id as key, p.amount_cents::int as cents from payments p where provider = 'sandbox'`,
    ),
  )
  const byId = new Map(booked.map((b) => [b.key, b.cents]))
  const problems = charges
    .filter((c) => byId.get(c.providerPaymentId ?? '') !== c.amountCents)
    .map((c) => `charge ${c.providerPaymentId} of ${c.amountCents} for ${c.reference} is not booked`)
  if (booked.length !== charges.length) problems.push(`${charges.length} charges and ${booked.length} booked payments`)
  return problems
}

/** Waits for what works on by itself: letters are written, mail is sent, open card payments are settled. */
export async function settleDown(dataDir: string, seconds: number): Promise<string[]> {
  const open = () =>
    inDatabase(dataDir, async (rows) => {
      const [row] = await rows<{ unsent: number; unsettled: number; untold: number }>(`select
        (select count(*) from messages where status not in ('sent', 'delivered'))::int as unsent,
        (select count(*) from payment_attempts where status in ('processing', 'requires_action'))::int as unsettled,
        (select count(*) from payments p where not exists (select from messages m
          where m.owner_guid = p.guid and m.template = 'receipt'))::int as untold`)
      return Object.entries(row ?? {})
        .filter(([, n]) => n > 0)
        .map(([what, n]) => `${n} ${what}`)
    })
  for (const deadline = performance.now() + seconds * 1000; ; await sleep(500)) {
    const left = await open()
    if (left.length === 0 || performance.now() > deadline) return left
  }
}

/** Lets the time pass that leases of a killed process take to run out, so that a short test need not wait for it. */
export const letLeasesRunOut = (dataDir: string) =>
  inDatabase(dataDir, async (rows) => {
    await rows(`update messages set lease_until = now() - interval '1 second' where status = 'sending'`)
    await rows(`update webhook_deliveries set lease_until = now() - interval '1 second' where state = 'waiting'`)
    await rows(`update idempotency_keys set claimed_at = now() - interval '1 hour' where status is null`)
    await rows(`update payment_attempts set next_check_at = now() where status = 'processing'`)
    await rows(`update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active'`)
  })

/** Every message is in the outbox exactly once, and there is nothing else: neither lost nor doubled. */
export async function compareMail(dataDir: string): Promise<string[]> {
  const messages = await inDatabase(dataDir, (rows) =>
    rows<{ guid: string; id: string; status: string }>(`select guid::text, message_id as id, status from messages`),
  )
  const folder = join(dataDir, 'outbox')
  const files = readdirSync(folder).filter((name) => name.endsWith('.eml'))
  const sentAs = files.map(
    (name) => /^Message-ID: (\S+)/im.exec(readFileSync(join(folder, name), 'latin1'))?.[1] ?? name,
  )
  const times = new Map<string, number>()
  for (const id of sentAs) times.set(id, (times.get(id) ?? 0) + 1)
  const problems = messages
    .filter((m) => times.get(m.id) !== 1)
    .map((m) => `the message ${m.guid} (${m.status}) is in the outbox ${times.get(m.id) ?? 0} times`)
  const known = new Set(messages.map((m) => m.id))
  return [...problems, ...sentAs.filter((id) => !known.has(id)).map((id) => `the outbox has ${id}, which nobody wrote`)]
}
