import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { liveApi, type LiveGreeting } from '../../../contract/live.ts'
import { AppError } from '../../../contract/core/errors.ts'
import { isNoun, rowOf } from '../../../contract/nouns.ts'
import { bind, type Actor, type Ctx, type Db, type RowLimit } from '../ctx.ts'
import type { Deps } from '../deps.ts'
import { actorOfSession, findLiveSession } from './identify.ts'
import { countMiss, refuseGuesser } from './limits.ts'
import { readable } from './permission.ts'

const heartbeatMs = 20_000
/** A listener whose session has ended hears nothing more after this long. */
const trustedMs = 5000
const maxListeners = 2000
const maxPerSession = 12
const maxBuffered = 256 * 1024
const maxUnreadBeats = 3

/** The record behind a service guid, by the noun's name in subjects: what a guest may listen to. */
export type OpenDocument = (db: Db, serviceGuid: string) => Promise<{ noun: string; guid: string } | null>

/** How many notifications somebody has not read. */
type UnreadOf = (db: Db, userGuid: string) => Promise<number>

type Caller = Extract<Actor, { kind: 'user' | 'guest' }>
interface Listener {
  response: ServerResponse
  actor: Caller
  document: { noun: string; guid: string } | null
  checkedAt: number
  unreadBeats: number
}
/** Maintenance begins or ends, or sending goes on: staff are greeted anew. */
const stateNoun = 'Maintenance'

interface Change {
  noun: string
  guid: string
  /** The business of the record, or the pool it is of. */
  businessGuid?: string | null
  /** Of private matters: the one person who hears of them. */
  userGuid?: string
}

/** Whether a record is among the rows that somebody may read; asked where rules let through some records only. */
export type IsAmong = (
  ctx: Pick<Ctx, 'db' | 'actor'>,
  rows: RowLimit[],
  change: { noun: string; guid: string },
) => Promise<boolean>

export interface LiveHub {
  start(): void
  close(): Promise<void>
  noun: ReturnType<typeof bind>
}

interface Hub {
  config: pg.ClientConfig
  deps: Pick<Deps, 'db' | 'log' | 'rights' | 'maintenance'>
  openDocument: OpenDocument
  isAmong: IsAmong
  unreadOf: UnreadOf
  listeners: Set<Listener>
  client: pg.Client | null
  isClosed: boolean
}

/**
 * Changes as triggers announce them, one listening connection per process, handed to the screens that may hear of them.
 */
export function makeLiveHub(
  config: pg.ClientConfig,
  deps: Pick<Deps, 'db' | 'log' | 'rights' | 'maintenance'>,
  { openDocument, isAmong, unreadOf }: Pick<Hub, 'openDocument' | 'isAmong' | 'unreadOf'>,
): LiveHub {
  const hub: Hub = {
    config,
    deps,
    openDocument,
    isAmong,
    unreadOf,
    listeners: new Set(),
    client: null,
    isClosed: false,
  }
  const beat = setInterval(() => {
    for (const listener of hub.listeners) beatFor(hub, listener).catch(() => undefined)
  }, heartbeatMs)
  beat.unref()
  return {
    start: () => void listen(hub),
    close: async () => {
      hub.isClosed = true
      clearInterval(beat)
      for (const listener of [...hub.listeners]) drop(hub, listener)
      await hub.client?.end().catch(() => undefined)
    },
    noun: bind('live', liveApi, { changes: (ctx, { service }) => open(hub, ctx, service) }),
  }
}

async function open(hub: Hub, ctx: Ctx, service: string | undefined) {
  const { actor } = ctx
  if (actor.kind !== 'user' && actor.kind !== 'guest') throw new AppError('NOT_AUTHENTICATED')
  if (hub.listeners.size >= maxListeners || hub.isClosed) throw new AppError('OVERLOADED')
  if ([...hub.listeners].filter((l) => l.actor.sessionGuid === actor.sessionGuid).length >= maxPerSession)
    throw new AppError('RATE_LIMITED')
  if (service) await refuseGuesser(ctx.db, ctx.request.ip)
  const document = service ? await hub.openDocument(ctx.db, service) : null
  if (service && !document) {
    await countMiss(ctx.db, ctx.request.ip)
    throw new AppError('NOT_FOUND')
  }
  const greeting = actor.kind === 'user' ? await greetingFor(hub, ctx.db, actor.userGuid) : {}
  return (response: ServerResponse) => {
    const listener: Listener = { response, actor, document, checkedAt: performance.now(), unreadBeats: 0 }
    hub.listeners.add(listener)
    response.on('close', () => hub.listeners.delete(listener))
    response.on('error', () => hub.listeners.delete(listener))
    response.write(`retry: 3000\n${greetingText(greeting)}`)
  }
}

const greetingFor = async ({ deps, unreadOf }: Hub, db: Db, userGuid: string): Promise<LiveGreeting> => ({
  unread: await unreadOf(db, userGuid),
  maintenance: await deps.maintenance.current(db),
  isHeld: (await deps.maintenance.hold(db)) !== null,
  isDamaged: await deps.maintenance.isDamaged(db),
})
const greetingText = (greeting: Partial<LiveGreeting>) => `event: open\ndata: ${JSON.stringify(greeting)}\n\n`

