import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invoiceDisplayStatuses } from '../../contract/invoices.ts'
import { type Actors, seedActors } from '../../test/support/actors.ts'
import { aBusiness, aCustomer, ok } from '../../test/support/factories.ts'
import { type Running, startApp } from '../../test/support/start.ts'

interface Item {
  guid: string
  title: string
  number: string | null
  displayStatus: string
  totalCents: number
  balanceCents: number
  issueOn: string | null
  dueOn: string | null
  createdAt: string
}
interface Page {
  items: Item[]
  page: { total: { value: number; isExact: boolean }; next: string | null }
}

let app: Running
let actors: Actors
beforeAll(async () => {
  app = await startApp({ now: () => new Date('2026-07-20T02:00:00Z') })
  actors = await seedActors(app)
  const business = await aBusiness(app)
  const customer = await aCustomer(app, actors.office)
  // Every status in every order: due before and after today, viewed or not, paid in part, in full, given back.
  const values = Array.from({ length: 72 }, (_, i) => {
    const total = 1000 + ((i * 37) % 20) * 100
    const status = i % 9 === 0 ? 'draft' : i % 17 === 1 ? 'void' : 'issued'
    const isLive = status === 'issued'
    const paid = isLive ? [0, 0, total / 2, total][i % 4] : 0
    const returned = isLive && i % 12 === 3 ? (i % 24 === 3 ? total : 100) : 0
    return {
      guid: `0193785a-25e0-7811-862e-${String(i).padStart(12, '0')}`,
      businessGuid: business.guid,
      customerGuid: customer.guid,
      title: `Fence ${(i * 29) % 23}`,
      number: status === 'draft' ? null : `INV-${5000 + ((i * 31) % 72)}`,
      status: status as 'draft' | 'issued' | 'void',
      priceMode: 'exclusive' as const,
      roundingRule: 'total_invoice' as const,
      subtotalCents: total,
      totalCents: total,
      paidCents: paid ?? 0,
      refundedCents: returned,
      creditedCents: returned,
      issueOn: status === 'draft' ? null : `2026-07-${String(1 + ((i * 7) % 15)).padStart(2, '0')}`,
      dueOn: status === 'draft' ? null : `2026-07-${String(10 + ((i * 11) % 20)).padStart(2, '0')}`,
      firstViewedAt: isLive && i % 3 === 0 ? new Date('2026-07-18T00:00:00Z') : null,
      createdAt: new Date(Date.UTC(2026, 6, 1, 0, (i * 13) % 72)),
    }
  })
  await app.deps.db.insertInto('invoices').values(values).execute()
})
afterAll(() => app.stop())

const list = async (query: string) => ok(await app.call<Page>(actors.office, 'GET', `/Invoices?${query}`))
/** The whole list, by cursor and by page number. */
async function all(query: string, by: 'after' | 'page'): Promise<Item[]> {
  const items: Item[] = []
  for (let page = 1, after = ''; ; page++) {
    const got = await list(`${query}&size=10${by === 'page' ? `&page=${page}` : after}`)
    items.push(...got.items)
    if (got.page.next === null) return items
    after = `&after=${got.page.next}`
  }
}

const sorts = {
  createdAt: 'createdAt',
  number: 'number',
  title: 'title',
  totalCents: 'totalCents',
  balanceCents: 'balanceCents',
  issueOn: 'issueOn',
  dueOn: 'dueOn',
} as const
/** As the database orders: nulls last going up. Every text here is plain. */
function compare(a: Item, b: Item, field: keyof typeof sorts): number {
  const [x, y] = [a[field], b[field]]
  if (x === y) return 0
  if (x === null || y === null) return x === null ? 1 : -1
  return x < y ? -1 : 1
}

describe('every status in every order', () => {
  const wanted = [
    ...invoiceDisplayStatuses.filter((status) => !['issued', 'scheduled', 'written_off'].includes(status)),
    'sent,viewed,overdue',
    'overdue,paid,draft',
    invoiceDisplayStatuses.join(','),
  ]
  it.each(wanted)('%s', async (status) => {
    const everything = (await list('size=100&sort=createdAt')).items
    const worn = everything.filter((item) => status.split(',').includes(item.displayStatus))
    expect(worn.length).toBeGreaterThan(0)
    for (const field of Object.keys(sorts) as (keyof typeof sorts)[]) {
      for (const descending of [false, true]) {
        const query = `status=${status}&sort=${descending ? '-' : ''}${field}`
        const found = await all(query, 'after')
        const expected = worn.toSorted(
          (a, b) => (compare(a, b, field) || (a.guid < b.guid ? -1 : 1)) * (descending ? -1 : 1),
        )
        expect([query, found.map((item) => item.guid)]).toEqual([query, expected.map((item) => item.guid)])
        expect((await all(query, 'page')).map((item) => item.guid)).toEqual(found.map((item) => item.guid))
      }
    }
    expect((await list(`status=${status}&size=2`)).page.total).toEqual({ value: worn.length, isExact: true })
    expect((await list(`status=${status}&search=fence%201&size=100`)).items.length).toBe(
      worn.filter((item) => item.title.startsWith('Fence 1')).length,
    )
  })

  it('goes as far back as it is counted, and says so', async () => {
    expect((await list('size=100&page=40')).items).toEqual([])
    const far = await app.call(actors.office, 'GET', '/Invoices?size=100&page=41')
    expect(far).toMatchObject({
      status: 400,
      message: 'Pages reach the first 4,000 records. Filter the list, or sort it the other way round.',
      errors: [{ path: 'page' }],
    })
  })
})
