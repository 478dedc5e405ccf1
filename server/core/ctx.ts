import type { EventName } from '../../contract/events.ts'
import type { Pool } from '../../contract/noun.ts'
import type { NounName } from '../../contract/nouns.ts'
import type { Kysely, Transaction } from 'kysely'
import type { FastifyBaseLogger } from 'fastify'
import type { Ability, RowAccess, Rule } from '../../contract/core/ability.ts'
import type { Language } from '../../contract/core/languages.ts'
import type { Api, Input, Op, Returned } from '../../contract/core/op.ts'
import type { BusinessRow } from './business.ts'
import type { DB } from './db/schema.ts'
import type { Deps, Tools } from './deps.ts'

/** The pool, or the transaction a write runs in. */
export type Db = Kysely<DB> | Transaction<DB>

/** Who is asking. A guest has a token and no user; the system is a job, a cron call or the sample maker. */
export type Actor =
  | ({ kind: 'none'; apiGuid: string } & Rights)
  | ({ kind: 'guest'; apiGuid: string; sessionGuid: string; roleGuid: string } & Rights)
  | ({
      kind: 'user'
      apiGuid: string
      sessionGuid: string
      userGuid: string
      name: string
      roleGuid: string
      standing?: Standing
      /** Where the person works; null: in every business. */
      worksIn: WorksIn | null
    } & Rights)
  | { kind: 'system'; name: string }

/** The rules of the actor's role, and the same compiled: both shared by everybody of that role. */
export interface Rights {
  rules: readonly Rule[]
  ability: Ability
}

/** The businesses a person works in, and those whose customers and products these work with. */
export type WorksIn = Readonly<Record<'guid' | Pool, readonly string[]>>

/** Records that rules let through; of a person who works in some businesses, as far as they are theirs. */
export interface RowLimit extends RowAccess {
  within?: WorksIn
}

/** What stands between a user and his rights. */
interface Standing {
  /** The role asks for a second factor and there is none yet. */
  isTwoStepMissing: boolean
  /** The rights are those of this role, which the user looks through; `own` are his own. */
  trying: { guid: string; name: string; own: Rights } | null
}

export interface AuditLine {
  action: EventName
  /** The noun of the record; the installation as a whole is none. */
  entity: NounName | 'Maintenance'
  guid: string
  before?: unknown
  after?: unknown
  reason?: string
  /** Who set off what a job does. */
  by?: { guid: string; name: string } | null
  /** The record its event is of, where the line stands on the one it concerns; null: it is no event. */
  of?: { noun: NounName; guid: string } | null
  /** What happens once and no more: a second event under the same key is none. */
  onceKey?: string
}

/** The event that what is done follows from, by actions that wait for events. */
export interface Chain {
  rootGuid: string
  /** How many actions led to it. */
  depth: number
}

/**
 * All a service may know. It has one way to the database and no pool: a transaction that asked for a second connection
 * would wait for one that the others, doing the same, never give back.
 */
export interface Ctx {
  actor: Actor
  /** In a write this is the transaction, so nothing can escape it. */
  db: Db
  /** The instant of the request: every rule about time reads this one. */
  now: Date
  /** The records this operation may touch: all, or those that one of the entries lets through. */
  rows: 'all' | RowLimit[]
  /**
   * The business the request works for: the user's, or that of the record a guest or a job has
   * named. Throws before it is known.
   */
  readonly business: BusinessRow
  /** Names the business of a record for guests and jobs, who come without one. */
  workFor(businessGuid: string): Promise<BusinessRow>
  audit(line: AuditLine): void
  /** Hands work to a queue inside the transaction: nothing is done for what was rolled back. */
  enqueue(
    queue: string,
    data: Record<string, unknown>,
    options?: { singletonKey?: string; startAfter?: Date },
  ): Promise<void>
  log: FastifyBaseLogger
  request: RequestFacts
  deps: Tools
}

/** What `external` operations and jobs know, who hold no transaction: `db` is the pool. */
export interface OpenCtx extends Ctx {
  deps: Deps
  /** A short transaction with its own audit lines. Within it, only what it is given may be used. */
  tx<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>
}

/** The same for another actor, time or rows. A copy by spreading would ask for a business that may not be known yet. */
export const withCtx = <C extends Ctx>(ctx: C, other: Partial<Omit<C, 'business'>>): C =>
  Object.assign(Object.create(ctx) as C, other)

export interface RequestFacts {
  id: string
  ip: string | null
  userAgent: string | null
  /** The language of the window: answers are data, but for sentences that are made of many records. */
  language: Language
  idempotencyKey: string | null
  /** The API guid as the request carried it; the actor has one in any case. */
  apiGuid: string | null
  /** The business it names: only then, not where it is the one that a person used last. */
  businessGuid: string | null
  /** The token as it came, for renewal and logout alone. */
  bearer: string | null
  /** Raised when the caller has gone away before the answer; undefined where nothing waits long enough to ask. */
  gone?: AbortSignal | undefined
  /** What a webhook's signature is made over; null for every other operation. */
  raw: { body: string; headers: Readonly<Record<string, string | string[] | undefined>> } | null
}

/** One plain function per operation. */
export type Handlers<A extends Api> = {
  [K in keyof A as A[K] extends { exports: true } ? never : K]: (
    ctx: CtxOf<A[K]>,
    input: Input<A[K]>,
  ) => Promise<Returned<A[K]>>
}
type CtxOf<O extends Op> = O extends { effect: 'external' } ? OpenCtx : Ctx

/** What mount binds together. */
export interface Mounted {
  noun: string
  api: Api
  handlers: Record<string, (ctx: OpenCtx, input: never) => Promise<unknown>>
}

/** Binds a noun's operations to its handlers; a missing, extra or wrongly typed handler does not compile. */
export function bind<A extends Api>(noun: string, api: A, handlers: Handlers<A>): Mounted {
  return { noun, api, handlers: handlers as Mounted['handlers'] }
}
