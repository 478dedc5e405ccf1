import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from './load.ts'
import { f, row, say, table, verdict, wants } from './output.ts'
import { apiRoot, familyOf, logIn, type Product, pssOf, startProduct } from './product.ts'
import { dataDir, type Reference } from './reference.ts'

/**
 * From nothing running, database included, to the first ready answer; memory after the first requests and one document.
 */
export async function measureStart(reference: Reference) {
  if (!wants('start')) return
  const starts: number[] = []
  for (let i = 0; i < 3; i++) {
    const product = await startProduct()
    starts.push(product.startMs)
    if (i === 2) await measureIdle(product, starts)
    await product.stop()
  }
  say(
    `\nMade once: seed in ${f(reference.seedSeconds, 0)} s, verify-ledger over all of it in ` +
      `${f(reference.verifySeconds, 0)} s.`,
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
    `idle memory, PSS MB: application ${f(before.app, 0)}, its workers ${f(before.workers, 0)}, ` +
      `database ${f(before.database, 0)}`,
    f(before.all, 0),
    '250',
    verdict(before.all, 250),
  ])
  row(['the same with a document worker that drew one PDF (it ends after a minute)', f(after.all, 0), '', ''])
}
