import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { ensureWebBuilt } from '../scripts/web-build.ts'
import { command } from '../scripts/command.ts'
import { SettingsError } from '../server/core/env.ts'
import { type Embedded, startEmbedded } from '../server/core/db/embedded.ts'
import { terminal } from '../server/core/console.ts'
import { makeBareTables } from './bare.ts'
import { ask, type Figure, measure, type Target } from './load.ts'
import { gather, listQueries, type Material, type Operation, operations } from './operations.ts'
import { planReport } from './plans.ts'
import {
  apiRoot,
  commandOf,
  cpuMsOf,
  familyOf,
  logIn,
  type Product,
  pssOf,
  startProduct,
  startThin,
  visit,
} from './product.ts'
import { connectTo, dataDir, prepareReference, type Reference } from './reference.ts'
import { type Asked, countStatements } from './statements.ts'
import { typingFigures } from './typing.ts'
import { routeSizes } from './web-size.ts'

// npm run bench [-- --only=get,list,lists,everything,pdf,web,typing,plans,start] [--seconds=3] [--without-ledger-log] [--write]
// Prints our figures beside those of the thin reference, taken in turns in one run on the same rows. Read the ratios: the
// times themselves depend on the machine.

const lines: string[] = []
const say = (text: string) => {
  console.log(text)
  lines.push(text)
}
const argument = (name: string) => process.argv.find((a) => a.startsWith(`--${name}=`))?.slice(name.length + 3)
const only = argument('only')?.split(',') ?? null
const wants = (name: string) => only === null || only.includes(name)
const seconds = Number(argument('seconds') ?? 4)

const f = (value: number, digits = 1) =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
const verdict = (value: number, most: number) => (value <= most ? 'OK' : 'over')
const table = (heads: readonly string[]) => {
  say(`\n| ${heads.join(' | ')} |`)
  say(`|${heads.map((_, i) => (i === 0 ? '---' : '--:')).join('|')}|`)
}
const row = (cells: readonly string[]) => say(`| ${cells.join(' | ')} |`)

interface Targets {
  ours: Target
  guest: Target
  thin: Target
}

const askedHeads = ['statements in the transaction', 'with its jobs', 'lock waits', 'ms waited']

async function measureOperations(db: pg.Client, material: Material, targets: Targets) {
  const chosen = operations.filter(({ name }) => wants(name))
  if (chosen.length === 0) return
  table([
    'operation',
    'clients',
    'ours ms',
    'p99',
    'req/s',
    'thin ms',
    'thin req/s',
    'ratio',
    'at most',
    '',
    'errors',
    ...askedHeads,
  ])
  for (const operation of chosen)
    for (const clients of [1, 16]) await measureOne(db, operation, clients, material, targets)
}

const askedCells = (asked: Asked | null) =>
  asked ? [f(asked.inTransaction), f(asked.inAll), f(asked.waits, 2), f(asked.waitMs, 2)] : ['', '', '', '']

async function measureOne(db: pg.Client, operation: Operation, clients: number, material: Material, targets: Targets) {
  const contenders = operation.contenders(material, targets)
  const [ours, thin] = await measure(contenders, clients, seconds)
  if (!ours || !thin) return
  const asked = operation.isWrite ? await countStatements(db, contenders[0], clients) : null
  const isLatency = clients === 1
  const ratio = isLatency ? ours.median / thin.median : thin.perSecond / ours.perSecond
  const most = isLatency ? operation.medianTimes : operation.throughputPart
  row([
    operation.title,
    String(clients),
    f(ours.median, 2),
    f(ours.p99, 2),
    f(ours.perSecond, 0),
    f(thin.median, 2),
    f(thin.perSecond, 0),
    f(ratio),
    String(most),
    verdict(ratio, most),
    errorsOf(ours, thin),
    ...askedCells(asked),
  ])
  for (const { example } of [ours, thin]) if (example) console.log(`    first wrong answer: ${example}`)
}
const errorsOf = (ours: Figure, thin: Figure) =>
  thin.errors > 0 ? `${ours.errors} (thin ${thin.errors})` : String(ours.errors)

const listMostTimes = 3
const worstShown = 10
/** There are many, each on rows that the one before has read already. */
const listWarmUpSeconds = 0.2

