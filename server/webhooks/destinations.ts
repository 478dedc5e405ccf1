import { setTimeout as sleep } from 'node:timers/promises'
import type { Settings } from '../core/env.ts'
import { checkOutbound, isNeverOutbound, type Lookup, OutboundError, resolving } from '../core/outbound.ts'

const lookupMs = 3000

/**
 * Whether an address can't be used, as far as is known when it is entered. One whose name nobody knows yet, or whose
 * name server is slow, may be entered: each delivery asks again, and goes only where it may.
 */
export async function isClosed(
  settings: Pick<Settings, 'outboundAllow'>,
  address: string,
  lookup: Lookup = resolving,
): Promise<boolean> {
  const url = URL.parse(address)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password) return true
  const isPlain = url.protocol === 'http:'
  const host = url.hostname.replaceAll(/^\[|\]$/g, '')
  const place = { host, port: Number(url.port) || (isPlain ? 80 : 443) }
  if (isNeverOutbound(settings, place) || (isPlain && settings.outboundAllow.length === 0)) return true
  let isKnown = true
  const asking: Lookup = (name) =>
    lookup(name).catch((error: unknown) => {
      isKnown = false
      throw error
    })
  const late = new AbortController()
  const asked = checkOutbound(settings, place, isPlain, asking).then(
    () => false,
    (error: unknown) => isKnown && error instanceof OutboundError,
  )
  return Promise.race([asked, sleep(lookupMs, false, { signal: late.signal })]).finally(() => late.abort())
}
