import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the store does to one request instead of answering it: `corrupt` changes a byte of what is read. */
type Fault = 'error' | 'busy' | 'reset' | 'stall' | 'cut' | 'corrupt'

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Uint8Array, data: string) => createHmac('sha256', key).update(data).digest()

const access = { accessKey: 'brolga-test', secretKey: 'a secret of the test', region: 'test-1' }

/** Why the request is not signed by the holder of the secret (AWS Signature Version 4); null where it is. */
function refusalOf(req: IncomingMessage, body: Uint8Array): string | null {
  const [algorithm, ...rest] = (req.headers.authorization ?? '').split(' ')
  const named = new Map(
    rest
      .join('')
      .split(',')
      .map((one) => one.split(/=(.*)/s) as [string, string]),
  )
  const [credential = '', signed = ''] = [named.get('Credential'), named.get('SignedHeaders')]
  if (algorithm !== 'AWS4-HMAC-SHA256') return 'AuthorizationHeaderMalformed'
  const [key, day = '', region = '', service = '', end = ''] = credential.split('/')
  const at = String(req.headers['x-amz-date'])
  const told = String(req.headers['x-amz-content-sha256'])
  if (key !== access.accessKey || region !== access.region || service !== 's3') return 'InvalidAccessKeyId'
  if (!signed.split(';').includes('host') || !at.startsWith(day)) return 'AuthorizationHeaderMalformed'
  const url = new URL(req.url ?? '/', 'http://store')
  const query = [...url.searchParams].map((pair) => pair.map(encodeURIComponent).join('=')).sort()
  const canonical = [
    req.method,
    url.pathname,
    query.join('&'),
    ...signed.split(';').map((name) => `${name}:${String(req.headers[name]).trim()}`),
    '',
    signed,
    told,
  ].join('\n')
  const scope = [day, region, service, end].join('/')
  const signing = [day, region, service, end].reduce<string | Buffer>(hmac, `AWS4${access.secretKey}`)
  const text = ['AWS4-HMAC-SHA256', at, scope, sha256(canonical)].join('\n')
  if (hmac(signing, text).toString('hex') !== named.get('Signature')) return 'SignatureDoesNotMatch'
  return told === 'UNSIGNED-PAYLOAD' || told === sha256(body) ? null : 'XAmzContentSHA256Mismatch'
}

function refuse(res: ServerResponse, status: number, code: string) {
  const text = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`
  res.writeHead(status, { 'content-type': 'application/xml' }).end(text)
}

const bodyOf = async (req: IncomingMessage) => {
  const parts: Buffer[] = []
  for await (const part of req) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** True where the fault was the answer. */
function failed(res: ServerResponse, fault: Fault | undefined): boolean {
  if (fault === 'error') refuse(res, 500, 'InternalError')
  if (fault === 'busy') refuse(res, 503, 'SlowDown')
  if (fault === 'reset') res.destroy()
  return fault !== undefined && ['error', 'busy', 'reset', 'stall'].includes(fault)
}

function sendObject(res: ServerResponse, bytes: Buffer, fault: Fault | undefined) {
  const sent = Buffer.from(bytes)
  if (fault === 'corrupt') sent[0] = (sent[0] ?? 0) ^ 1
  res.writeHead(200, { 'content-length': sent.byteLength, etag: `"${sha256(bytes)}"` })
  if (fault !== 'cut') return res.end(sent)
  return res.write(sent.subarray(0, sent.byteLength / 2), () => res.destroy())
}

/** A bucket on loopback that believes nothing without a signature, and fails as it is told. */
export async function startS3() {
  const objects = new Map<string, Buffer>()
  const faults: Fault[] = []
  const seen: string[] = []

  const answer = async (req: IncomingMessage, res: ServerResponse) => {
    const body = await bodyOf(req)
    const fault = faults.shift()
    seen.push(req.method ?? '')
    if (failed(res, fault)) return undefined
    const refusal = refusalOf(req, body)
    if (refusal) return refuse(res, refusal === 'XAmzContentSHA256Mismatch' ? 400 : 403, refusal)
    const name = new URL(req.url ?? '/', 'http://store').pathname.replace(/^\/files\//, '')
    if (req.method === 'PUT') {
      objects.set(name, body)
      return res.writeHead(200, { etag: `"${sha256(body)}"` }).end()
    }
    if (req.method === 'DELETE') {
      objects.delete(name)
      return res.writeHead(204).end()
    }
    const found = objects.get(name)
    return found ? sendObject(res, found, fault) : refuse(res, 404, 'NoSuchKey')
  }

  const server = createServer((req, res) => void answer(req, res).catch(() => res.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    access: { ...access, bucketUrl: `http://127.0.0.1:${port}/files`, prefix: 'kept/' },
    url: `s3://files/kept?endpoint=http://127.0.0.1:${port}&region=${access.region}`,
    objects,
    /** What happens to the next requests, one after another. */
    fail: (...next: Fault[]) => void faults.push(...next),
    /** The methods that were asked since this was read last. */
    asked: () => seen.splice(0),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
