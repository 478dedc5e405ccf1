import { writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { ensureWebBuilt } from '../scripts/web-build.ts'
import { command } from '../scripts/command.ts'
import { SettingsError } from '../server/core/env.ts'
import { type Embedded, startEmbedded } from '../server/core/db/embedded.ts'
import { terminal } from '../server/core/console.ts'
import { makeBareTables } from './bare.ts'
import { measureFlatness } from './flat.ts'
import { measureTyping, measureWeb } from './measure-browser.ts'
import { measureFinding, measureLists } from './measure-lists.ts'
import { measureOperations } from './measure-operations.ts'
import { measurePdf } from './measure-pdf.ts'
import { measureStart } from './measure-start.ts'
import { gather, operations } from './operations.ts'
import { f, said, say, seconds, wants, wantsNamed } from './output.ts'
import { planReport } from './plans.ts'
import { logIn, startProduct, startThin, visit } from './product.ts'
import { connectTo, dataDir, prepareReference } from './reference.ts'

// npm run bench [-- --only=get,list,lists,everything,pdf,web,typing,plans,start] [--seconds=3]
//   [--without-ledger-log] [--write]
// npm run bench -- --only=flat [--sizes=10000,100000,1000000]
// Prints our figures beside those of the thin reference, taken in turns in one run on the same rows. Read the ratios:
// the times themselves depend on the machine.

/** What is asked of the product as it serves. */
const served = ['everything', 'lists', 'pdf', 'web', 'typing']

const startedText = () => {
  const day = new Date().toISOString().slice(0, 10)
  const cores = `${cpus().length} cores (${cpus()[0]?.model ?? ''})`
  return `${day}, ${cores}, ${f(totalmem() / 2 ** 30, 0)} GB, Node ${process.versions.node}`
}

function write() {
  const text =
    `# Figures\n\n${startedText()}; \`npm run bench -- --write\`. Client, servers and database share the machine, ` +
    `so read the ratios.\n${said.join('\n')}\n`
  writeFileSync('bench/RESULTS.md', text)
}

await command(async () => {
  if (!Number.isFinite(seconds) || seconds <= 0) throw new SettingsError('--seconds must be a number above zero.')
  say(`Machine: ${startedText()}.`)
  if (wants('web') || wants('typing')) await ensureWebBuilt()
  if (wantsNamed('flat')) await measureFlatness()
  if ([...operations.map(({ name }) => name), ...served, 'plans', 'start'].some(wants)) await measureReference()
  if (process.argv.includes('--write')) write()
})

async function measureReference() {
  const reference = await prepareReference()
  const server = await startEmbedded({ dataDir, log: terminal })
  try {
    await bringUpToDate(server)
    if (wants('plans')) await planReport(server, say)
    if ([...operations.map(({ name }) => name), ...served].some(wants)) await measureServing(server)
  } finally {
    await server.stop()
  }
  await measureStart(reference)
}

/**
 * The first start of a copy: it is migrated, and what the sample left to be sent is sent, so that
 * afterwards nothing is going on.
 */
async function bringUpToDate(server: Embedded) {
  const product = await startProduct()
  const db = await connectTo(server, 'brolga')
  const waiting = `select (select count(*) from messages where status in ('queued', 'sending'))
    + (select count(*) from pgboss.job where state in ('created', 'active')) as n`
  for (const deadline = performance.now() + 120_000; performance.now() < deadline; await sleep(1000)) {
    const { rows } = await db.query<{ n: string }>(waiting)
    if (Number(rows[0]?.n) === 0) break
  }
  await db.end()
  await product.stop()
}

async function measureServing(server: Embedded) {
  const db = await connectTo(server, 'brolga')
  const material = await gather(db)
  if (operations.some(({ name, isWrite }) => isWrite && wants(name))) await makeBareTables(db)
  if (process.argv.includes('--without-ledger-log')) await restLedgerLog(db)
  await db.query('vacuum analyze')
  const product = await startProduct()
  const thin = await startThin(server.host, server.port)
  try {
    const targets = { ours: await logIn(), guest: await visit(), thin: thin.target }
    await measureOperations(db, material, targets)
    await measureLists(targets)
    await measureFinding(targets.ours)
    await measurePdf(product, material, targets.ours)
    await measureWeb(product, material.links[0] ?? '')
    await measureTyping(product)
  } finally {
    thin.stop()
    await product.stop()
    await db.end()
  }
}

/** What the log of money costs: the copy is measured once with its triggers and once without. */
async function restLedgerLog(db: pg.Client) {
  const { rows } = await db.query<{ trigger: string; table: string }>(
    `select tgname as trigger, tgrelid::regclass::text as table from pg_trigger
      where tgname ~ '_noted_(insert|update|delete)$'`,
  )
  for (const { trigger, table: of } of rows) await db.query(`alter table ${of} disable trigger ${trigger}`)
}
