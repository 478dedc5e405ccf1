import { sql } from 'kysely'
import { vi } from 'vitest'
import type { LiveGreeting } from '../../contract/live.ts'
import { poolOf } from '../../server/core/db/connect.ts'
import type { Actor } from './actors.ts'
import type { Caller, Running } from './start.ts'

/** What an open screen has been told, as it came. */
interface Change {
  noun: string
  guid: string | null
}

export interface Screen {
  status: number
  headers: Headers
  heard: Change[]
  /** What it was told when it opened, and anew since. */
  greetings: Partial<LiveGreeting>[]
  stop: () => void
}

const mark = 'Mark'

/** An open screen of somebody; with a service link, of a customer at his document. */
export async function openScreen(address: string, who: Caller): Promise<Screen> {
  const abort = new AbortController()
  const heard: Change[] = []
  const greetings: Partial<LiveGreeting>[] = []
  const response = await fetch(`${address}/api/v2/Live`, { headers: who.headers, signal: abort.signal })
  void (async () => {
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true })
      const lines = text.split('\n')
      text = lines.pop() ?? ''
      for (const line of lines) {
        if (!line.startsWith('data: ')) continue
        const data = JSON.parse(line.slice('data: '.length)) as Change | Partial<LiveGreeting>
        if ('noun' in data) heard.push(data)
        else greetings.push(data)
      }
    }
  })().catch(() => undefined)
  return { status: response.status, headers: response.headers, heard, greetings, stop: () => abort.abort() }
}

/**
 * Waits until somebody's screen hears a mark that is meant for him alone. The same way was gone by all that happened
 * before, but for changes whose rows are still being looked up: those are waited for, and a second mark follows them.
 */
export async function caughtUp(app: Running, screen: Screen, { userGuid }: Actor): Promise<void> {
  await untilMarked(app, screen, userGuid)
  const pool = poolOf.get(app.deps.db)
  await vi.waitUntil(() => pool?.idleCount === pool?.totalCount, { interval: 5, timeout: 60_000 })
  await untilMarked(app, screen, userGuid)
}

async function untilMarked(app: Running, screen: Screen, userGuid: string) {
  const guid = crypto.randomUUID()
  const change = JSON.stringify({ noun: mark, guid, userGuid })
  // Sent until it is heard: the process may not be listening yet.
  await vi.waitUntil(
    async () => {
      await sql`select pg_notify('live', ${change})`.execute(app.deps.db)
      return screen.heard.some((heard) => heard.guid === guid)
    },
    { interval: 20, timeout: 60_000 },
  )
}

/** What it has heard of records, without the marks. */
export const changesOf = (screen: Screen) => screen.heard.filter(({ noun }) => noun !== mark)

/** The guids that a caller's open screen hears of while `work` runs. */
export async function heardDuring(
  app: Running,
  address: string,
  who: Actor,
  noun: string,
  work: () => Promise<unknown>,
): Promise<string[]> {
  const screen = await openScreen(address, who)
  await caughtUp(app, screen, who)
  await work()
  await caughtUp(app, screen, who)
  screen.stop()
  return changesOf(screen).flatMap((change) => (change.noun === noun ? [change.guid ?? 'some'] : []))
}
