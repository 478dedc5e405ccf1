import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { operations as allOperations } from '../contract/api.ts'
import { run } from '../scripts/steps.ts'
import { terminal } from '../server/core/console.ts'
import { migrate } from '../server/core/db/migrate.ts'
import { type Embedded, startEmbedded } from '../server/core/db/embedded.ts'
import { makeLarge, referenceSize } from '../server/sample/large.ts'
import { fieldsOf, valuesOf } from './explain.ts'
import { appRole, type InProcess, openInProcess } from './in-process.ts'
import { argument, f, row, say, table } from './output.ts'
import { apiRoot } from './product.ts'
import { connectTo, hashSources, seedEnvironment } from './reference.ts'

// What a screen reads must follow from what it shows, not from how much there is: the same requests, asked where there
// are ten thousand invoices and where there are many times as many.

const sizes = (argument('sizes') ?? '10000,100000').split(',').map(Number)
/** A database of each size is kept here, beside the sample company alone that they begin with. */
const flatDir = '.tmp/bench-flat'
const sample = 'brolga'
const stateFile = join(flatDir, 'made-from.txt')
const nameOf = (documents: number) => `flat_${documents}`

/** Of everything as many as at reference size, in proportion. */
const sizeOf = (documents: number): typeof referenceSize => {
  const part = (n: number) => Math.round((n * documents) / referenceSize.documents)
  const { customers, products, quotes, messages } = referenceSize
  return {
    customers: part(customers),
    products: part(products),
    quotes: part(quotes),
    documents,
    messages: part(messages),
  }
}

async function prepareSample() {
  if (existsSync(stateFile) && readFileSync(stateFile, 'utf8') === hashSources()) return
  rmSync(flatDir, { recursive: true, force: true })
  mkdirSync(flatDir, { recursive: true })
  if (!(await run('scripts/seed.ts', [], { env: { ...seedEnvironment, DATA_DIR: flatDir } })))
    throw new Error('seed failed')
  writeFileSync(stateFile, hashSources())
}

const inMaintenance = async (server: Embedded, statements: readonly string[]) => {
  const client = await connectTo(server, 'postgres')
  for (const statement of statements) await client.query(statement)
  await client.end()
}

/** What was broken off half made is made again; what was made by fewer migrations gets the others. */
async function prepareSize(server: Embedded, documents: number) {
  const ownerOf = (database: string) => ({ host: server.host, port: server.port, user: server.user, database })
  const client = await connectTo(server, 'postgres')
  const made = await client.query('select from pg_database where datname = $1', [nameOf(documents)])
  await client.end()
  if (made.rowCount) {
    await migrate(ownerOf(nameOf(documents)), appRole, terminal)
    return
  }
  const startedAt = performance.now()
  await inMaintenance(server, [
    'drop database if exists making with (force)',
    `create database making template ${sample} strategy file_copy`,
  ])
  await migrate(ownerOf('making'), appRole, terminal)
  const product = await openInProcess(server, 'making', flatDir)
  await makeLarge(product.app.deps.db, ownerOf('making'), sizeOf(documents), { hasLedgerLog: false })
  await product.close()
  await inMaintenance(server, [`alter database making rename to ${nameOf(documents)}`])
  console.log(`${f(documents, 0)} invoices made in ${f((performance.now() - startedAt) / 1000, 0)} s.`)
}

const lists = [
  ...['/Quotes', '/Orders', '/Invoices', '/Customers', '/Contacts', '/Products', '/Payments', '/Messages'],
  ...['/Customers/Duplicates', '/Products/Categories', '/RevenueStreams', '/JobTypes', '/PriceLists'],
  ...['/Products/BookingOptions', '/Products/BookingOptions/Selections', '/Products/BookingOptions/Selections/Totals'],
]
const found = ['Harbour', 'zzqxv', 'INV-0100']
/** What the accountant reads, of the last quarter that the reference data has. */
const lastQuarter = 'from=2026-07-01&to=2026-09-30'
const reports = [
  ...['/Journal/TrialBalance', '/Journal/AgedReceivables', '/Journal/AgedReceivables?on=2026-09-30'],
  ...[`/Tax/Bas?${lastQuarter}`, `/Tax/Bas/Lines?${lastQuarter}&label=1A`, `/Tax/Bas?from=2026-10-01&to=2026-10-01`],
]

