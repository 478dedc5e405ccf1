import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fastify, type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { api, catalogue } from '../contract/api.ts'
import { makeFiles } from './core/adapters/files-choose.ts'
import { makeMail } from './core/adapters/mail.ts'
import { paymentProvider } from './core/adapters/payments-choose.ts'
import type { PaymentProvider } from './core/adapters/payments.ts'
import { makeRenderer } from './core/adapters/renderer.ts'
import { connect } from './core/db/connect.ts'
import type { Database } from './core/db/database.ts'
import type { Deps } from './core/deps.ts'
import type { Settings } from './core/env.ts'
import { sendFailure } from './core/http/envelope.ts'
import { commonHeaders, requestIdOf, setHeaders } from './core/http/headers.ts'
import { serveHealth } from './core/http/health.ts'
import { newApiGuid } from './core/http/identify.ts'
import { type LiveHub, makeLiveHub } from './core/http/live.ts'
import { answerErrors, answerUnknown, apiRoot, mount } from './core/http/mount.ts'
import { openApi } from './core/http/openapi.ts'
import { serveDocs, serveWeb } from './core/http/pages.ts'
import { acceptJson } from './core/http/parse.ts'
import { shedUnderPressure } from './core/http/pressure.ts'
import { makeBoss, prepareQueues, startWorkers } from './core/jobs/worker.ts'
import { knowRights } from './core/delegation.ts'
import type { Keys } from './core/keys.ts'
import { warmPasswords } from './core/passwords.ts'
import { makeMaintenance } from './core/maintenance.ts'
import { makeBusinesses } from './core/business.ts'
import { makeRights } from './core/rights.ts'
import { makeTokens } from './core/tokens.ts'
import { batches, isAmong, jobs, nouns, openDocument } from './nouns.ts'
import { unreadOf } from './notifications/notifications.service.ts'
import { servePageOfLinks } from './portal/unsubscribe.routes.ts'
import { serveSetup } from './users/setup.routes.ts'
import { newSetupToken } from './users/setup.service.ts'

export interface AppParts {
  settings: Settings
  keys: Keys
  database: Pick<Database, 'app' | 'read'>
  log: FastifyBaseLogger
  /** Tests set the clock, and work jobs off by hand. */
  now?: () => Date
  payments?: PaymentProvider
  hasWorkers?: boolean
  stalledAfterMs?: number
}

export interface App {
  fastify: FastifyInstance
  deps: Deps
  /** Starts workers and the listener for changes, then the HTTP server; gives its address. */
  listen(): Promise<string>
  close(): Promise<void>
  /** The one-time link of the first run; null when the product is set up. */
  setupLink(): Promise<string | null>
}

const exportConnections = 4
/** When the product ends, answers that are still being read are waited for this long. */
const patienceAtEndMs = 3000
const migrationCount = readdirSync(join(import.meta.dirname, 'core/db/migrations')).filter((file) =>
  file.endsWith('.sql'),
).length
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
  version: string
}

/** Puts the application together on a database that is migrated. */
export async function buildApp(parts: AppParts): Promise<App> {
  knowRights(catalogue)
  const deps = makeDeps(parts)
  const live = makeLiveHub(parts.database.app, deps, { openDocument, isAmong, unreadOf })
  const server = makeServer(parts)
  setHeaders(server, parts)
  answerErrors(server)
  acceptJson(server)
  logRequests(server)
  serveHealth(server, deps, migrationCount)
  servePageOfLinks(server)
  mount(server, deps, [...nouns, live.noun], shedUnderPressure(server, deps))
  let description: string | null = null
  serveDocs(
    server,
    () =>
      (description ??= JSON.stringify(
        openApi(
          Object.entries(api).map(([noun, ops]) => ({ noun, api: ops })),
          { title: parts.settings.appTitle, version },
          apiRoot,
        ),
      )),
  )
  await serveSetup(server, deps, async (on, owner) =>
    (await import('./sample/sample.ts')).seedSample({ deps: on }, { owner }),
  )
  answerUnknown(server, await serveWeb(server, parts.settings))
  await deps.boss.start()
  await prepareQueues(deps.boss, jobs, batches)
  await Promise.all([server.ready(), warmPasswords()])
  return {
    fastify: server,
    deps,
    listen: () => listen(parts, deps, live, server),
    close: makeClose(deps, live, server),
    setupLink: makeSetupLink(deps),
  }
}