/** The list by every status in every order, near and far: the worst decides. */
async function measureLists({ ours, thin }: Targets) {
  if (!wants('lists')) return
  const measured: { query: string; ours: Figure; thin: Figure }[] = []
  const check = (answer: { body: string }) => answer.body.includes('"total":')
  for (const query of listQueries) {
    const contenders = [
      { target: ours, call: () => ({ path: `${apiRoot}/Invoices?${query}&size=50`, check }) },
      { target: thin, call: () => ({ path: `/list?${query}`, check }) },
    ]
    const [our, bare] = await measure(contenders, 1, 0.3, listWarmUpSeconds)
    if (our && bare) measured.push({ query, ours: our, thin: bare })
  }
  const ratioOf = (one: (typeof measured)[number]) => one.ours.median / one.thin.median
  table([
    'invoices by status, order and page: the slowest beside the bare one',
    'ours ms',
    'thin ms',
    'ratio',
    'at most',
    '',
    'errors',
  ])
  for (const one of measured.toSorted((x, y) => ratioOf(y) - ratioOf(x)).slice(0, worstShown)) {
    const ratio = ratioOf(one)
    row([
      one.query,
      f(one.ours.median, 2),
      f(one.thin.median, 2),
      f(ratio),
      String(listMostTimes),
      verdict(ratio, listMostTimes),
      errorsOf(one.ours, one.thin),
    ])
  }
  const slowest = measured.toSorted((x, y) => y.ours.median - x.ours.median)[0]
  const over = measured.filter((one) => ratioOf(one) > listMostTimes).length
  if (slowest)
    say(
      `\nOf ${measured.length} lists ${over} are over; the slowest is ${slowest.query} with ${f(slowest.ours.median)} ms (thin ${f(slowest.thin.median)}).`,
    )
}

const pdfMostMs = 60
const stallMostMs = 100

/** Documents are drawn elsewhere, so the server must go on answering while 16 clients wait for theirs. */
async function measurePdf(product: Product, material: Material, ours: Target) {
  if (!wants('pdf')) return
  table([
    'PDF',
    'clients',
    'ms',
    'p99',
    'docs/s',
    'worker CPU ms per document',
    'at most',
    '',
    'longest wait of another request, ms',
    'errors',
  ])
  for (const clients of [1, 16]) {
    const workers = () => familyOf([product.child.pid ?? 0]).filter((pid) => commandOf(pid).includes('pdf-worker'))
    let n = clients === 1 ? 0 : 1500
    const next = () => ({
      path: `${apiRoot}/Invoices/Pdf/${material.invoices[n++ % material.invoices.length] ?? ''}`,
      check: (a: { body: string }) => a.body.startsWith('%PDF'),
    })
    await measure([{ target: ours, call: next }], clients, 1)
    const cpuBefore = cpuMsOf(workers())
    const drawnBefore = n
    const waits: number[] = []
    let isOver = false
    const watch = (async () => {
      while (!isOver) {
        const start = performance.now()
        await ask(ours, '/health/live')
        waits.push(performance.now() - start)
        await sleep(5)
      }
    })()
    const [figure] = await measure([{ target: ours, call: next }], clients, seconds)
    isOver = true
    await watch
    const cpu = (cpuMsOf(workers()) - cpuBefore) / (n - drawnBefore)
    if (figure)
      row([
        'an invoice',
        String(clients),
        f(figure.median),
        f(figure.p99),
        f(figure.perSecond),
        f(cpu),
        String(pdfMostMs),
        `${verdict(cpu, pdfMostMs)}, stall ${verdict(Math.max(...waits), stallMostMs)}`,
        f(Math.max(...waits)),
        String(figure.errors),
      ])
  }
}

const findMostMs = 30
/** What people type: common and rare words, numbers, phones, amounts, and what is nowhere. */
const fragments: readonly [what: string, text: string][] = [
  ['a common word', 'hire'],
  ['a part of a name', 'cia buil'],
  ['two letters', 'ma'],
  ['a number of a document', 'INV-150000'],
  ['digits of a number', '150000'],
  ['a phone', '0412 3'],
  ['an e-mail', 'info@'],
  ['an ABN', '53 004'],
  ['an amount', '1250.50'],
  ['nothing there is', 'zzqxv'],
]

async function measureFinding(ours: Target) {
  if (!wants('everything')) return
  table(['search of everything', 'ms', 'p99', 'at most', '', 'errors'])
  for (const [what, text] of fragments) {
    const call = () => ({
      path: `${apiRoot}/Search?q=${encodeURIComponent(text)}`,
      check: (a: { body: string }) => a.body.includes('"groups":['),
    })
    const [figure] = await measure([{ target: ours, call }], 1, Math.min(seconds, 2))
    if (figure)
      row([
        `${what}: ${text}`,
        f(figure.median),
        f(figure.p99),
        String(findMostMs),
        verdict(figure.median, findMostMs),
        String(figure.errors),
      ])
  }
}

/** From nothing running, database included, to the first ready answer; memory after the first requests and one document. */
async function measureStart(reference: Reference) {
  if (!wants('start')) return
  const starts: number[] = []
  for (let i = 0; i < 3; i++) {
    const product = await startProduct()
    starts.push(product.startMs)
    if (i === 2) await measureIdle(product, starts)
    await product.stop()
  }
  say(
    `\nMade once: seed in ${f(reference.seedSeconds, 0)} s, verify-ledger over all of it in ${f(reference.verifySeconds, 0)} s.`,
  )
}