/**
 * As the screens ask: each list as it opens, by each status and by a search; tiles, dashboard, search of everything,
 * and the reports of the books.
 */
async function requests({ app }: InProcess): Promise<string[]> {
  const ofLists = allOperations
    .filter(({ op }) => op.method === 'GET' && lists.includes(op.path))
    .flatMap(({ op }) => [
      fieldsOf(op).includes('size') ? `${op.path}?size=50` : op.path,
      ...valuesOf(op, 'status').map((status) => `${op.path}?status=${status}&size=50`),
      ...(fieldsOf(op).includes('search') ? found.map((text) => `${op.path}?search=${text}&size=50`) : []),
    ])
  const tiles = ['Quotes', 'Orders', 'Invoices'].map((noun) => `/${noun}/Metrics/StatusMetrics`)
  const { guid: receivable } = await app.deps.db
    .selectFrom('accounts')
    .select('guid')
    .where('role', '=', 'receivable')
    .orderBy('createdAt')
    .limit(1)
    .executeTakeFirstOrThrow()
  const ledgers = ['', `?${lastQuarter}`].map((query) => `/Journal/Ledger/${receivable}${query}`)
  const searches = found.map((text) => `/Search?q=${text}`)
  return [...ofLists, ...searches, ...tiles, '/Dashboards/Ecommerce', ...reports, ...ledgers]
}

const timesAsked = 5

interface Figure {
  rowsRead: number
  ms: number
}

/** Null where the answer is that less should be asked for. */
async function figuresOf(product: InProcess, path: string): Promise<Figure | null> {
  const looks = []
  for (let n = 0; n < timesAsked; n++) looks.push(await product.look(`${apiRoot}${path}`))
  const [first] = looks
  if (!first) return null
  const times = looks.flatMap((one) => one?.ms ?? []).toSorted((a, b) => a - b)
  return { rowsRead: first.rowsRead, ms: times[Math.floor(times.length / 2)] ?? 0 }
}

export async function measureFlatness() {
  await prepareSample()
  // What is made here can be made again: it need not survive the machine.
  const server = await startEmbedded({ dataDir: flatDir, log: terminal, durable: false })
  try {
    for (const documents of sizes) await prepareSize(server, documents)
    const figures = new Map<string, (Figure | null)[]>()
    for (const documents of sizes) {
      const product = await openInProcess(server, nameOf(documents), flatDir)
      for (const path of await requests(product)) {
        figures.set(path, [...(figures.get(path) ?? []), await figuresOf(product, path)])
      }
      await product.close()
    }
    tell(figures)
  } finally {
    await server.stop()
  }
}

function tell(figures: ReadonlyMap<string, readonly (Figure | null)[]>) {
  const inWords = sizes.map((documents) => f(documents, 0))
  const heads = inWords.flatMap((size) => [`rows read, ${size} invoices`, 'ms'])
  table(['list, tiles or search', ...heads, 'rows, times', 'ms, times'])
  for (const [path, measured] of figures) {
    const [first, last] = [measured[0], measured.at(-1)]
    row([
      path.replace(/[?&]size=50$/, ''),
      ...measured.flatMap((one) => (one ? [f(one.rowsRead, 0), f(one.ms)] : ['refused', ''])),
      ...(first && last ? [f(last.rowsRead / Math.max(first.rowsRead, 1)), f(last.ms / first.ms)] : ['', '']),
    ])
  }
  const most = [...figures].toSorted(([, a], [, b]) => (b.at(-1)?.rowsRead ?? 0) - (a.at(-1)?.rowsRead ?? 0))[0]
  if (most)
    say(
      `\nThe most rows are read by ${most[0]}: ` +
        `${most[1].map((one) => (one ? f(one.rowsRead, 0) : 'refused')).join(', ')}.`,
    )
}
