import { CamelCasePlugin, Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg, { type PoolClient, type PoolConfig } from 'pg'
import type { FastifyBaseLogger } from 'fastify'
import type { DB } from './schema.ts'
import { secondConnection } from './transact.ts'

const oid = { int8: 20, int8s: 1016, dates: 1182, date: 1082, timestamp: 1184, timestamps: 1185, texts: 1009 } as const
/** Beyond this many different texts a pool stops naming statements, so that neither side keeps too many plans. */
const maxNamedStatements = 500
const slowQueryMs = 200
/** Stands in statements that are not given a name, because their best plan depends on what they ask for. */
export const planByValues = '/* planned by its values */'

const toNumber = (text: string) => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond the safe integers`)
  return value
}
/** `2026-07-01 10:00:00.123456+00` to ISO; microseconds stay, because cursors compare them. Sessions run in UTC. */
const toIso = (text: string) => `${text.slice(0, 10)}T${text.slice(11, -3)}Z`
const asText = (text: string) => text
// The library's list of known types lacks the arrays it can read.
const texts = pg.types.getTypeParser(oid.texts as never) as (text: string) => (string | null)[]
const each = (parse: (text: string) => unknown) => (text: string) =>
  texts(text).map((item) => (item === null ? null : parse(item)))

const parsers = new Map<number, (text: string) => unknown>([
  [oid.int8, toNumber],
  [oid.int8s, each(toNumber)],
  [oid.date, asText],
  [oid.dates, each(asText)],
  [oid.timestamp, toIso],
  [oid.timestamps, each(toIso)],
])
const types = {
  getTypeParser: (type: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : parsers.get(type)) ?? pg.types.getTypeParser(type, format ?? 'text'),
} as pg.CustomTypesConfig

export interface ConnectOptions {
  poolSize: number
  log?: FastifyBaseLogger
  /** How long a request may wait for a free connection before it is told that the service is busy. */
  acquireTimeoutMs?: number
  /** Refuses a transaction that asks for a second connection, instead of noting it in the log: for tests. */
  isStrict?: boolean
}

/** The pool behind a Kysely made here: how full it is decides whether new requests are shed. */
export const poolOf = new WeakMap<Kysely<DB>, pg.Pool>()

/** Opens the bounded pool the application works with. Every statement is bounded in time, by the database itself. */
export function connect(config: PoolConfig, options: ConnectOptions): Kysely<DB> {
  const pool = new pg.Pool({
    ...config,
    types,
    max: options.poolSize,
    connectionTimeoutMillis: options.acquireTimeoutMs ?? 3000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    options: [
      ...(config.options ? [config.options] : []),
      '-c timezone=UTC',
      '-c statement_timeout=8s',
      '-c lock_timeout=3s',
      '-c idle_in_transaction_session_timeout=5s',
    ].join(' '),
  })
  pool.on('error', (error) => options.log?.warn({ err: error }, 'an idle database connection was lost'))
  // Between two statements of a transaction nobody listens, and an error that nobody hears ends the process;
  // the next statement tells of it.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: namedStatements(pool, options) }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
  poolOf.set(db, pool)
  return db
}

/**
 * Gives every query text a statement name, so that PostgreSQL plans it once per connection. Planning costs more than
 * running most of our queries.
 */
function namedStatements(pool: pg.Pool, { log, isStrict = false }: ConnectOptions): PostgresPool {
  const names = new Map<string, string>()
  const nameOf = (sql: string) => {
    const known = names.get(sql)
    if (known || names.size >= maxNamedStatements) return known
    const name = `q${names.size}`
    names.set(sql, name)
    return name
  }
  const run = async (client: PoolClient, sql: string, parameters: readonly unknown[]) => {
    const startedAt = performance.now()
    const name = parameters.length > 0 && !sql.includes(planByValues) ? nameOf(sql) : undefined
    try {
      return await client.query(
        name ? { name, text: sql, values: parameters as unknown[] } : { text: sql, values: parameters as unknown[] },
      )
    } finally {
      const ms = performance.now() - startedAt
      if (ms > slowQueryMs) log?.warn({ sql: sql.slice(0, 1000), ms: Math.round(ms) }, 'slow query')
    }
  }
  const wrapped = new WeakMap<PoolClient, PostgresPoolClient>()
  const wrap = (client: PoolClient): PostgresPoolClient => {
    const known = wrapped.get(client)
    if (known) return known
    const made = {
      query: (sql: string, parameters: readonly unknown[] = []) => run(client, sql, parameters),
      release: (destroy?: boolean) => client.release(destroy),
    } as unknown as PostgresPoolClient
    wrapped.set(client, made)
    return made
  }
  const connectOnce = async () => {
    const wrong = secondConnection()
    if (wrong && isStrict) throw wrong
    if (wrong) log?.error({ err: wrong }, 'a transaction asked for a second connection')
    return wrap(await pool.connect())
  }
  return { options: pool.options, connect: connectOnce, end: () => pool.end() } as unknown as PostgresPool
}
