import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { liveApi } from '../../../contract/live.ts'
import { AppError } from '../../../contract/core/errors.ts'
import { bind, type Actor, type Ctx, type Db } from '../ctx.ts'
import type { Deps } from '../deps.ts'
import { accessFor } from '../rights.ts'
import { findLiveSession } from './identify.ts'
import { factsOf } from './permission.ts'

const heartbeatMs = 20_000
/** A listener whose session has ended hears nothing more after this long. */
const trustedMs = 5000
const mostListeners = 2000
const mostPerSession = 12
const mostBuffered = 256 * 1024

/** The record behind a service guid, by the noun's name in subjects: what a guest may listen to. */
export type OpenDocument = (db: Db, serviceGuid: string) => Promise<{ noun: string; guid: string } | null>

type Caller = Extract<Actor, { kind: 'user' | 'guest' }>
interface Listener {
  response: ServerResponse
  actor: Caller
  document: { noun: string; guid: string } | null
  checkedAt: number
}
interface Change {
  noun: string
  guid: string
}

export interface LiveHub {
  start(): void
  close(): Promise<void>
  noun: ReturnType<typeof bind>
}

/** Changes as triggers announce them, one listening connection per process, handed to the screens that may hear of them. */
export function makeLiveHub(config: pg.ClientConfig, deps: Pick<Deps, 'db' | 'log'>, openDocument: OpenDocument): LiveHub {
  const listeners = new Set<Listener>()
  let isClosed = false
  let client: pg.Client | null = null

  const drop = (listener: Listener) => {
    listeners.delete(listener)
    listener.response.end()
  }
  const write = (listener: Listener, text: string) => {
    // Somebody who does not read is not waited for: he asks again when he comes back.
    if (listener.response.writableLength > mostBuffered) return drop(listener)
    listener.response.write(text)
  }
  const isInForce = async (listener: Listener) => {
    if (performance.now() - listener.checkedAt < trustedMs) return true
    const session = await findLiveSession(deps, listener.actor.sessionGuid)
    listener.checkedAt = performance.now()
    return session !== null
  }
  const tell = async (listener: Listener, text: string) => {
    const isStillIn = await isInForce(listener).catch(() => true)
    if (isStillIn) write(listener, text)
    else drop(listener)
  }
  const spread = (change: Change) => {
    for (const listener of listeners) {
      const shown = visible(listener, change)
      if (shown) void tell(listener, `event: change\ndata: ${JSON.stringify(shown)}\n\n`)
    }
  }
  const listen = async () => {
    for (let attempt = 0; !isClosed; attempt++) {
      try {
        await listenOnce(config, {
          onOpen: (opened) => {
            client = opened
            attempt = 0
            // What happened while nobody listened is not known: screens ask anew.
            for (const listener of listeners) write(listener, 'event: resync\ndata: {}\n\n')
          },
          onChange: spread,
        })
      } catch (error) {
        if (!isClosed) deps.log.warn({ err: error }, 'the connection that listens for changes was lost')
      }
      if (!isClosed) await sleep(Math.min(200 * 2 ** attempt, 10_000), undefined, { ref: false })
    }
  }
  const beat = setInterval(() => {
    for (const listener of listeners) void tell(listener, ': still here\n\n')
  }, heartbeatMs)
  beat.unref()

  const open = async (ctx: Ctx, service: string | undefined) => {
    const { actor } = ctx
    if (actor.kind !== 'user' && actor.kind !== 'guest') throw new AppError('NOT_AUTHENTICATED')
    if (listeners.size >= mostListeners || isClosed) throw new AppError('OVERLOADED')
    if ([...listeners].filter((l) => l.actor.sessionGuid === actor.sessionGuid).length >= mostPerSession) throw new AppError('RATE_LIMITED')
    const document = service ? await openDocument(ctx.db, service) : null
    if (service && !document) throw new AppError('NOT_FOUND')
    return (response: ServerResponse) => {
      const listener: Listener = { response, actor, document, checkedAt: performance.now() }
      listeners.add(listener)
      response.on('close', () => listeners.delete(listener))
      response.on('error', () => listeners.delete(listener))
      response.write('retry: 3000\nevent: open\ndata: {}\n\n')
    }
  }
  return {
    start: () => void listen(),
    close: async () => {
      isClosed = true
      clearInterval(beat)
      for (const listener of [...listeners]) drop(listener)
      await client?.end().catch(() => undefined)
    },
    noun: bind('live', liveApi, { changes: (ctx, { service }) => open(ctx, service) }),
  }
}

/** What a listener may know of a change: a guest of his one document, staff of what their rules let them read. */
function visible({ actor, document }: Listener, change: Change): { noun: string; guid: string | null } | null {
  if (actor.kind === 'guest') return document?.noun === change.noun && document.guid === change.guid ? { noun: change.noun, guid: null } : null
  const facts = factsOf(actor, true)
  const access = ['All', 'Guid'].map((part) => accessFor(actor.ability, 'read', `${change.noun}:Preview:${part}`, facts))
  if (access.includes('all')) return { noun: change.noun, guid: change.guid }
  return access.every((a) => a === 'none') ? null : { noun: change.noun, guid: null }
}

/** Listens until the connection ends, and rejects then. */
async function listenOnce(config: pg.ClientConfig, on: { onOpen: (client: pg.Client) => void; onChange: (change: Change) => void }) {
  const client = new pg.Client({ ...config, application_name: 'brolga-live', keepAlive: true })
  const ended = new Promise<never>((_, reject) => {
    client.once('error', reject)
    client.once('end', () => reject(new Error('the connection ended')))
  })
  ended.catch(() => undefined)
  try {
    await client.connect()
    client.on('notification', ({ payload }) => {
      if (payload) on.onChange(JSON.parse(payload) as Change)
    })
    await client.query('listen live')
    on.onOpen(client)
    await ended
  } finally {
    await client.end().catch(() => undefined)
  }
}
