import http from 'node:http'

export interface Answer {
  status: number
  body: string
  headers: http.IncomingHttpHeaders
}
export interface Target {
  url: string
  headers?: Record<string, string>
}
export type Call = (n: number) => { method?: string; path: string; body?: unknown; headers?: Record<string, string>; check?: (answer: Answer) => boolean }

export interface Figure {
  perSecond: number
  /** Milliseconds. */
  median: number
  p99: number
  count: number
  errors: number
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })

export function ask(target: Target, path: string, method = 'GET', body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const payload = body === undefined ? undefined : JSON.stringify(body)
  const url = new URL(target.url + path)
  return new Promise((resolve, reject) => {
    const request = http.request(
      { agent, host: url.hostname, port: url.port, path: url.pathname + url.search, method, headers: { ...target.headers, ...headers, ...(payload === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(payload)) }) } },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString('utf8'), headers: response.headers }))
        response.on('error', reject)
      },
    )
    request.on('error', reject)
    request.end(payload)
  })
}

/** Runs one call in a closed loop with `clients` at once for `seconds`, after a short warm-up. */
export async function measure(target: Target, call: Call, clients: number, seconds: number, first = { n: 0 }): Promise<Figure> {
  const times: number[] = []
  let errors = 0
  const loop = async (until: number, keep: boolean) => {
    while (performance.now() < until) {
      const { method, path, body, headers, check } = call(first.n++)
      const start = performance.now()
      const answer = await ask(target, path, method, body, headers).catch(() => null)
      if (!keep) continue
      times.push(performance.now() - start)
      if (!answer || answer.status >= 400 || (check && !check(answer))) errors++
    }
  }
  const warm = performance.now() + 700
  await Promise.all(Array.from({ length: clients }, () => loop(warm, false)))
  const begin = performance.now()
  await Promise.all(Array.from({ length: clients }, () => loop(begin + seconds * 1000, true)))
  const elapsed = (performance.now() - begin) / 1000
  times.sort((a, b) => a - b)
  return { perSecond: times.length / elapsed, median: times[Math.floor(times.length / 2)] ?? Number.NaN, p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN, count: times.length, errors }
}
