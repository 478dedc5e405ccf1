import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { runsAsRoot } from '../data-dir.ts'
import { quiet } from '../console.ts'
import { startEmbedded } from './embedded.ts'
import { isAlive, readPostmaster } from './embedded-process.ts'

const childScript = join(import.meta.dirname, '../../../test/support/embedded-child.ts')
const folders: string[] = []
const children: ChildProcess[] = []

const dataFolder = (name = 'data') => {
  const base = mkdtempSync(join(tmpdir(), 'brolga-embedded-'))
  // Started by root, the server runs as another user, who has to get through.
  chmodSync(base, 0o711)
  folders.push(base)
  return join(base, name)
}
const open = (dataDir: string) => startEmbedded({ dataDir, log: quiet, durable: false })
const ask = async (server: { host: string; port: number }, text: string) => {
  const db = new pg.Client({ host: server.host, port: server.port, user: 'postgres', database: 'postgres' })
  await db.connect()
  try {
    return (await db.query(text)).rows as Record<string, unknown>[]
  } finally {
    await db.end()
  }
}
const inChild = async (dataDir: string) => {
  const child = spawn(process.execPath, [childScript, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, ...(JSON.parse(line.toString()) as { pid: number; adopted: boolean; host: string }) }
}
const clusterOf = (dataDir: string) => join(dataDir, 'postgres', 'cluster')
async function gone(pid: number) {
  await expect.poll(() => isAlive(pid), { interval: 10 }).toBe(false)
}

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const folder of folders.splice(0)) {
    const pid = readPostmaster(clusterOf(join(folder, 'data')))
    if (pid?.state === 'running') process.kill(pid.pid, 'SIGQUIT')
    if (pid) await gone(pid.pid)
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a new data folder gets a database in UTF-8 that only its own user can reach, by no network', async () => {
  const dataDir = dataFolder()
  const server = await open(dataDir)
  const [row] = await ask(
    server,
    `select current_setting('listen_addresses') as network, current_setting('server_encoding') as encoding,
      (select datlocprovider::text || datlocale from pg_database where datname = 'postgres') as locale,
      upper('ä') as upper`,
  )
  expect(row).toEqual({ network: '', encoding: 'UTF8', locale: 'bC.UTF-8', upper: 'Ä' })
  expect(statSync(server.host).mode & 0o777).toBe(0o700)
  await server.stop()
  expect(isAlive(server.pid)).toBe(false)
})

test('what was committed is there after a stop and a new start', async () => {
  const dataDir = dataFolder()
  const first = await open(dataDir)
  await ask(first, 'create table kept as select 42 as answer')
  await first.stop()
  const second = await open(dataDir)
  expect(await ask(second, 'select answer from kept')).toEqual([{ answer: 42 }])
  await second.stop()
})

test('two first starts at once share one server, and it stops with the last of them', async () => {
  const dataDir = dataFolder()
  const [one, two] = await Promise.all([inChild(dataDir), inChild(dataDir)])
  expect(one.pid).toBe(two.pid)
  expect([one.adopted, two.adopted].toSorted()).toEqual([false, true])
  one.child.kill('SIGTERM')
  await once(one.child, 'exit')
  expect(isAlive(one.pid)).toBe(true)
  two.child.kill('SIGTERM')
  await once(two.child, 'exit')
  await gone(one.pid)
})

test('a server whose application was killed is adopted by the next start', async () => {
  const dataDir = dataFolder()
  const killed = await inChild(dataDir)
  await ask({ host: killed.host, port: 5432 }, 'create table kept as select 1 as one')
  killed.child.kill('SIGKILL')
  await once(killed.child, 'exit')
  const next = await open(dataDir)
  expect(next).toMatchObject({ pid: killed.pid, adopted: true })
  await next.stop()
  expect(isAlive(killed.pid)).toBe(false)
})

