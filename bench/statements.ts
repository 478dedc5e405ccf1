import { readFileSync, statSync } from 'node:fs'
import type pg from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { findHome } from '../server/core/db/embedded-files.ts'
import { ask, type Contender } from './load.ts'
import { dataDir } from './reference.ts'

/** What the database itself noted while writes were made; all of it per write. */
export interface Asked {
  /** Of the transaction that made the write, with its begin and commit. */
  inTransaction: number
  /** With what came before it and the jobs that it set going. */
  inAll: number
  /** Waits for a lock of more than a millisecond, and what they took. */
  waits: number
  waitMs: number
}

// Measured apart from the times, because a database that notes every statement is slower.
const noting = {
  log_statement: 'all',
  log_lock_waits: 'on',
  deadlock_timeout: '1ms',
  log_line_prefix: '%p|%a|%u|',
  log_parameter_max_length: '0',
}
const queueName = 'brolga-queue'
const ownUser = 'brolga_app'
const writes = 200
/** What marks the transaction of a write: each claims the key of its request first. */
const claim = /insert into "idempotency_keys"/

const apply = async (db: pg.Client, statements: readonly string[]) => {
  for (const statement of statements) await db.query(statement)
  await db.query('select pg_reload_conf()')
  // Every connection reads its settings before its next statement, and hears of them by a signal.
  await sleep(300)
}

async function write({ target, call }: Contender, clients: number) {
  let n = 0
  const loop = async () => {
    while (n < writes) {
      const { method, path, body, headers } = call(n++)
      await ask(target, path, method, body, headers)
    }
  }
  await Promise.all(Array.from({ length: clients }, loop))
}

const untilQueueIsEmpty = async (db: pg.Client) => {
  for (let left = 1, tries = 0; left > 0 && tries < 300; tries++) {
    await sleep(100)
    const { rows } = await db.query<{ n: string }>(
      `select count(*) as n from pgboss.job where state in ('created', 'active')`,
    )
    left = Number(rows[0]?.n ?? 0)
  }
}

/** Makes writes while the database notes every statement and every wait for a lock. */
export async function countStatements(db: pg.Client, ours: Contender, clients: number): Promise<Asked> {
  const { log } = findHome(dataDir)
  await apply(
    db,
    Object.entries(noting).map(([name, value]) => `alter system set ${name} = '${value}'`),
  )
  try {
    const from = statSync(log).size
    await write(ours, clients)
    await untilQueueIsEmpty(db)
    return read(readFileSync(log).subarray(from).toString())
  } finally {
    await apply(
      db,
      Object.keys(noting).map((name) => `alter system reset ${name}`),
    )
  }
}

function read(text: string): Asked {
  const open = new Map<string, { statements: number; isWrite: boolean }>()
  const sum = { inTransaction: 0, inAll: 0, waits: 0, waitMs: 0 }
  for (const line of text.split('\n')) {
    const [pid = '', application, user, told = ''] = line.split('|', 4)
    if (user !== ownUser || application === queueName) continue
    const waited = /acquired .* after ([\d.]+) ms/.exec(told)
    if (waited) {
      sum.waits++
      sum.waitMs += Number(waited[1])
    }
    const statement = /^LOG: {2}(?:statement|execute [^:]*): (.*)/.exec(told)?.[1]
    if (statement === undefined) continue
    sum.inAll++
    if (/^begin/i.test(statement)) open.set(pid, { statements: 0, isWrite: false })
    const transaction = open.get(pid)
    if (!transaction) continue
    transaction.statements++
    transaction.isWrite ||= claim.test(statement)
    if (!/^(commit|rollback)/i.test(statement)) continue
    open.delete(pid)
    if (transaction.isWrite) sum.inTransaction += transaction.statements
  }
  return {
    inTransaction: sum.inTransaction / writes,
    inAll: sum.inAll / writes,
    waits: sum.waits / writes,
    waitMs: sum.waitMs / writes,
  }
}
