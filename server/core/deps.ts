import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { PgBoss } from 'pg-boss'
import type { PaymentProvider } from './adapters/payments.ts'
import type { FileStore } from './adapters/files.ts'
import type { MailSender } from './adapters/mail.ts'
import type { PdfRenderer } from './adapters/pdf.ts'
import type { DB } from './db/schema.ts'
import type { Settings } from './env.ts'
import type { Keys } from './keys.ts'
import type { MaintenanceState } from './maintenance.ts'
import type { RightsCache } from './rights.ts'
import type { Tokens } from './tokens.ts'

/** What the application is built from; adapters reach the outside world and are used by jobs and external operations alone. */
export interface Deps {
  settings: Settings
  keys: Keys
  log: FastifyBaseLogger
  db: Kysely<DB>
  /** Where lists and exports are read from: a replica when one is set up, which may be a moment behind; else the same as `db`. */
  reads: Kysely<DB>
  boss: PgBoss
  /** The one clock; intervals are measured with a monotonic one. */
  now: () => Date
  payments: PaymentProvider
  mail: MailSender
  pdf: PdfRenderer
  files: FileStore
  tokens: Tokens
  rights: RightsCache
  maintenance: MaintenanceState
}
