import { type ChildProcess, execFile, spawn } from 'node:child_process'
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { ensureDataDir } from '../data-dir.ts'
import { SettingsError } from '../env.ts'
import { type HeldLock, tryLock, waitForLock } from '../lock.ts'
import type { Say } from '../console.ts'
import { findBinaries, findHome, type Home, ownFolder, socketFolder, unfinished } from './embedded-files.ts'
import { answers, isAlive, type Postmaster, readPostmaster } from './embedded-process.ts'

export interface Embedded {
  /** The folder of the socket; there is no TCP. */
  host: string
  port: number
  user: 'postgres'
  pid: number
  /** Whether it ran already: another process of ours uses it, or the one that did was killed. */
  adopted: boolean
  /** Lets go of it; the last one to do so stops the server. */
  stop: () => Promise<void>
  /** The same without waiting, for an end that must not. */
  abandon: () => void
}
interface Options {
  dataDir: string
  log: Say
  /** False for tests alone: faster, survives a killed server but not a stopped machine. */
  durable?: boolean
}

const major = '18'
const port = 5432
const environment = { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' }
const runtime = [
  'listen_addresses=',
  'unix_socket_permissions=0700',
  'max_connections=100',
  'shared_buffers=64MB',
  'io_method=sync',
  'jit=off',
  'random_page_cost=1.1',
  'max_wal_size=512MB',
  'log_checkpoints=off',
  'log_timezone=UTC',
  'timezone=UTC',
]
/**
 * A test asks each statement a few times on a connection of its own. Planned anew for the values of the first five, as
 * is usual, planning was more than half of all that the database did.
 */
const forTests = [
  'fsync=off',
  'full_page_writes=off',
  'max_connections=300',
  'autovacuum=off',
  'plan_cache_mode=force_generic_plan',
]

/** How often a server that was killed is looked for, and how long after one that did not start again. */
const lookEveryMs = 500
const longestPauseMs = 5000

const exec = promisify(execFile)

/**
 * What starts that were killed left of their attempts. Each has a folder of its own: the program that fills one may
 * outlive the start it belonged to, and clears it away when it fails.
 */
const clearUnfinished = (home: Home) => {
  const folder = dirname(home.cluster)
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(unfinished)) continue
    try {
      rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 3 })
    } catch {
      // Still being written to; the next start that makes a database looks again.
    }
  }
}

/** Made aside and renamed, so that a start killed in the middle leaves nothing that looks finished. */
const makeCluster = async (home: Home, initdb: string, durable: boolean) => {
  clearUnfinished(home)
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  const access = ['-U', 'postgres', '--auth-local=trust', '--auth-host=reject', '--no-instructions']
  try {
    await exec(initdb, ['-D', home.nextCluster, ...access, ...locale, ...(durable ? [] : ['--no-sync'])], {
      ...home.who,
      cwd: dirname(home.cluster),
      env: environment,
    })
  } catch (error) {
    throw new SettingsError(
      `The embedded database could not be made: ${reasonOf(String((error as { stderr?: string }).stderr ?? error))}`,
      { cause: error },
    )
  }
  renameSync(home.nextCluster, home.cluster)
}

/** The line that says why, out of all PostgreSQL wrote. */
const reasonOf = (output: string) => {
  const rows = output.trim().split('\n')
  const told =
    rows.findLast((row) => /FATAL:|PANIC:/.test(row)) ?? rows.findLast((row) => /error/i.test(row)) ?? rows.at(-1) ?? ''
  if (told.includes('look up effective user'))
    return 'the user this runs as has no name on this machine; give it one, or set DATABASE_URL.'
  return told.replace(/^.*?(FATAL|PANIC|error):\s*/, '').trim()
}

const checkVersion = (cluster: string) => {
  const version = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  if (version !== major)
    throw new SettingsError(
      `The database in ${cluster} was made by PostgreSQL ${version}, and this is ${major}; ` +
        'restore a backup into an empty DATA_DIR.',
    )
}

