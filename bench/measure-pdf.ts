import { setTimeout as sleep } from 'node:timers/promises'
import { ask, measure, type Target } from './load.ts'
import type { Material } from './operations.ts'
import { f, row, seconds, table, verdict, wants } from './output.ts'
import { apiRoot, commandOf, cpuMsOf, familyOf, type Product } from './product.ts'

const pdfMostMs = 60
const stallMostMs = 100

/** Documents are drawn elsewhere, so the server must go on answering while 16 clients wait for theirs. */
export async function measurePdf(product: Product, material: Material, ours: Target) {
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
    const workers = () => familyOf([product.child.pid ?? 0]).filter((pid) => commandOf(pid).includes('render-worker'))
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