/** A listener who reads gets what was written; one who does not would never let the connection end. */
function drop(hub: Hub, listener: Listener) {
  hub.listeners.delete(listener)
  if (listener.response.writableLength > 0) listener.response.destroy()
  else listener.response.end()
}

/** Shows that the line still stands. Somebody who has not read since the last time but one is gone. */
async function beatFor(hub: Hub, listener: Listener) {
  listener.unreadBeats = listener.response.writableLength > 0 ? listener.unreadBeats + 1 : 0
  if (listener.unreadBeats >= maxUnreadBeats) drop(hub, listener)
  else if (await isTrusted(hub, listener)) write(hub, listener, ': still here\n\n')
}

function write(hub: Hub, listener: Listener, text: string) {
  // Somebody who does not read is not waited for: he asks again when he comes back.
  if (listener.response.writableLength > maxBuffered) return drop(hub, listener)
  listener.response.write(text)
}

/** Whether a listener's session is still in force, with his rights as they are now; parts with him when it is not. */
async function isTrusted(hub: Hub, listener: Listener): Promise<boolean> {
  if (performance.now() - listener.checkedAt < trustedMs) return true
  listener.checkedAt = performance.now()
  const session = await findLiveSession(hub.deps.db, listener.actor.sessionGuid)
  if (session) listener.actor = await actorOfSession(hub.deps, listener.actor.sessionGuid, session)
  else drop(hub, listener)
  return session !== null
}

async function hear(hub: Hub, listener: Listener, change: Change) {
  if (!(await isTrusted(hub, listener))) return
  if (change.noun === stateNoun) {
    const { actor } = listener
    if (actor.kind === 'user') write(hub, listener, greetingText(await greetingFor(hub, hub.deps.db, actor.userGuid)))
    return
  }
  const shown = await visible(hub, listener, change)
  if (shown) write(hub, listener, `event: change\ndata: ${JSON.stringify(shown)}\n\n`)
}

function spread(hub: Hub, change: Change) {
  if (change.noun === stateNoun) hub.deps.maintenance.forget()
  for (const listener of hub.listeners)
    hear(hub, listener, change).catch((error: unknown) =>
      hub.deps.log.warn({ err: error }, 'a change could not be told'),
    )
}

/**
 * Listens for as long as the process runs; a lost connection is opened again, at first quickly and then with patience.
 */
async function listen(hub: Hub) {
  for (let attempt = 0; !hub.isClosed; attempt++) {
    try {
      await listenOnce(hub, () => {
        attempt = 0
        // What happened while nobody listened is not known: screens ask anew.
        for (const listener of hub.listeners) write(hub, listener, 'event: resync\ndata: {}\n\n')
      })
    } catch (error) {
      if (!hub.isClosed) hub.deps.log.warn({ err: error }, 'the connection that listens for changes was lost')
    }
    if (!hub.isClosed) await sleep(Math.min(200 * 2 ** attempt, 10_000), undefined, { ref: false })
  }
}

/** What a listener may know of a change: a guest of his one document, staff of what their rules let them read. */
async function visible(
  hub: Hub,
  { actor, document }: Listener,
  change: Change,
): Promise<{ noun: string; guid: string | null } | null> {
  if (change.userGuid !== undefined)
    return actor.kind === 'user' && actor.userGuid === change.userGuid ? { noun: change.noun, guid: change.guid } : null
  if (actor.kind === 'guest')
    return document?.noun === change.noun && document.guid === change.guid ? { noun: change.noun, guid: null } : null
  const access = [readable(actor, change.noun, 'All'), readable(actor, change.noun, 'Guid')]
  if (access.includes('all')) return { noun: change.noun, guid: change.guid }
  const rows = access.flatMap((a) => (typeof a === 'string' ? [] : a)).filter((one) => isWithin(one, change))
  return rows.length > 0 && (await hub.isAmong({ db: hub.deps.db, actor }, rows, change))
    ? { noun: change.noun, guid: change.guid }
    : null
}

/** A change tells whose record it is: of another business nobody need ask the database. */
function isWithin({ within }: RowLimit, { noun, businessGuid }: Change): boolean {
  if (!within || !businessGuid || !isNoun(noun)) return true
  return within[rowOf(noun).pool ?? 'guid'].includes(businessGuid)
}

/** Listens until the connection ends, and rejects then. */
async function listenOnce(hub: Hub, onOpen: () => void) {
  const client = new pg.Client({ ...hub.config, application_name: 'brolga-live', keepAlive: true })
  const ended = new Promise<never>((_, reject) => {
    // More than one error may come, and one that nobody hears would end the process.
    client.on('error', reject)
    client.once('end', () => reject(new Error('the connection ended')))
  })
  ended.catch(() => undefined)
  try {
    await client.connect()
    client.on('notification', ({ payload }) => {
      if (payload) spread(hub, JSON.parse(payload) as Change)
    })
    await client.query('listen live')
    hub.client = client
    onOpen()
    await ended
  } finally {
    await client.end().catch(() => undefined)
  }
}
