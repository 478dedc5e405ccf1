import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { Settings } from '../env.ts'
import { checkOutbound, type Lookup, OutboundError } from '../outbound.ts'

export interface Call {
  method: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string
  timeoutMs: number
  /** What of the answer is read; the rest is not. */
  maxBytes: number
}
interface CallAnswer {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: string
}

/**
 * Calls an address that somebody typed in: checked, connected to as it was checked, under its own name, and without
 * following where an answer points to. Without encryption only where the installation opened the range.
 */
export async function guardedFetch(
  settings: Pick<Settings, 'outboundAllow'>,
  address: string,
  { method, headers = {}, body, timeoutMs, maxBytes }: Call,
  lookup?: Lookup,
): Promise<CallAnswer> {
  const url = URL.parse(address)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password) throw new OutboundError()
  const isSecure = url.protocol === 'https:'
  const host = url.hostname.replaceAll(/^\[|\]$/g, '')
  const late = AbortSignal.timeout(timeoutMs)
  const checked = await orLate(
    late,
    checkOutbound(settings, { host, port: Number(url.port) || (isSecure ? 443 : 80) }, !isSecure, lookup),
  )
  return new Promise((resolve, reject) => {
    const call = (isSecure ? secureRequest : plainRequest)(url, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }) },
      agent: false,
      signal: late,
      lookup: (_host, options, done) =>
        options.all
          ? done(null, [{ address: checked.address, family: checked.family }])
          : done(null, checked.address, checked.family),
    })
    call.on('error', reject)
    // What ends without an answer and without an error, such as an upgrade that nobody asked for.
    call.once('close', () => reject(closed()))
    call.once('response', (answer) => {
      const parts: Buffer[] = []
      let bytes = 0
      const end = () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: Buffer.concat(parts).toString('utf8'),
        })
      answer.on('data', (part: Buffer) => {
        const left = maxBytes - bytes
        parts.push(part.subarray(0, Math.max(0, left)))
        bytes += part.length
        if (bytes < maxBytes) return
        end()
        call.destroy()
      })
      answer.once('end', end)
      answer.on('error', reject)
    })
    call.end(body)
  })
}

const closed = () => Object.assign(new Error('the connection closed too early'), { code: 'ECONNRESET' })

/** A name server may be slow, too: what it says too late is not waited for. */
const orLate = <T>(late: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    late.addEventListener('abort', () => reject(late.reason as Error), { once: true })
    work.then(resolve, reject)
  })
