import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes, randomUUID } from 'node:crypto'
import { type App, buildApp } from '../../server/app.ts'
import type { PaymentProvider } from '../../server/core/adapters/payments.ts'
import { loadSettings } from '../../server/core/env.ts'
import { loadKeys } from '../../server/core/keys.ts'
import { makeLog } from '../../server/core/log.ts'
import { type FreshDatabase, freshDatabase } from './start-db.ts'

export interface StartOptions {
  /** Settings as the environment would give them. */
  env?: Record<string, string>
  /** A clock that tests move; the real one when not given. */
  now?: () => Date
  payments?: PaymentProvider
  /** Whether queued jobs are worked off; without, tests run them by hand. */
  hasWorkers?: boolean
  /** How long a reader may take nothing before he is given up. */
  stalledAfterMs?: number
}

/** What a caller sends along: nothing for a stranger. */
export interface Caller {
  headers: Record<string, string>
}

export interface Answer<D = Record<string, unknown>> {
  status: number
  headers: LightMyRequestResponse['headers']
  message: string
  error: string | undefined
  errors: { path: string; message: string }[]
  data: D
  body: string
}

export interface Running extends App {
  database: FreshDatabase
  dataDir: string
  /** One API call as a caller makes it. */
  call<D = Record<string, unknown>>(
    who: Caller | null,
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<D>>
  stop(): Promise<void>
}

/** What calls that move money need: a key that nobody has used before. */
export const keyed = () => ({ 'idempotency-key': randomUUID() })

/** The whole application on an empty database of its own. */
export async function startApp(options: StartOptions = {}): Promise<Running> {
  const database = await freshDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'brolga-test-'))
  const settings = loadSettings({
    MODE: 'test',
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent',
    PAYMENT_PROVIDER: 'none',
    APP_KEY: randomBytes(32).toString('hex'),
    DB_POOL_SIZE: '10',
    ...options.env,
  })
  const app = await buildApp({
    settings,
    keys: loadKeys(settings),
    database,
    log: makeLog(settings.logLevel),
    hasWorkers: options.hasWorkers ?? false,
    ...(options.now ? { now: options.now } : {}),
    ...(options.stalledAfterMs ? { stalledAfterMs: options.stalledAfterMs } : {}),
    ...(options.payments ? { payments: options.payments } : {}),
  })
  return {
    ...app,
    database,
    dataDir,
    call: async (who, method, path, body, headers) => {
      const request: InjectOptions = { method, url: `/api/v2${path}`, headers: { ...who?.headers, ...headers } }
      if (body !== undefined)
        Object.assign(request, {
          payload: JSON.stringify(body),
          headers: { 'content-type': 'application/json', ...request.headers },
        })
      return answerOf(await app.fastify.inject(request))
    },
    stop: async () => {
      await app.close()
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function answerOf<D>(response: LightMyRequestResponse): Answer<D> {
  const isJson = String(response.headers['content-type']).startsWith('application/json')
  const parsed = isJson
    ? (JSON.parse(response.body) as { message?: string; error?: string; errors?: Answer['errors']; serviceData?: D })
    : {}
  return {
    status: response.statusCode,
    headers: response.headers,
    message: parsed.message ?? '',
    error: parsed.error,
    errors: parsed.errors ?? [],
    data: (parsed.serviceData ?? null) as D,
    body: response.body,
  }
}