function makeDeps({ settings, keys, database, log, now = () => new Date(), payments }: AppParts): Deps {
  const pool = { poolSize: settings.dbPoolSize, log, isStrict: settings.mode === 'test' }
  const db = connect(database.app, pool)
  const reads = database.read ? connect(database.read, pool) : db
  return {
    settings,
    keys,
    log,
    db,
    reads,
    exports: connect(database.read ?? database.app, { ...pool, poolSize: exportConnections }),
    locks: connect(database.app, { ...pool, poolSize: batches.length }),
    now,
    boss: makeBoss(database.app, { isScheduler: settings.scheduler, log }),
    payments: payments ?? paymentProvider(settings, keys, now),
    mail: makeMail(settings),
    renderer: makeRenderer(join(import.meta.dirname, 'render-worker.ts'), (line) =>
      log.warn({ from: 'document worker' }, line),
    ),
    files: makeFiles(settings),
    tokens: makeTokens(keys),
    rights: makeRights(),
    businesses: makeBusinesses(),
    maintenance: makeMaintenance(),
  }
}

const makeServer = ({ settings, keys, log, stalledAfterMs = 60_000 }: AppParts): FastifyInstance =>
  fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: 1_048_576,
    requestTimeout: 30_000,
    // A reader who takes nothing for this long is gone, and with him what is held for him.
    connectionTimeout: stalledAfterMs,
    keepAliveTimeout: 65_000,
    http: { headersTimeout: 10_000, maxHeaderSize: 16_384 },
    trustProxy: settings.trustedProxies.length > 0 ? settings.trustedProxies : false,
    genReqId: (request) => requestIdOf(request.headers),
    frameworkErrors: (error, request, reply) => {
      reply.headers(commonHeaders(settings)).header('x-request-id', request.id).header('x-api-guid', newApiGuid(keys))
      void sendFailure(request, reply, error)
    },
    forceCloseConnections: 'idle',
    // What comes in on an open connection while the server ends is still answered, and the connection closed with it.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: true },
    exposeHeadRoutes: false,
  })

/** One line per answer. The route's pattern stands in it and never the address, which may hold a link or a key. */
function logRequests(server: FastifyInstance) {
  server.addHook('onResponse', (request, reply, done) => {
    const actor = request.entry?.actor
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? '?',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        actor: actor?.kind === 'user' ? actor.userGuid : (actor?.kind ?? 'none'),
      },
      'answered',
    )
    done()
  })
}

async function listen(
  { settings, hasWorkers = true }: AppParts,
  deps: Deps,
  live: LiveHub,
  server: FastifyInstance,
): Promise<string> {
  live.start()
  if (hasWorkers) await startWorkers(deps, jobs, batches)
  const address = await server.listen({ port: settings.port, host: settings.host })
  return settings.port === 0 ? address : settings.publicUrl
}

function makeClose(deps: Deps, live: LiveHub, server: FastifyInstance) {
  let closing: Promise<void> | null = null
  const close = async () => {
    const cut = setTimeout(() => server.server.closeAllConnections(), patienceAtEndMs)
    await live.close()
    await server.close()
    clearTimeout(cut)
    await deps.boss.stop({ graceful: true, timeout: 5000 })
    deps.renderer.close()
    deps.mail.close()
    await Promise.all([deps.exports.destroy(), deps.locks.destroy()])
    if (deps.reads !== deps.db) await deps.reads.destroy()
    await deps.db.destroy()
  }
  return () => (closing ??= close())
}

function makeSetupLink(deps: Deps) {
  let token: Promise<string | null> | null = null
  return async () => {
    const found = await (token ??= newSetupToken(deps))
    const isOpen =
      found !== null && (await deps.db.selectFrom('users').select('guid').limit(1).executeTakeFirst()) === undefined
    return isOpen ? `${deps.settings.publicUrl}/setup?token=${found}` : null
  }
}