test('a killed server and its application leave nothing that keeps the next start waiting', async () => {
  const dataDir = dataFolder()
  const killed = await inChild(dataDir)
  await ask({ host: killed.host, port: 5432 }, 'create table kept as select 7 as seven')
  process.kill(killed.pid, 'SIGKILL')
  killed.child.kill('SIGKILL')
  const next = await open(dataDir)
  expect(next.adopted).toBe(false)
  expect(await ask(next, 'select seven from kept')).toEqual([{ seven: 7 }])
  await next.stop()
})

test('a server that is killed while two applications use it is started again once, in the same place', async () => {
  const dataDir = dataFolder()
  const [server, other] = [await open(dataDir), await open(dataDir)]
  await ask(server, 'create table kept as select 9 as nine')
  process.kill(server.pid, 'SIGKILL')
  await gone(server.pid)
  await expect.poll(() => ask(other, 'select nine from kept').catch(() => null)).toEqual([{ nine: 9 }])
  const next = readPostmaster(clusterOf(dataDir))
  await server.stop()
  expect(isAlive(next?.pid ?? 0)).toBe(true)
  await other.stop()
  expect(isAlive(next?.pid ?? 0)).toBe(false)
})

test('a lock file whose process number now belongs to another program does not stop the start', async () => {
  const dataDir = dataFolder()
  const first = await open(dataDir)
  const left = readFileSync(join(clusterOf(dataDir), 'postmaster.pid'), 'utf8')
  await first.stop()
  // The server checks processes of its own user alone, so the one that got the number must belong to it.
  const owner = statSync(clusterOf(dataDir))
  const other = spawn('sleep', ['60'], runsAsRoot() ? { uid: owner.uid, gid: owner.gid } : {})
  children.push(other)
  writeFileSync(join(clusterOf(dataDir), 'postmaster.pid'), left.replace(/^\d+/, String(other.pid)))
  const next = await open(dataDir)
  expect(next.adopted).toBe(false)
  expect(other.exitCode).toBeNull()
  await next.stop()
})

test('locks of processes that are gone hold nobody up', async () => {
  const dataDir = dataFolder()
  const starting = spawn(process.execPath, [childScript, dataDir], { stdio: 'ignore' })
  children.push(starting)
  while (!existsSync(join(dataDir, 'postgres.lock'))) await sleep(5)
  starting.kill('SIGKILL')
  await once(starting, 'exit')
  const server = await open(dataDir)
  expect(await ask(server, 'select 1 as one')).toEqual([{ one: 1 }])
  await server.stop()
})

test('a data folder too deep for a socket gets one in the temp folder, and it is gone after the stop', async () => {
  const dataDir = dataFolder(join(...Array.from({ length: 6 }, () => 'a-folder-with-a-rather-long-name'), 'data'))
  const server = await open(dataDir)
  expect(Buffer.byteLength(server.host)).toBeLessThan(80)
  expect(await ask(server, 'select 1 as one')).toEqual([{ one: 1 }])
  const again = await open(dataDir)
  expect(again).toMatchObject({ adopted: true, host: server.host })
  await again.stop()
  await server.stop()
  expect(existsSync(server.host)).toBe(false)
})

test('a database of another PostgreSQL version is refused with a sentence that says so', async () => {
  const dataDir = dataFolder()
  await (await open(dataDir)).stop()
  writeFileSync(join(clusterOf(dataDir), 'PG_VERSION'), '16\n')
  await expect(open(dataDir)).rejects.toThrow(/made by PostgreSQL 16, and this is 18; restore a backup/)
})

test.runIf(runsAsRoot())(
  'started by root in a folder nobody else may enter, the database lives where its own user can reach it',
  async () => {
    const dataDir = dataFolder()
    const closed = join(dataDir, '..', 'closed')
    mkdirSync(closed, { mode: 0o700 })
    const server = await open(join(closed, 'data'))
    const link = join(closed, 'data', 'postgres')
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(await ask(server, 'select 1 as one')).toEqual([{ one: 1 }])
    await server.stop()
    rmSync(join(server.host, '..'), { recursive: true })
  },
)
