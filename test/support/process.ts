import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive, readPostmaster } from '../../server/core/db/embedded-process.ts'

const main = join(import.meta.dirname, '../../server/main.ts')
const adminLogin = 'admin@faults.example'
const adminPassword = 'a password of the fault tests'
/** The client of the product gives up after ten seconds; whatever takes longer has hung. */
const clientPatienceMs = 12_000

export type Headers = Record<string, string>
export interface Reply<D = Record<string, unknown>> {
  /** 0 when the connection broke before there was an answer: nothing is known of the effect. */
  status: number
  error: string | undefined
  message: string
  data: D
  headers: globalThis.Headers
  ms: number
}

export interface Product {
  readonly port: number
  readonly sandboxUrl: string
  readonly dataDir: string
  /** Everything it wrote to its terminal since the first start. */
  said(): string
  start(): Promise<void>
  isReady(): Promise<boolean>
  /** kill -9. */
  kill(): Promise<void>
  /** SIGTERM; answers the exit code. */
  stop(): Promise<number | null>
  call<D = Record<string, unknown>>(
    who: Headers | null,
    method: string,
    path: string,
    body?: unknown,
    headers?: Headers,
  ): Promise<Reply<D>>
}

export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

/** A data folder of its own, where the database's own user can reach it too. */
export const productFolder = () => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'brolga-faults-'))
  chmodSync(folder, 0o711)
  return folder
}

async function request<D>(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Headers = {},
): Promise<Reply<D>> {
  const startedAt = performance.now()
  const ms = () => performance.now() - startedAt
  try {
    const response = await fetch(`${url}/api/v2${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(clientPatienceMs),
    })
    const {
      message = '',
      error,
      serviceData,
    } = (await response.json()) as { message?: string; error?: string; serviceData?: D }
    return { status: response.status, error, message, data: serviceData as D, headers: response.headers, ms: ms() }
  } catch (error) {
    return { status: 0, error: undefined, message: String(error), data: null as D, headers: new Headers(), ms: ms() }
  }
}

/** The product as a process of its own, as people start it: on a port, with its database and its payment sandbox. */
export async function makeProduct(dataDir: string, env: Record<string, string> = {}): Promise<Product> {
  const [port, sandboxPort] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | null = null
  let told = ''
  const settings = {
    MODE: 'production',
    PORT: String(port),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    PAYMENT_PROVIDER: 'sandbox',
    PAYMENT_SANDBOX_PORT: String(sandboxPort),
    APP_TITLE: 'Brolga',
    ...env,
  }
  const isReady = async () =>
    (await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(2000) }).catch(() => null))?.ok === true
  const ended = async (running: ChildProcess) => {
    if (running.exitCode === null && running.signalCode === null) await once(running, 'exit')
    return running.exitCode
  }

  const start = async () => {
    const launched = spawn(process.execPath, [main], {
      env: { PATH: process.env['PATH'] ?? '', TMPDIR: tmpdir(), ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = launched
    for (const stream of [launched.stdout, launched.stderr])
      stream.on('data', (data: Buffer) => (told = (told + data.toString()).slice(-1_000_000)))
    for (const deadline = performance.now() + 60_000; !(await isReady()); await sleep(50)) {
      if (launched.exitCode !== null || launched.signalCode !== null || performance.now() > deadline)
        throw new Error(`the product did not start:\n${told}`)
    }
  }
  return {
    port,
    sandboxUrl: env['PAYMENT_SANDBOX_URL'] ?? `http://127.0.0.1:${sandboxPort}`,
    dataDir,
    said: () => told,
    start,
    isReady,
    kill: async () => {
      if (!child) return
      child.kill('SIGKILL')
      await ended(child)
    },
    stop: async () => {
      if (!child) return null
      child.kill('SIGTERM')
      return ended(child)
    },
    call: (who, method, path, body, headers) => request(url, method, path, body, { ...who, ...headers }),
  }
}

/** One that is set up, in a folder of its own, with its administrator logged in. */
export async function startProduct(): Promise<{ dataDir: string; product: Product; staff: Headers }> {
  const dataDir = productFolder()
  const product = await makeProduct(dataDir)
  await product.start()
  return { dataDir, product, staff: await setUpProduct(product) }
}

/** The process of the embedded database. */
export const postmasterOf = (dataDir: string) => {
  const found = readPostmaster(join(dataDir, 'postgres', 'cluster'))
  return found?.state === 'running' ? found : null
}

const childrenOf = (pid: number): number[] => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** kill -9 of the database with everything that belongs to it, at one moment. */
export function killDatabase(dataDir: string) {
  const server = postmasterOf(dataDir)
  if (!server) return
  for (const pid of [server.pid, ...childrenOf(server.pid)]) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // One of its workers ended by itself meanwhile.
    }
  }
}

/** Ends whatever is left and takes the folder away. */
export async function clearAway(products: Product[], dataDir: string) {
  for (const product of products) await product.kill()
  const server = postmasterOf(dataDir)
  if (server) process.kill(server.pid, 'SIGQUIT')
  for (let i = 0; server && isAlive(server.pid) && i < 6000; i++) await sleep(10)
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
}

/** The first run: the business, the sample roles and the administrator, by the link the terminal shows. */
export async function setUpProduct(product: Product): Promise<Headers> {
  const find = () => /http\S+\/setup\?token=(\S+)/.exec(product.said())
  for (let i = 0; i < 1200 && !find(); i++) await sleep(50)
  const link = find()
  if (!link) throw new Error(`no link to set up with:\n${product.said()}`)
  const form = {
    token: link[1] ?? '',
    legalName: 'Brolga Fencing Pty Ltd',
    abn: '53 004 085 616',
    isGstRegistered: 'yes',
    email: 'office@faults.example',
    firstName: 'Ada',
    lastName: 'Fault',
    authID: adminLogin,
    password: adminPassword,
  }
  const response = await fetch(`http://127.0.0.1:${product.port}/setup`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  if (!response.ok) throw new Error(`set up failed: ${response.status} ${await response.text()}`)
  return logIn(product)
}

export async function logIn(product: Product): Promise<Headers> {
  const { status, data, message } = await product.call<{ headers: Headers }>(null, 'POST', '/Kernal/Users/Auth/Login', {
    authID: adminLogin,
    authPassword: adminPassword,
  })
  if (status !== 201) throw new Error(`nobody could log in: ${message}`)
  return data.headers
}

export async function asGuest(product: Product): Promise<Headers> {
  const first = await product.call(null, 'GET', '/Kernal/Auth/Roles/Permissions')
  const { data } = await product.call<{ headers: Headers }>(null, 'POST', '/Kernal/Guests/Auth', undefined, {
    'x-api-guid': first.headers.get('x-api-guid') ?? '',
  })
  return data.headers
}

/** The document that a customer's page shows, as his deed names it; null when there is no answer. */
export async function shownDocument(
  product: Product,
  who: Headers,
  page: 'Quotes' | 'Invoices',
  link: string,
): Promise<string | null> {
  const { data } = await product.call<Record<string, { documentSha256: string | null }> | null>(
    who,
    'GET',
    `/Service/${page}/${link}`,
  )
  return data?.[page === 'Quotes' ? 'quote' : 'invoice']?.documentSha256 ?? null
}

/** A test card as a token, as the payer's browser gets one. */
export async function cardToken(product: Product, number = '4242424242424242'): Promise<string> {
  const response = await fetch(`${product.sandboxUrl}/v1/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ number, expMonth: 12, expYear: 2031, cvc: '123' }),
  })
  return ((await response.json()) as { token: string }).token
}
