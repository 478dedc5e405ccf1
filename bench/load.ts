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
type Call = (n: number) => {
  method?: string
  path: string
  body?: unknown
  headers?: Record<string, string>
  check?: (answer: Answer) => boolean
}

export interface Figure {
  perSecond: number
  /** Milliseconds. */
  median: number
  p99: number
  count: number
  errors: number
  /** The first wrong answer, as far as it is worth reading. */
  example: string
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })

export function ask(
  target: Target,
  path: string,
  method = 'GET',
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const payload = body === undefined ? undefined : JSON.stringify(body)
  const url = new URL(target.url + path)
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        agent,
        host: url.hostname,
        port: url.port,
        path: url.pathname + url.search,
        method,
        headers: {
          ...target.headers,
          ...headers,
          ...(payload === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(payload)) }),
        },
      },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            body: Buffer.concat(parts).toString('utf8'),
            headers: response.headers,
          }),
        )
        response.on('error', reject)
      },
    )
    request.on('error', reject)
    request.end(payload)
  })
}

interface Slice {
  times: number[]
  errors: number
  example: string
  seconds: number
}

/** One call in a closed loop with `clients` at once. */
async function slice(
  target: Target,
  call: Call,
  clients: number,
  seconds: number,
  counter: { n: number },
): Promise<Slice> {
  const times: number[] = []
  let errors = 0
  let example = ''
  const begin = performance.now()
  const until = begin + seconds * 1000
  const loop = async () => {
    while (performance.now() < until) {
      const { method, path, body, headers, check } = call(counter.n++)
      const start = performance.now()
      const answer = await ask(target, path, method, body, headers).catch(() => null)
      times.push(performance.now() - start)
      if (answer && answer.status < 400 && (!check || check(answer))) continue
      if (errors++ === 0) example = answer ? `${answer.status} ${answer.body.slice(0, 200)}` : 'no answer'
    }
  }
  await Promise.all(Array.from({ length: clients }, loop))
  return { times, errors, example, seconds: (performance.now() - begin) / 1000 }
}

function figureOf(slices: readonly Slice[]): Figure {
  const times = slices.flatMap((s) => s.times).sort((a, b) => a - b)
  const at = (part: number) => times[Math.floor(times.length * part)] ?? Number.NaN
  return {
    perSecond: times.length / slices.reduce((sum, s) => sum + s.seconds, 0),
    median: at(0.5),
    p99: at(0.99),
    count: times.length,
    errors: slices.reduce((sum, s) => sum + s.errors, 0),
    example: slices.find((s) => s.example)?.example ?? '',
  }
}

export interface Contender {
  target: Target
  call: Call
}

const warmUpSeconds = 0.7
const rounds = 3

/** Measures several contenders in turns, so that whatever else the machine does falls on all of them alike. */
export async function measure(
  contenders: readonly Contender[],
  clients: number,
  seconds: number,
  warmUp = warmUpSeconds,
): Promise<Figure[]> {
  const counters = contenders.map(() => ({ n: 0 }))
  const slices: Slice[][] = contenders.map(() => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [i, { target, call }] of contenders.entries()) {
      const made = await slice(target, call, clients, round === 0 ? warmUp : seconds / rounds, counters[i] ?? { n: 0 })
      if (round > 0) slices[i]?.push(made)
    }
  }
  return slices.map(figureOf)
}
