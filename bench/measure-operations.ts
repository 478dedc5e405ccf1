import type pg from 'pg'
import { measure } from './load.ts'
import { type Material, type Operation, operations, type Targets } from './operations.ts'
import { errorsOf, f, row, seconds, table, verdict, wants } from './output.ts'
import { type Asked, countStatements } from './statements.ts'

const askedHeads = ['statements in the transaction', 'with its jobs', 'lock waits', 'ms waited']

export async function measureOperations(db: pg.Client, material: Material, targets: Targets) {
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
