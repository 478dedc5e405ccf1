import { addDays } from '../../contract/core/dates.ts'
import { ordersApi } from '../../contract/orders.ts'
import { orderInvoicing } from '../invoices/invoices.service.ts'
import { orders } from '../orders/orders.service.ts'
import { play, type Stage } from './actors.ts'

interface Hired {
  title: string
  sku: string
  quantity: string
  /** Days before today. */
  since: number
  back?: { units?: string; ago: number }
}
/** One that is out, one that is back in part, one that has ended and is billed, one that is charged its minimum. */
const hires: readonly Hired[] = [
  { title: 'Crowd barriers for the street fair', sku: 'CRO-HIRE', quantity: '40', since: 4 },
  { title: 'Scaffold for the shopfront', sku: 'SCA-HIRE', quantity: '6', since: 20, back: { units: '2', ago: 6 } },
  { title: 'Barriers for the fun run', sku: 'CRO-HIRE', quantity: '60', since: 12, back: { ago: 9 } },
  { title: 'Water barriers for one night', sku: '', quantity: '12', since: 1 },
]

/** What is out on hire, with what came back; nothing of it comes due by the clock on the day it is made. */
export async function makeHires(stage: Stage, businessGuid: string, today: string): Promise<void> {
  const { db } = stage.deps
  const products = await db
    .selectFrom('products')
    .select(['guid', 'sku', 'name', 'hire'])
    .where('businessGuid', '=', businessGuid)
    .where('hire', 'is not', null)
    .where('archivedAt', 'is', null)
    .orderBy('sku')
    .execute()
  const customers = await db
    .selectFrom('orders')
    .select('customerGuid')
    .where('businessGuid', '=', businessGuid)
    .where('status', '=', 'completed')
    .orderBy('number')
    .limit(hires.length)
    .execute()
  for (const [i, { title, sku, quantity, since, back }] of hires.entries()) {
    const product = products.find((one) => (sku ? one.sku === sku : (one.hire?.minimumDays ?? 1) > 1))
    const customerGuid = customers[i % customers.length]?.customerGuid
    if (!product || !customerGuid) continue
    const on = addDays(today, -since)
    const days = { hireFrom: on, hireTo: addDays(on, 27) }
    const line = { productGuid: product.guid, name: product.name, kind: 'hire' as const, quantity, ...days }
    const made = await play(stage, ordersApi.create, orders.create, { customerGuid, title, lines: [line] })
    if (!made.order.hasAmounts) continue
    const { guid, version, lines } = made.order
    const lineGuid = lines[0]?.guid ?? ''
    const items = [
      { lineGuid, on, every: '28' as const },
      ...(back ? [{ lineGuid, off: addDays(today, -back.ago), ...(back.units ? { units: back.units } : {}) }] : []),
    ]
    const out = await play(stage, ordersApi.hire, orders.hire, { guid, version, items })
    if (back && !back.units) {
      const bill = { guid, version: out.order.version, through: addDays(today, -back.ago), dryRun: false }
      await play(stage, ordersApi.hireBill, orderInvoicing.hireBill, bill)
    }
  }
}
