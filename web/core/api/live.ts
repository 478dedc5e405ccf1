import { useEffect } from 'react'
import type { LiveEvent, LiveGreeting } from '../../../contract/live.ts'
import { maintenanceApi } from '../../../contract/maintenance.ts'
import { isNoun, readBy, rowOf } from '../../../contract/nouns.ts'
import { createStore } from '../store.ts'
import { authFlags } from './auth-state.ts'
import { dropReads, queryClient, readKey } from './hooks.ts'
import { renewIfNeeded } from './session.ts'
import { exchange, queryOf } from './transport.ts'

/**
 * What the stream said last of all of it together, as it does when it opens. `isHeard` once it did, or once it
 * could not be opened: until then nobody asks for what it will say. `hasNews` once there are notifications that the
 * number in it does not count.
 */
const unheard = { isHeard: false, hasNews: false, unread: 0, isHeld: false, isDamaged: false }
export const greeting = createStore(unheard)

function greet(said: Partial<LiveGreeting>) {
  if (said.maintenance) queryClient.setQueryData(readKey(maintenanceApi.get, {}), { maintenance: said.maintenance })
  // Of a hold there is more to know.
  if (said.isHeld === false) queryClient.setQueryData(readKey(maintenanceApi.hold, {}), { hold: null })
  else void queryClient.invalidateQueries({ queryKey: readKey(maintenanceApi.hold, {}) })
  const { unread, isHeld = false, isDamaged = false } = said
  greeting.set({ isHeard: true, hasNews: unread === undefined, unread: unread ?? 0, isHeld, isDamaged })
}

const longestWaitMs = 30_000
const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** Changes come in bursts, and a screen that reads once at their end has seen them all. */
const gatherMs = 150

const changed = new Set<string>()
let gathering: ReturnType<typeof setTimeout> | null = null

function readAgain() {
  gathering = null
  const nouns = [...changed]
  changed.clear()
  const related = new Set(
    nouns.flatMap((noun) => (isNoun(noun) ? (rowOf(noun).shownOn ?? []) : [])).map((noun) => noun.toLowerCase()),
  )
  // What hangs on a record is told as a change of it.
  const files = nouns.some((noun) => isNoun(noun) && rowOf(noun).attachments !== undefined) ? ['Files'] : []
  // What guests see is made of the same records.
  void dropReads(queryClient, [...nouns.map(readBy), ...files, 'Service', 'Search', 'Dashboards'])
  // Of other nouns the single records alone: their lists show nothing of it.
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [noun, path] }) => related.has(String(noun)) && String(path).includes('/:guid'),
  })
}

function note({ noun }: LiveEvent) {
  if (noun === 'Notifications') greeting.set({ ...greeting.get(), hasNews: true })
  changed.add(noun)
  gathering ??= setTimeout(readAgain, gatherMs)
}

const fieldOf = (block: string, name: string) =>
  block
    .split('\n')
    .filter((line) => line.startsWith(`${name}:`))
    .map((line) => line.slice(name.length + 1).trim())
    .join('\n')

function heard(block: string) {
  // The server itself did not hear for a while: whatever is on screen may be old.
  if (fieldOf(block, 'event') === 'resync') return void queryClient.invalidateQueries()
  try {
    const data = JSON.parse(fieldOf(block, 'data') || '{}') as Partial<LiveEvent> & Partial<LiveGreeting>
    if (fieldOf(block, 'event') === 'open') greet(data)
    else if (typeof data.noun === 'string') note(data as LiveEvent)
  } catch {
    // Not one of ours.
  }
}

/**
 * Reads one stream of server-sent events to its end. `EventSource` cannot send our headers,
 * so the stream is read by hand.
 */
async function follow(signal: AbortSignal, service: string | undefined, onOpen: () => void) {
  await renewIfNeeded()
  await exchange(
    `GET /Live${queryOf({ service })}`,
    undefined,
    { signal, timeoutMs: null, accept: 'text/event-stream' },
    async (response) => {
      if (!response.ok || !response.body) throw new Error('no live stream')
      onOpen()
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      let rest = ''
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return
        const blocks = (rest + value.replaceAll('\r\n', '\n')).split('\n\n')
        rest = blocks.pop() ?? ''
        for (const block of blocks) heard(block)
      }
    },
  )
}

async function stayTuned(signal: AbortSignal, service: string | undefined) {
  let failures = 0
  let isFirst = true
  while (!signal.aborted) {
    try {
      await follow(signal, service, () => {
        failures = 0
        // What happened while nobody listened is not told again.
        if (!isFirst) void queryClient.invalidateQueries()
        isFirst = false
      })
    } catch {
      failures += 1
      if (!greeting.get().isHeard) greet({})
    }
    if (!authFlags().isAuthenticated) return
    const wait = Math.min(longestWaitMs, 1000 * 2 ** failures)
    await pause(wait * (0.7 + Math.random() * 0.6), signal)
  }
}

// Begun with the first reads, so that no change falls between them and the moment the page is drawn.
let begun: AbortController | null = null

/** Opens the stream of staff before there is a page that listens. */
export function beginLive() {
  if (document.hidden) return
  begun = new AbortController()
  void stayTuned(begun.signal, undefined)
}

/**
 * Keeps what is on screen fresh while the page is visible: records that changed are read again. A guest names the
 * document he has open by its service guid; staff pages listen by themselves.
 */
export function useLive(isOn = true, service?: string) {
  useEffect(() => {
    if (!isOn) return
    let current: AbortController | null = null
    let wasPaused = false
    const start = () => {
      if (current || document.hidden) return
      if (wasPaused) void queryClient.invalidateQueries()
      if (begun && service === undefined) {
        current = begun
        begun = null
        return
      }
      current = new AbortController()
      void stayTuned(current.signal, service)
    }
    const stop = () => {
      current?.abort()
      wasPaused = current !== null || wasPaused
      current = null
    }
    const onVisible = () => (document.hidden ? stop() : start())
    start()
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      stop()
      greeting.set(unheard)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [isOn, service])
}