async function measureIdle(product: Product, starts: readonly number[]) {
  const ours = await logIn()
  const invoices = JSON.parse((await ask(ours, `${apiRoot}/Invoices?size=10&status=paid`)).body) as {
    serviceData: { items: { guid: string }[] }
  }
  const guid = invoices.serviceData.items[0]?.guid ?? ''
  await sleep(4000)
  const postmaster = Number(readFileSync(`${dataDir}/postgres/cluster/postmaster.pid`, 'utf8').split('\n')[0])
  const measured = () => {
    // The database is a child of the process that started it.
    const database = familyOf([postmaster])
    const all = familyOf([product.child.pid ?? 0, postmaster])
    const app = String(product.child.pid)
    return {
      app: pssOf([app]),
      workers: pssOf(all.filter((pid) => pid !== app && !database.includes(pid))),
      database: pssOf(database),
      all: pssOf(all),
    }
  }
  const before = measured()
  await ask(ours, `${apiRoot}/Invoices/Pdf/${guid}`)
  await sleep(1000)
  const after = measured()
  const median = starts.toSorted((a, b) => a - b)[1] ?? 0
  table(['start and memory', 'figure', 'at most', ''])
  row(['start to first ready answer, database included, ms (median of 3)', f(median, 0), '2000', verdict(median, 2000)])
  row([
    `idle memory, PSS MB: application ${f(before.app, 0)}, its workers ${f(before.workers, 0)}, database ${f(before.database, 0)}`,
    f(before.all, 0),
    '250',
    verdict(before.all, 250),
  ])
  row(['the same with a document worker that drew one PDF (it ends after a minute)', f(after.all, 0), '', ''])
}

async function measureWeb(product: Product, link: string) {
  if (!wants('web')) return
  const routes = await routeSizes(product.url, link)
  if (!routes) return say('\nNo browser, so no sizes of pages.')
  table(['route (KiB gzipped)', 'JS', 'CSS', 'beyond the list route', 'requests', 'first row ms', 'at most', ''])
  for (const { route, js, css, more, requests, firstRowMs } of routes) {
    const [value, most] = route === '/login' ? [js, 170] : route === '/apps/quotes/list' ? [js + css, 260] : [more, 60]
    const isQuick = firstRowMs === null || firstRowMs <= 400
    row([
      route,
      f(js, 0),
      f(css, 0),
      f(more, 0),
      String(requests),
      firstRowMs === null ? '' : f(firstRowMs, 0),
      String(most),
      `${verdict(value, most)}${isQuick ? '' : ', first row over'}`,
    ])
  }
}

const keyMostMs = { few: 16, many: 50 }
const addMostSeconds = 5

async function measureTyping(product: Product) {
  if (!wants('typing')) return
  const figures = await typingFigures(product.url)
  if (!figures) return say('\nNo browser, so no figures of typing.')
  table(['a key in the editor of documents', 'lines', 'ms of script', 'longest', 'thin ms', 'ratio', 'at most ms', ''])
  for (const { field, lines, scriptMs, longestMs, thinMs } of figures.keys) {
    const most = lines > 10 ? keyMostMs.many : keyMostMs.few
    const cells = [field, String(lines), f(scriptMs), f(longestMs), f(thinMs, 2), f(scriptMs / thinMs), String(most)]
    row([...cells, verdict(scriptMs, most)])
  }
  const added = verdict(figures.addSeconds, addMostSeconds)
  say(
    `\nA hundred lines, each by Enter: ${f(figures.addSeconds)} s (thin ${f(figures.thinAddSeconds)}; at most ${addMostSeconds}: ${added}).`,
  )
}

const startedText = () =>
  `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores (${cpus()[0]?.model ?? ''}), ${f(totalmem() / 2 ** 30, 0)} GB, Node ${process.versions.node}`

function write() {
  const text = `# Figures\n\n${startedText()}; \`npm run bench -- --write\`. Client, servers and database share the machine, so read the ratios.\n${lines.join('\n')}\n`
  writeFileSync('bench/RESULTS.md', text)
}

await command(async () => {
  if (!Number.isFinite(seconds) || seconds <= 0) throw new SettingsError('--seconds must be a number above zero.')
  say(`Machine: ${startedText()}.`)
  if (wants('web') || wants('typing')) await ensureWebBuilt()
  const reference = await prepareReference()
  const server = await startEmbedded({ dataDir, log: terminal })
  try {
    await bringUpToDate(server)
    if (wants('plans')) await planReport(server, say)
    if (
      only === null ||
      operations.some(({ name }) => wants(name)) ||
      wants('everything') ||
      wants('lists') ||
      wants('pdf') ||
      wants('web') ||
      wants('typing')
    )
      await measureServing(server)
  } finally {
    await server.stop()
  }
  await measureStart(reference)
  if (process.argv.includes('--write')) write()
})

/** The first start of a copy: it is migrated, and what the sample left to be sent is sent, so that afterwards nothing is going on. */
async function bringUpToDate(server: Embedded) {
  const product = await startProduct()
  const db = await connectTo(server, 'brolga')
  const waiting = `select (select count(*) from messages where status in ('queued', 'sending')) + (select count(*) from pgboss.job where state in ('created', 'active')) as n`
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
    `select tgname as trigger, tgrelid::regclass::text as table from pg_trigger where tgname ~ '_noted_(insert|update|delete)$'`,
  )
  for (const { trigger, table: of } of rows) await db.query(`alter table ${of} disable trigger ${trigger}`)
}