/** A dead server's files would keep a new one from starting for as long as its process number is in use. */
const clearLeftovers = (home: Home, left: Postmaster) => {
  const socket = left.socket && join(left.socket, `.s.PGSQL.${left.port}`)
  for (const path of [join(home.cluster, 'postmaster.pid'), socket, socket && `${socket}.lock`])
    if (path) rmSync(path, { force: true })
  if (left.socket && left.socket !== home.socket) rmSync(left.socket, { recursive: true, force: true })
}

/** The server that runs this database already, once it is ready; null when there is none. */
const adoptable = async (home: Home): Promise<Postmaster | null> => {
  const deadline = performance.now() + 120_000
  while (true) {
    const found = readPostmaster(home.cluster)
    if (!found) return null
    if (found.state !== 'running') {
      clearLeftovers(home, found)
      return null
    }
    if (found.isReady && (await answers(found))) return found
    if (performance.now() > deadline)
      throw new SettingsError(
        `The embedded database (process ${found.pid}) does not become ready; ${home.log} says why.`,
      )
    await sleep(20)
  }
}

const launch = (home: Home, postgres: string, durable: boolean, socket: string): ChildProcess => {
  if (existsSync(home.log) && statSync(home.log).size > 10_000_000) renameSync(home.log, `${home.log}.1`)
  const log = openSync(home.log, 'a', 0o600)
  const settings = [...runtime, `unix_socket_directories=${socket}`, ...(durable ? [] : forTests)].flatMap((value) => [
    '-c',
    value,
  ])
  // Detached: a Ctrl-C in the terminal must not reach it before the application has finished its work.
  const child = spawn(postgres, ['-D', home.cluster, '-p', String(port), ...settings], {
    ...home.who,
    cwd: home.cluster,
    env: environment,
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  child.unref()
  return child
}

/** What a killed server leaves behind for a moment: its memory, or its files under a number not yet free. */
const passes = /already exists|still in use|already in use/

const launchAndWait = async (
  home: Home,
  postgres: string,
  durable: boolean,
  socket: () => string,
): Promise<Postmaster> => {
  for (let attempt = 1; ; attempt++) {
    const before = statSync(home.log, { throwIfNoEntry: false })?.size ?? 0
    const child = launch(home, postgres, durable, socket())
    let failure: Error | null = null
    child.once('error', (error) => (failure = error))
    while (child.exitCode === null && child.signalCode === null && !failure) {
      const found = readPostmaster(home.cluster)
      if (found?.pid === child.pid && found?.isReady) return found
      await sleep(5)
    }
    const told = readFileSync(home.log).subarray(before).toString() || String(failure)
    if (attempt > 50 || !passes.test(told))
      throw new SettingsError(`The embedded database did not start: ${reasonOf(told)}`)
    await sleep(100)
    const left = readPostmaster(home.cluster)
    if (left && left.state !== 'running') clearLeftovers(home, left)
  }
}

const isGoneWithin = async (pid: number, milliseconds: number) => {
  const deadline = performance.now() + milliseconds
  while (isAlive(pid)) {
    if (performance.now() > deadline) return false
    await sleep(10)
  }
  return true
}

const signal = (pid: number, name: NodeJS.Signals) => {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (isAlive(pid)) throw error
  }
}

const stopServer = async (home: Home, { pid, socket }: Postmaster) => {
  signal(pid, 'SIGINT')
  if (!(await isGoneWithin(pid, 5000))) {
    signal(pid, 'SIGQUIT')
    await isGoneWithin(pid, 5000)
  }
  if (socket !== home.socket) rmSync(socket, { recursive: true, force: true })
}

const underLock = async <T>(dataDir: string, onWait: () => void, work: () => Promise<T>): Promise<T> => {
  const held = await waitForLock(join(dataDir, 'postgres.lock'), 'exclusive', { seconds: 180, onWait })
  if (!held)
    throw new SettingsError(
      'Another process has been starting or stopping the embedded database for three minutes; end it and start again.',
    )
  try {
    return await work()
  } finally {
    held.release()
  }
}

/** What a process holds of the server; another one of its own takes the place of a server that was killed. */
interface Held {
  dataDir: string
  home: Home
  durable: boolean
  server: Postmaster
  use: HeldLock | null
  isLetGo: boolean
}

/**
 * Starts the embedded PostgreSQL of this data folder, or joins the one that runs. Safe to call
 * from many processes at once.
 */
export const startEmbedded = async ({ dataDir, log, durable = true }: Options): Promise<Embedded> => {
  ensureDataDir(dataDir)
  return underLock(
    dataDir,
    () => log.info('Waiting for another start of the embedded database'),
    async () => {
      const home = findHome(dataDir)
      let running = existsSync(home.cluster) ? await adoptable(home) : null
      const adopted = running !== null
      if (!running) {
        const { postgres, initdb } = findBinaries(home.who)
        if (!existsSync(home.cluster)) await makeCluster(home, initdb, durable)
        checkVersion(home.cluster)
        writeFileSync(
          join(dataDir, 'postgres.txt'),
          `The embedded database of PostgreSQL ${major} is in ${home.cluster}; what it has to say is in ${home.log}\n`,
        )
        running = await launchAndWait(home, postgres, durable, () => socketFolder(home))
      }
      const held: Held = {
        dataDir,
        home,
        durable,
        server: running,
        use: tryLock(join(dataDir, 'postgres.users'), 'shared'),
        isLetGo: false,
      }
      void keepRunning(held, log)
      const { socket, port, pid } = running
      return {
        host: socket,
        port,
        user: 'postgres',
        pid,
        adopted,
        stop: () => stop(held),
        abandon: () => abandon(held),
      }
    },
  )
}

/**
 * Starts the server again when it is gone though nobody stopped it; in the same place,
 * because connections know no other.
 */
const keepRunning = async (held: Held, log: Say) => {
  let failures = 0
  const look = async () => {
    if (readPostmaster(held.home.cluster)?.state === 'running') return
    try {
      await underLock(
        held.dataDir,
        () => undefined,
        () => revive(held, log),
      )
      failures = 0
    } catch (error) {
      if (failures === 0) log.warn(error instanceof Error ? error.message : String(error))
      failures++
    }
  }
  while (!held.isLetGo) {
    await look()
    await sleep(failures > 0 ? longestPauseMs : lookEveryMs, undefined, { ref: false })
  }
}

const revive = async (held: Held, log: Say) => {
  const { home, durable, server } = held
  if (held.isLetGo) return
  const other = await adoptable(home)
  if (!other) log.warn('The embedded database was killed; starting it again')
  held.server =
    other ??
    (await launchAndWait(home, findBinaries(home.who).postgres, durable, () => ownFolder(server.socket, home.who)))
}

const stop = async (held: Held) => {
  held.isLetGo = true
  await underLock(
    held.dataDir,
    () => undefined,
    async () => {
      if (isLast(held)) await stopServer(held.home, current(held))
    },
  )
}

const abandon = (held: Held) => {
  held.isLetGo = true
  if (isLast(held)) signal(current(held).pid, 'SIGINT')
}

/** The server that runs now: one that was killed may have been started again by somebody else a moment ago. */
const current = ({ home, server }: Held): Postmaster => {
  const found = readPostmaster(home.cluster)
  return found?.state === 'running' ? { ...server, pid: found.pid } : server
}

/** Lets go of the database and says whether nobody else uses it. */
const isLast = ({ dataDir, use }: Held) => {
  use?.release()
  const alone = tryLock(join(dataDir, 'postgres.users'), 'exclusive')
  alone?.release()
  return alone !== null
}
