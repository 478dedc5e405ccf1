import { useEffect } from 'react'
import type { LiveEvent } from '../../../contract/live.ts'
import { authFlags } from './auth-state.ts'
import { dropReads, queryClient } from './hooks.ts'
import { renewIfNeeded } from './session.ts'
import { exchange, queryOf } from './transport.ts'


const longestWaitMs = 30_000
const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

function heard(block: string, listen: (event: LiveEvent) => void) {
  const data = block
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trim())
    .join('\n')
  if (!data) return
  try {
    const event = JSON.parse(data) as LiveEvent
    if (typeof event.noun === 'string') listen(event)
  } catch {
    // Not one of ours.
  }
}

/** Reads one stream of server-sent events to its end. `EventSource` cannot send our headers, so the stream is read by hand. */
async function follow(signal: AbortSignal, service: string | undefined, onOpen: () => void, listen: (event: LiveEvent) => void) {
  await renewIfNeeded()
  await exchange(`GET /Live${queryOf({ service })}`, undefined, { signal, timeoutMs: null, accept: 'text/event-stream' }, async (response) => {
    if (!response.ok || !response.body) throw new Error('no live stream')
    onOpen()
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = (rest + value.replaceAll('\r\n', '\n')).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) heard(block, listen)
    }
  })
}

async function stayTuned(signal: AbortSignal, service: string | undefined) {
  let failures = 0
  let isFirst = true
  while (!signal.aborted) {
    try {
      await follow(
        signal,
        service,
        () => {
          failures = 0
          // What happened while nobody listened is not told again.
          if (!isFirst) void queryClient.invalidateQueries()
          isFirst = false
        },
        // What guests see is made of the same records.
        (event) => void dropReads(queryClient, [event.noun, 'service', 'search', 'dashboards']),
      )
    } catch {
      failures += 1
    }
    if (!authFlags().isAuthenticated) return
    const wait = Math.min(longestWaitMs, 1000 * 2 ** failures)
    await pause(wait * (0.7 + Math.random() * 0.6), signal)
  }
}

/**
 * Keeps what is on screen fresh while the page is visible: records that changed are read again. A guest names the document
 * he has open by its service guid; staff pages listen by themselves.
 */
export function useLive(isOn = true, service?: string) {
  useEffect(() => {
    if (!isOn) return
    let current: AbortController | null = null
    let wasPaused = false
    const start = () => {
      if (current || document.hidden) return
      if (wasPaused) void queryClient.invalidateQueries()
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
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [isOn, service])
}
