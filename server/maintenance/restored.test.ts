import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { aGuest, logIn } from '../../test/support/actors.ts'
import { configFor, withUser } from '../../test/support/cluster.ts'
import { ok } from '../../test/support/factories.ts'
import type { Answer, Caller, Running } from '../../test/support/start.ts'
import { cards, type Paying, startPaying } from '../../test/support/paying.ts'
import { buildApp } from '../app.ts'
import { backUp } from '../core/db/backup.ts'
import { checkBackup, restore } from '../core/db/restore.ts'
import { runJobBatch } from '../core/jobs/batches.ts'
import { sealBatch } from '../core/jobs/seals.ts'
import { openCtx, systemRun } from '../core/run.ts'
import { quiet } from '../core/console.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { processQueue } from '../messages/messages.queue.ts'
import { paymentBatches } from '../payments/payments.jobs.ts'

type App = Awaited<ReturnType<typeof buildApp>>
let p: Paying
const folder = mkdtempSync(join(tmpdir(), 'brolga-restore-'))
const made: { apps: App[]; databases: string[] } = { apps: [], databases: [] }
const noFiles = { named: async () => [], copy: async () => [] }
const server = () => configFor(inject('cluster'), 'postgres')
const ask = async (text: string) => {
  const db = new pg.Client(server())
  await db.connect()
  try {
    await db.query(text)
  } finally {
    await db.end()
  }
}
beforeAll(async () => void (p = await startPaying()))
afterAll(async () => {
  for (const app of made.apps) await app.close()
  for (const name of made.databases) await ask(`drop database ${name} with (force)`)
  await p.stop()
  rmSync(folder, { recursive: true })
})

