import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, type Target } from './load.ts'
import { dataDir, password } from './reference.ts'

const port = Number(process.env['BENCH_PORT'] ?? 4950)
const url = `http://127.0.0.1:${port}`
export const apiRoot = '/api/v2'

export interface Product {
  child: ChildProcess
  url: string
  /** Milliseconds from spawning to the first ready answer. */
  startMs: number
  stop(): Promise<void>
}

/**
 * The product as an operator runs it, with its log in a file; jobs by the clock rest, so that
 * they fall on nobody's figures.
 */
export async function startProduct(): Promise<Product> {
  const log = openSync(join(dataDir, 'bench.log'), 'w')
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['scripts/run.mjs', 'start'], {
    stdio: ['ignore', log, log],
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      MODE: 'production',
      PORT: String(port),
      HOST: '127.0.0.1',
      SCHEDULER: 'off',
      PAYMENT_PROVIDER: 'none',
    },
  })
  closeSync(log)
  const target = { url }
  for (;;) {
    const answer = await ask(target, '/health/ready').catch(() => null)
    if (answer?.status === 200) break
    if (child.exitCode !== null) throw new Error(`the product did not start; ${join(dataDir, 'bench.log')} says why`)
    await sleep(10)
  }
  const stop = async () => {
    if (child.exitCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  return { child, url, startMs: performance.now() - startedAt, stop }
}

interface Headers {
  serviceData: { headers: Record<string, string> }
}
const headersOf = (body: string) => (JSON.parse(body) as Headers).serviceData.headers

/** Credentials of the sample's administrator. */
export async function logIn(): Promise<Target> {
  const answer = await ask({ url }, `${apiRoot}/Kernal/Users/Auth/Login`, 'POST', {
    authID: 'admin@demo.example',
    authPassword: password,
  })
  if (answer.status !== 201) throw new Error(`no login: ${answer.body}`)
  return { url, headers: headersOf(answer.body) }
}

/** Credentials of a visitor without an account. */
export async function visit(): Promise<Target> {
  const first = await ask({ url }, `${apiRoot}/Kernal/Auth/Roles/Permissions`)
  const apiGuid = String(first.headers['x-api-guid'])
  const answer = await ask({ url, headers: { 'x-api-guid': apiGuid } }, `${apiRoot}/Kernal/Guests/Auth`, 'POST')
  if (answer.status !== 201) throw new Error(`no guest: ${answer.body}`)
  return { url, headers: headersOf(answer.body) }
}

export async function startThin(host: string, thinPort: number): Promise<{ target: Target; stop(): void }> {
  const child = spawn(process.execPath, ['bench/thin.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      THIN_HOST: host,
      THIN_PORT: String(thinPort),
      THIN_USER: 'postgres',
      THIN_DATABASE: 'brolga',
    },
  })
  for await (const line of createInterface({ input: child.stdout }))
    if (line.startsWith('thin ')) return { target: { url: line.slice(5) }, stop: () => void child.kill('SIGTERM') }
  throw new Error('the thin reference did not start')
}

const statusOf = (pid: string, name: string) => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
/** Fields of /proc/<pid>/stat behind the name, which may hold spaces. */
const statOf = (pid: string) =>
  statusOf(pid, 'stat')
    .replace(/^.*\) /s, '')
    .split(' ')
const parentOf = (pid: string) => Number(statOf(pid)[1] ?? 0)

/** A process and all that it has started. */
export function familyOf(roots: readonly number[]): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const parents = new Map(pids.map((pid) => [pid, parentOf(pid)]))
  const belongs = (pid: string, depth = 0): boolean =>
    roots.includes(Number(pid)) ||
    (depth < 8 && (parents.get(pid) ?? 0) > 1 && belongs(String(parents.get(pid)), depth + 1))
  return pids.filter((pid) => belongs(pid))
}

/** Memory in MB with shared pages counted once. */
export const pssOf = (pids: readonly string[]) =>
  pids.reduce((sum, pid) => sum + Number(/^Pss:\s+(\d+)/m.exec(statusOf(pid, 'smaps_rollup'))?.[1] ?? 0), 0) / 1024

/** Processor time a process has used, in milliseconds; the kernel counts in hundredths of a second. */
export const cpuMsOf = (pids: readonly string[]) =>
  pids.reduce((sum, pid) => sum + (Number(statOf(pid)[11] ?? 0) + Number(statOf(pid)[12] ?? 0)) * 10, 0)

export const commandOf = (pid: string) => statusOf(pid, 'cmdline').replaceAll('\0', ' ')
