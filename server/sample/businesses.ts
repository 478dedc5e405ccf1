import { businessesApi } from '../../contract/businesses.ts'
import { customersApi } from '../../contract/customers.ts'
import { invoicesApi } from '../../contract/invoices.ts'
import { ordersApi } from '../../contract/orders.ts'
import { paymentsApi } from '../../contract/payments.ts'
import { basPeriodOf } from '../../contract/periods.ts'
import { productsApi } from '../../contract/products.ts'
import { quotesApi } from '../../contract/quotes.ts'
import { taxApi } from '../../contract/tax.ts'
import { usersApi } from '../../contract/users.ts'
import { businesses } from '../businesses/businesses.service.ts'
import { customers } from '../customers/customers.service.ts'
import { invoices } from '../invoices/invoices.service.ts'
import { orders } from '../orders/orders.service.ts'
import { payments } from '../payments/payments.service.ts'
import { products } from '../products/products.service.ts'
import { quotes } from '../quotes/quotes.service.ts'
import { users } from '../users/users.service.ts'
import { changeBasis } from '../tax/basis.service.ts'
import { play, type Stage } from './actors.ts'
import {
  brand,
  brandSales,
  type Sale,
  sister,
  sisterCustomers,
  sisterProducts,
  sisterSales,
} from './company.businesses.ts'

const minuteMs = 60_000

/** A brand of the company and a second company; one person works in the first company alone. */
export async function makeBusinesses(stage: Stage, company: string, salesGuid: string): Promise<void> {
  // The company comes first: it speaks for the installation.
  const later = { ...stage, at: new Date(stage.at.getTime() + minuteMs) }
  await play(later, businessesApi.create, businesses.create, {
    ...brand,
    parentGuid: company,
    customersOf: company,
    catalogueOf: company,
  })
  const { business } = await play(later, businessesApi.create, businesses.create, { ...sister })
  const there = { ...later, businessGuid: business.guid }
  // It is small, and counts GST when it is paid.
  const { business: books } = await play(there, businessesApi.current, businesses.current, {})
  const { from } = basPeriodOf(books.today, books.basCycle)
  await play(there, taxApi.changeBasis, changeBasis, { basis: 'cash', from })
  for (const input of sisterCustomers) await play(there, customersApi.create, customers.create, { ...input })
  for (const input of sisterProducts) await play(there, productsApi.create, products.create, { ...input })
  const { user } = await play(later, usersApi.get, users.get, { guid: salesGuid })
  await play(later, usersApi.update, users.update, {
    guid: user.guid,
    version: user.version,
    businessGuids: [company],
  })
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** What the brand and the second company have on their books, so that lists over all of them have something of each. */
export async function makeBusinessWork(stage: Stage, company: string, customerGuid: string | undefined): Promise<void> {
  const { db } = stage.deps
  const others = await db.selectFrom('businesses').select(['guid', 'parentGuid']).where('guid', '<>', company).execute()
  for (const { guid, parentGuid } of others) {
    const own = db.selectFrom('customers').select('guid').where('businessGuid', '=', guid).orderBy('displayName')
    const buyers = parentGuid === null ? await own.execute() : customerGuid ? [{ guid: customerGuid }] : []
    const sales = parentGuid === null ? sisterSales : brandSales
    for (const [i, sale] of sales.entries()) {
      const buyer = buyers[i % buyers.length]
      if (buyer) await sell({ ...stage, businessGuid: guid }, sale, buyer.guid)
    }
  }
}

async function sell(stage: Stage, { kind, hoursAgo, paidCents, ...sale }: Sale, customerGuid: string) {
  const at = (ms: number): Stage => ({ ...stage, at: new Date(stage.at.getTime() - ms) })
  const then = at(hoursAgo * hourMs)
  if (kind === 'quote') {
    const { quote } = await play(then, quotesApi.create, quotes.create, { ...sale, customerGuid })
    await play(then, quotesApi.send, quotes.send, { guid: quote.guid, version: quote.version })
    return
  }
  if (kind === 'order') {
    const { order } = await play(then, ordersApi.create, orders.create, { ...sale, customerGuid })
    if (paidCents)
      await play(then, paymentsApi.create, payments.create, {
        customerGuid,
        orderGuid: order.guid,
        method: 'bank_transfer',
        receivedOn: (await play(then, businessesApi.current, businesses.current, {})).business.today,
        amountCents: paidCents,
        reference: order.number,
        allocations: [],
      })
    return
  }
  const made = await play(then, invoicesApi.create, invoices.create, { ...sale, customerGuid })
  const { invoice } = await play(then, invoicesApi.issue, invoices.issue, {
    guid: made.invoice.guid,
    version: made.invoice.version,
  })
  if (!paidCents) return
  // A few days later, as far as that has passed.
  const later = at(Math.max(hoursAgo * hourMs - 3 * dayMs, 0))
  const { business } = await play(later, businessesApi.current, businesses.current, {})
  await play(later, paymentsApi.create, payments.create, {
    method: 'bank_transfer',
    receivedOn: business.today,
    amountCents: paidCents,
    reference: invoice.number,
    allocations: [{ invoiceGuid: invoice.guid, cents: paidCents }],
  })
}
