import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { Action } from '../../../contract/core/op.ts'

/** An instant: ISO text on the way out, text or Date on the way in. */
type Instant = ColumnType<string, string | Date, string | Date>
type DefaultInstant = ColumnType<string, string | Date | undefined, string | Date>
type MaybeInstant = ColumnType<string | null, string | Date | null | undefined, string | Date | null>
/** JSON is written as text, so that an array is never taken for a PostgreSQL array. */
type Json<T> = ColumnType<T, string | undefined, string>
type MaybeJson = ColumnType<unknown, string | null | undefined, string | null>

interface RolesTable {
  guid: Generated<string>
  name: string
  description: Generated<string>
  kind: Generated<'staff' | 'guest'>
  requiresTwoStep: Generated<boolean>
  rulesVersion: Generated<number>
  version: Generated<number>
  createdAt: DefaultInstant
  updatedAt: DefaultInstant
  archivedAt: MaybeInstant
}

interface PermissionsTable {
  guid: Generated<string>
  roleGuid: string
  subject: string
  action: Action
  conditions: Json<Record<string, unknown>>
  enabled: Generated<boolean>
  priority: Generated<number>
  inverted: Generated<boolean>
  apiGuidRequired: Generated<boolean>
  authorizationHeaderRequired: Generated<boolean>
  note: Generated<string>
  version: Generated<number>
  createdAt: DefaultInstant
  updatedAt: DefaultInstant
}

type UserStatus = 'invited' | 'active' | 'locked' | 'suspended' | 'archived'

interface UsersTable {
  guid: Generated<string>
  authId: string
  passwordHash: string | null
  firstName: Generated<string>
  lastName: Generated<string>
  name: ColumnType<string, never, never>
  email: Generated<string>
  phone: Generated<string>
  searchText: ColumnType<string, never, never>
  roleGuid: string
  status: Generated<UserStatus>
  preferences: Json<Record<string, unknown>>
  authVersion: Generated<number>
  twoStepSecret: string | null
  twoStepPending: string | null
  twoStepOnAt: MaybeInstant
  twoStepUsed: Generated<number>
  recoveryHashes: Generated<string[]>
  avatarSha256: string | null
  avatarMime: string | null
  quietKinds: Generated<string[]>
  /** The businesses the person works in; none named: all. */
  businessGuids: Generated<string[]>
  /** The business the person used last. */
  lastBusiness: string | null
  lastSeenAt: MaybeInstant
  lastLoginAt: MaybeInstant
  version: Generated<number>
  createdBy: string | null
  updatedBy: string | null
  createdAt: DefaultInstant
  updatedAt: DefaultInstant
  archivedAt: MaybeInstant
}

interface SessionsTable {
  guid: Generated<string>
  kind: 'user' | 'guest'
  apiGuid: string
  userGuid: string | null
  roleGuid: string
  authVersion: Generated<number>
  isRemembered: Generated<boolean>
  renewableUntil: Instant
  revokedAt: MaybeInstant
  userAgent: Generated<string>
  ip: Generated<string>
  createdAt: DefaultInstant
  renewedAt: DefaultInstant
  tryingRole: string | null
}

interface CredentialLinksTable {
  hash: string
  kind: 'reset' | 'invitation'
  userGuid: string
  authVersion: number
  expiresAt: Instant
  usedAt: MaybeInstant
  createdAt: DefaultInstant
}

interface NotificationsTable {
  guid: Generated<string>
  userGuid: string
  event: string
  kind: string
  noun: string
  recordGuid: string
  details: Json<Record<string, string | number | null>>
  createdAt: DefaultInstant
  readAt: MaybeInstant
}

interface ViewsTable {
  guid: Generated<string>
  ownerGuid: string
  subject: string
  name: string
  viewValues: Json<Record<string, string>>
  isShared: Generated<boolean>
  version: Generated<number>
  createdAt: DefaultInstant
  updatedAt: DefaultInstant
}

interface ListDefaultsTable {
  userGuid: string
  subject: string
  columnIds: string[] | null
  sort: string | null
  size: number | null
  updatedAt: DefaultInstant
}

interface AuditLogTable {
  id: GeneratedAlways<number>
  at: DefaultInstant
  actorKind: string
  actorGuid: string | null
  actorName: Generated<string>
  apiGuid: string | null
  ip: Generated<string>
  requestId: Generated<string>
  action: string
  entity: string
  entityGuid: string | null
  before: MaybeJson
  after: MaybeJson
  reason: Generated<string>
}

interface LedgerLogTable {
  id: GeneratedAlways<number>
  subject: string
  record: string
  digest: Buffer | null
  isUpgrade: Generated<boolean>
}
interface AuditSealsTable {
  id: GeneratedAlways<number>
  at: string
  log: 'audit' | 'ledger'
  afterId: number
  toId: number
  lineCount: number
  previousHash: string
  hash: string
  mac: string
}

interface IdempotencyKeysTable {
  actor: string
  route: string
  key: string
  bodySha256: string
  status: number | null
  answer: string | null
  createdAt: DefaultInstant
  claimedAt: DefaultInstant
}

interface RateLimitsTable {
  key: string
  count: number
  resetsAt: Instant
}

interface AppStateTable {
  key: string
  value: JSONColumnType<Record<string, unknown>>
  updatedAt: DefaultInstant
}

/** A view: days and what is not folded into them yet. Triggers write what it reads. */
export interface FiguresView {
  businessGuid: string
  measure:
    | 'quotes'
    | 'accepted'
    | 'declined'
    | 'orders'
    | 'to_invoice'
    | 'invoices'
    | 'issued'
    | 'received'
    | 'refunded'
    | 'messages'
    | 'account'
  stream: string
  /** `infinity` where no day decides. */
  day: string
  cents: number
  gstCents: number
  count: number
}

export interface GroundTables {
  roles: RolesTable
  permissions: PermissionsTable
  users: UsersTable
  sessions: SessionsTable
  credentialLinks: CredentialLinksTable
  notifications: NotificationsTable
  views: ViewsTable
  listDefaults: ListDefaultsTable
  auditLog: AuditLogTable
  auditSeals: AuditSealsTable
  ledgerLog: LedgerLogTable
  figures: FiguresView
  idempotencyKeys: IdempotencyKeysTable
  rateLimits: RateLimitsTable
  appState: AppStateTable
}
