import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { PgBoss } from 'pg-boss'
import type { PaymentProvider } from './adapters/payments.ts'
import type { FileStore } from './adapters/files.ts'
import type { MailSender } from './adapters/mail.ts'
import type { Renderer } from './adapters/renderer.ts'
import type { BusinessCache } from './business.ts'
import type { DB } from './db/schema.ts'
import type { Settings } from './env.ts'
import type { Keys } from './keys.ts'
import type { MaintenanceState } from './maintenance.ts'
import type { RightsCache } from './rights.ts'
import type { Tokens } from './tokens.ts'

/**
 * What needs no connection to the database, or is given one. Adapters reach the outside world and are
 * never used within a transaction.
 */
export interface Tools {
  settings: Settings
  keys: Keys
  /** The one clock; intervals are measured with a monotonic one. */
  now: () => Date
  payments: PaymentProvider
  mail: MailSender
  renderer: Renderer
  files: FileStore
  tokens: Tokens
  rights: RightsCache
  businesses: BusinessCache
  maintenance: MaintenanceState
}

/** What the application is built from. */
export interface Deps extends Tools {
  log: FastifyBaseLogger
  db: Kysely<DB>
  /** Where lists are read from: a replica when one is set up, which may be a moment behind; else the same as `db`. */
  reads: Kysely<DB>
  /** A few connections of their own for exports, which readers keep for as long as they take. */
  exports: Kysely<DB>
  /** Holds the locks of batches while they run: on connections nobody waits for. */
  locks: Kysely<DB>
  boss: PgBoss
}
