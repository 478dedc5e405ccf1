import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'

/** What a handler whose operation `produces` a file returns. */
interface FileAnswer {
  bytes: Uint8Array | string
  fileName: string
  /** Of an operation that produces any `file`: its media type, and the hash that names its bytes. */
  mime?: string
  etag?: string
}
/** What a handler of an event stream returns: it is given the open response and keeps it. */
type StreamAnswer = (response: ServerResponse) => void

/** Header text of a file name: an ASCII form for old readers, the true one beside it. */
export const disposition = (fileName: string) => {
  // oxlint-disable-next-line no-control-regex -- control characters must not reach a header
  const clean = fileName.replace(/[\u0000-\u001f\u007f"\\/]/g, '_').slice(0, 150) || 'file'
  const ascii = clean.replace(/[^\x20-\x7e]/g, '_')
  const encoded = encodeURIComponent(clean).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

/** Whether the caller has these very bytes: a list of tags, weak ones included, or any. */
const isKnown = (asked: string | undefined, tag: string) =>
  asked !== undefined && asked.split(',').some((one) => [tag, '*'].includes(one.trim().replace(/^W\//, '')))

/** Always a download, never a page of ours. */
export function sendFile(reply: FastifyReply, produced: string, answer: unknown) {
  const { bytes, fileName, mime, etag } = answer as FileAnswer
  if (etag !== undefined) {
    // Asked again each time, because rights may be taken away; the bytes travel once.
    reply.header('etag', `"${etag}"`).header('cache-control', 'private, no-cache')
    if (isKnown(reply.request.headers['if-none-match'], `"${etag}"`)) return reply.code(304).send()
  }
  reply
    .header('content-type', mime ?? produced)
    .header('content-disposition', disposition(fileName))
    .header('content-security-policy', "default-src 'none'; sandbox")
  return reply.send(typeof bytes === 'string' ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}

export function sendStream(reply: FastifyReply, answer: unknown) {
  reply.hijack()
  const headers = reply.getHeaders()
  reply.raw.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no',
  } as Record<string, string>)
  ;(answer as StreamAnswer)(reply.raw)
  return reply
}

/** A browser that somebody else sent here goes on to a page of ours. */
export const sendRedirect = (reply: FastifyReply, answer: unknown) =>
  reply
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .redirect((answer as { location: string }).location, 303)