/** The backup in a database of its own, with the product on it: the same keys, provider and data folder. */
async function restored(backup: string, last: Record<string, string>, hasNewLinks = false) {
  const name = `${p.app.database.name}_restored${made.databases.length}`
  await ask(`create database ${name}`)
  made.databases.push(name)
  const owner = configFor(inject('cluster'), name)
  const manifest = await checkBackup(backup)
  const options = {
    madeAt: manifest.madeAt,
    now: new Date(),
    report: 'restore.txt',
    hasNewLinks,
    lastGiven: async ({ kind }: { kind: string }) => last[kind] ?? null,
  }
  const told = await restore(owner, p.app.database.appRole, backup, manifest, quiet, options)
  const database = { ...p.app.database, name, owner, app: withUser(owner, p.app.database.appRole, 'test-only') }
  const app = await buildApp({
    settings: p.app.deps.settings,
    keys: p.app.deps.keys,
    database,
    log: p.app.deps.log,
    payments: p.provider,
    hasWorkers: false,
  })
  made.apps.push(app)
  const call: Running['call'] = async <D>(
    who: Caller | null,
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => {
    const sent = body === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
    const response = await app.fastify.inject({
      method,
      url: `/api/v2${path}`,
      headers: { ...sent, ...who?.headers, ...headers },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    const { message, error, errors, serviceData } = response.json<{
      message: string
      error?: string
      errors: Answer['errors']
      serviceData: D
    }>()
    return {
      status: response.statusCode,
      headers: response.headers,
      message,
      error,
      errors,
      data: serviceData,
      body: response.body,
    }
  }
  return { app, told, call }
}

const settle = (app: App) => runJobBatch(app.deps, paymentBatches[0] ?? sealBatch)

test('a restored backup ends logins, gives no number twice, and neither sends nor charges before it may', async () => {
  const before = await p.invoice(11_000)
  const open = await p.invoice(5_500)
  ok(await p.app.call(p.actors.administrator, 'POST', `/Invoices/Send/${before.guid}`, { version: before.version }))
  const backup = join(folder, 'one')
  await backUp({ owner: p.app.database.owner, dataDir: p.app.dataDir, keyFingerprint: 'abc', files: noFiles }, backup)
  // What the backup does not know: a payment that was taken, and a number that was given.
  ok(await p.pay(before.link, 11_000), 201)
  const later = await p.invoice(700)

  const { app, told, call } = await restored(backup, { quote: 'Q-5000' })
  expect((await call(p.actors.administrator, 'GET', '/Payments')).status).toBe(401)
  const running: Running = { ...p.app, ...app, call }
  const administrator = { headers: await logIn(running, p.actors.administrator.authId) }
  expect(told.join('\n')).toMatch(
    /logins were ended[^]*numbers [A-Z-]*\d+ to [A-Z-]*\d+ are left out, as a gap[^]*emails were waiting/,
  )

  // Mail waits, cards wait.
  const ctx = openCtx(systemRun(app.deps, 'test'))
  expect(await processQueue(ctx, () => true)).toEqual({ succeeded: 0, failed: 0, remaining: 0 })
  const asked = await call(await aGuest(running), 'POST', `/Service/Invoices/Pay/${open.link}`, {
    paymentMethodToken: await p.token(cards.good),
    amountCents: 5_500,
  })
  expect([asked.status, asked.message]).toEqual([
    409,
    'Card payments are paused while a restored backup is checked. Nothing was charged; please try again later.',
  ])
  expect((await call(administrator, 'POST', '/Maintenance/Hold/Release', { mails: 'cancel' })).message).toMatch(
    /has not been asked yet/,
  )

  // The provider tells of the payment; a person books it, and nobody pays twice.
  await settle(app)
  const { data: held } = await call(administrator, 'GET', '/Maintenance/Hold')
  expect(held).toMatchObject({ hold: { isProviderAsked: true, unknownCharges: 1, waitingMails: 1 } })
  expect(readFileSync(join(p.app.dataDir, 'restore.txt'), 'utf8')).toContain('not_booked ch_')
  const { data: aside } = await call(administrator, 'GET', '/Payments/Quarantine')
  const [charge] = aside['items'] as { guid: string; reference: string }[]
  expect(charge?.reference).toBe(before.number)
  expect(
    (
      await call(administrator, 'POST', `/Payments/Quarantine/${charge?.guid}`, {
        action: 'book',
        invoiceGuid: before.guid,
      })
    ).status,
  ).toBe(200)
  expect((await call(administrator, 'POST', '/Maintenance/Hold/Release', { mails: 'cancel' })).message).toBe(
    'Sending resumed.',
  )
  expect((await app.deps.db.selectFrom('messages').select('status').execute()).map((m) => m.status)).not.toContain(
    'queued',
  )

  // The next number is none that was given since, and the books are in order, gap and all.
  const { data: draft } = await call(administrator, 'POST', '/Invoices', {
    customerGuid: p.customer.guid,
    title: 'After',
    lines: [{ name: 'Hoarding', unitPriceCents: 100 }],
  })
  const { guid, version } = draft['invoice'] as { guid: string; version: number }
  const { data: issued } = await call(administrator, 'POST', `/Invoices/Issue/${guid}`, { version })
  const numberOf = (text: string) => Number(/\d+$/.exec(text)?.[0])
  expect(numberOf((issued['invoice'] as { number: string }).number)).toBeGreaterThan(numberOf(later.number))
  expect(
    await app.deps.db.selectFrom('numberCounters').select('next').where('kind', '=', 'quote').executeTakeFirst(),
  ).toEqual({ next: 5001 })
  expect((await verifyLedger(app.deps.db)).problems).toEqual([])

  const second = await restored(backup, {}, true)
  const links = second.app.deps.db.selectFrom('serviceLinks').select('guid').where('revokedAt', 'is', null)
  expect((await links.execute()).map((link) => link.guid)).not.toContain(open.link)
  await expect(restored(backup, { invoice: 'INV-1' })).rejects.toThrow(/INV-1 cannot be the last invoice number/)
}, 120_000)
